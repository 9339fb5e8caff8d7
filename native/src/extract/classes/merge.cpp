#include "tunesmith/extract/classes/merge.h"

#include <limits>

namespace tunesmith::extract::classes {

namespace {

/// Bigram counts of the remaining classes, and the cost of merging each pair.
class Merger {
 public:
  Merger(const ClassCounts& counts, size_t mergeable)
      : n_(counts.size()),
        mergeable_(mergeable),
        alive_(n_, true),
        cells_(n_ * n_),
        totals_(n_),
        cost_(n_ * n_) {
    for (size_t a = 0; a < n_; ++a) {
      totals_[a] = counts.total(static_cast<int32_t>(a));
      for (size_t b = 0; b < n_; ++b)
        cell(a, b) = counts.at(static_cast<int32_t>(a), static_cast<int32_t>(b));
    }
    for (size_t a = 0; a < mergeable_; ++a)
      for (size_t b = a + 1; b < mergeable_; ++b) cost_[a * n_ + b] = cost(a, b);
  }

  /// Merges the cheapest pair (first, second) into the first.
  std::pair<size_t, size_t> merge_cheapest() {
    std::pair<size_t, size_t> best{0, 0};
    double least = std::numeric_limits<double>::infinity();
    for (size_t a = 0; a < mergeable_; ++a)
      for (size_t b = a + 1; alive_[a] && b < mergeable_; ++b)
        if (alive_[b] && cost_[a * n_ + b] < least) {
          least = cost_[a * n_ + b];
          best = {a, b};
        }
    merge(best.first, best.second);
    return best;
  }

 private:
  int64_t& cell(size_t a, size_t b) { return cells_[a * n_ + b]; }

  /// Cost of merging c and d in the cells that they share with a third class x.
  double third(size_t c, size_t d, size_t x) {
    return f_(cell(c, x)) + f_(cell(d, x)) - f_(cell(c, x) + cell(d, x)) + f_(cell(x, c)) + f_(cell(x, d)) -
           f_(cell(x, c) + cell(x, d));
  }

  double cost(size_t c, size_t d) {
    double sum = f_(cell(c, c)) + f_(cell(c, d)) + f_(cell(d, c)) + f_(cell(d, d)) -
                 f_(cell(c, c) + cell(c, d) + cell(d, c) + cell(d, d)) -
                 2 * (f_(totals_[c]) + f_(totals_[d]) - f_(totals_[c] + totals_[d]));
    for (size_t x = 0; x < n_; ++x)
      if (x != c && x != d && alive_[x]) sum += third(c, d, x);
    return sum;
  }

  void merge(size_t a, size_t b) {
    change_thirds(a, b, -1);
    change_thirds(b, a, -1);
    alive_[b] = false;
    for (size_t x = 0; x < n_; ++x) cell(a, x) += cell(b, x);
    for (size_t x = 0; x < n_; ++x) cell(x, a) += cell(x, b);
    totals_[a] += totals_[b];
    change_thirds(a, b, +1);
    for (size_t x = 0; x < mergeable_; ++x)
      if (x != a && alive_[x]) cost_[std::min(a, x) * n_ + std::max(a, x)] = cost(a, x);
  }

  /// Adds or subtracts the terms of class x in the costs of all pairs without x and `but`.
  void change_thirds(size_t x, size_t but, double sign) {
    for (size_t c = 0; c < mergeable_; ++c) {
      if (!alive_[c] || c == x || c == but) continue;
      for (size_t d = c + 1; d < mergeable_; ++d)
        if (alive_[d] && d != x && d != but) cost_[c * n_ + d] += sign * third(c, d, x);
    }
  }

  size_t n_, mergeable_;
  std::vector<bool> alive_;
  std::vector<int64_t> cells_, totals_;
  std::vector<double> cost_;
  XLogX f_;
};

}  // namespace

std::vector<int32_t> merge_classes(const ClassCounts& counts, size_t mergeable, size_t keep) {
  Merger merger(counts, mergeable);
  std::vector<size_t> into(mergeable);
  for (size_t a = 0; a < mergeable; ++a) into[a] = a;
  for (size_t left = mergeable; left > keep; --left) {
    const auto [first, second] = merger.merge_cheapest();
    for (size_t& target : into)
      if (target == second) target = first;
  }
  std::vector<int32_t> number(mergeable, -1), result;
  int32_t next = 0;
  for (size_t target : into) {
    if (number[target] < 0) number[target] = next++;
    result.push_back(number[target]);
  }
  return result;
}

}  // namespace tunesmith::extract::classes
