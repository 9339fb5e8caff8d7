#include "tunesmith/extract/classes/counts.h"

#include <algorithm>

namespace tunesmith::extract::classes {

namespace {

/// Sorts pairs and groups them into rows of distinct neighbors with counts.
Neighbors group(std::vector<std::pair<int32_t, int32_t>>& pairs, size_t words) {
  std::sort(pairs.begin(), pairs.end());
  Neighbors rows;
  rows.offsets.assign(words + 1, 0);
  for (size_t i = 0; i < pairs.size();) {
    size_t j = i;
    while (j < pairs.size() && pairs[j] == pairs[i]) ++j;
    rows.all.push_back({pairs[i].second, static_cast<int32_t>(j - i)});
    rows.offsets[static_cast<size_t>(pairs[i].first) + 1] = static_cast<int64_t>(rows.all.size());
    i = j;
  }
  for (size_t word = 0; word < words; ++word)
    rows.offsets[word + 1] = std::max(rows.offsets[word + 1], rows.offsets[word]);
  return rows;
}

/// Sums the counts of neighbors by class.
void by_class(std::span<const Neighbor> neighbors, size_t word, const std::vector<int32_t>& classes,
              std::vector<int64_t>& scratch, std::vector<int32_t>& which, std::vector<int64_t>& count) {
  which.clear();
  count.clear();
  for (const Neighbor& neighbor : neighbors) {
    if (static_cast<size_t>(neighbor.word) == word) continue;
    const int32_t c = classes[static_cast<size_t>(neighbor.word)];
    if (scratch[static_cast<size_t>(c)] == 0) which.push_back(c);
    scratch[static_cast<size_t>(c)] += neighbor.count;
  }
  std::sort(which.begin(), which.end());
  for (int32_t c : which) {
    count.push_back(scratch[static_cast<size_t>(c)]);
    scratch[static_cast<size_t>(c)] = 0;
  }
}

}  // namespace

Bigrams count_bigrams(const corpus::Sentences& sentences, size_t words) {
  const auto border = static_cast<int32_t>(words);
  std::vector<std::pair<int32_t, int32_t>> pairs;
  pairs.reserve(sentences.words.size() + sentences.size());
  Bigrams bigrams;
  bigrams.counts.assign(words + 1, 0);
  for (size_t i = 0; i < sentences.size(); ++i) {
    if (sentences[i].empty()) continue;
    int32_t previous = border;
    ++bigrams.counts[words];
    for (int32_t word : sentences[i]) {
      pairs.emplace_back(previous, word);
      ++bigrams.counts[static_cast<size_t>(word)];
      previous = word;
    }
    pairs.emplace_back(previous, border);
  }
  bigrams.after = group(pairs, words + 1);
  for (auto& [first, second] : pairs) std::swap(first, second);
  bigrams.before = group(pairs, words + 1);
  return bigrams;
}

ClassCounts::ClassCounts(const Bigrams& bigrams, std::vector<int32_t> classes, size_t n_classes)
    : bigrams_(bigrams),
      classes_(std::move(classes)),
      n_(n_classes),
      counts_(n_ * n_),
      transposed_(n_ * n_),
      totals_(n_) {
  for (size_t word = 0; word < classes_.size(); ++word) {
    if (classes_[word] < 0) continue;
    totals_[static_cast<size_t>(classes_[word])] += bigrams.counts[word];
    for (const Neighbor& next : bigrams.after[word])
      counts_[static_cast<size_t>(classes_[word]) * n_ +
              static_cast<size_t>(classes_[static_cast<size_t>(next.word)])] += next.count;
  }
  for (size_t a = 0; a < n_; ++a)
    for (size_t b = 0; b < n_; ++b) transposed_[b * n_ + a] = counts_[a * n_ + b];
}

void ClassCounts::count_context(size_t word, std::vector<int64_t>& scratch, ContextCounts& to) const {
  by_class(bigrams_.after[word], word, classes_, scratch, to.after, to.after_count);
  by_class(bigrams_.before[word], word, classes_, scratch, to.before, to.before_count);
  to.self = 0;
  for (const Neighbor& next : bigrams_.after[word])
    if (static_cast<size_t>(next.word) == word) to.self = next.count;
  to.total = bigrams_.counts[word];
}

double ClassCounts::gain(const ContextCounts& word, int32_t from, int32_t to) const {
  // Cells in both a row and a column of the two classes are updated once, at the end: (to, from) and (from,
  // to) change twice, (from, from) and (to, to) by the neighbors on both sides.
  double gain = 0;
  int64_t from_from = word.self, to_to = word.self;  // loss and gain of the diagonal cells
  int64_t from_to = 0, to_from = 0;                  // net change of the mixed cells
  for (size_t k = 0; k < word.after.size(); ++k) {
    const int32_t c = word.after[k];
    const int64_t n = word.after_count[k];
    if (c == from) {
      from_from += n;
      to_from += n;
    } else if (c == to) {
      to_to += n;
      from_to -= n;
    } else {
      gain += f_(at(to, c) + n) - f_(at(to, c)) + f_(at(from, c) - n) - f_(at(from, c));
    }
  }
  for (size_t k = 0; k < word.before.size(); ++k) {
    const int32_t c = word.before[k];
    const int64_t n = word.before_count[k];
    if (c == from) {
      from_from += n;
      from_to += n;
    } else if (c == to) {
      to_to += n;
      to_from -= n;
    } else {
      gain += f_(at(c, to) + n) - f_(at(c, to)) + f_(at(c, from) - n) - f_(at(c, from));
    }
  }
  gain += f_(at(from, from) - from_from) - f_(at(from, from));
  gain += f_(at(to, to) + to_to) - f_(at(to, to));
  gain += f_(at(from, to) + from_to) - f_(at(from, to));
  gain += f_(at(to, from) + to_from) - f_(at(to, from));
  const int64_t old_from = totals_[static_cast<size_t>(from)], old_to = totals_[static_cast<size_t>(to)];
  // Every occurrence has a left and a right neighbor, so both marginal sums change equally.
  gain -= 2 * (f_(old_from - word.total) - f_(old_from) + f_(old_to + word.total) - f_(old_to));
  return gain;
}

void ClassCounts::gains(const ContextCounts& word, int32_t from, std::vector<double>& gains) const {
  const size_t classes = gains.size();
  std::fill(gains.begin(), gains.end(), 0.0);
  std::vector<int64_t> after_to(classes), before_to(classes);  // the word's own counts with class `to`
  int64_t after_from = 0, before_from = 0;
  // The term of a neighboring class c in all gains but that of c itself; `row` has the cells of c and `to`.
  const auto add = [&](int32_t c, int64_t n, const int64_t* row) {
    const auto own = static_cast<size_t>(c);
    const double kept = own < classes ? gains[own] : 0;
    const int64_t old = row[from];
    const double less = f_(old - n), before = f_(old);
    for (size_t to = 0; to < classes; ++to) gains[to] += f_(row[to] + n) - f_(row[to]) + less - before;
    if (own < classes) gains[own] = kept;
  };
  const auto visit = [&](const std::vector<int32_t>& which, const std::vector<int64_t>& count,
                         const std::vector<int64_t>& cells, std::vector<int64_t>& with_to,
                         int64_t& with_from) {
    for (size_t k = 0; k < which.size(); ++k) {
      const auto c = static_cast<size_t>(which[k]);
      if (c < classes) with_to[c] = count[k];
      if (which[k] == from)
        with_from = count[k];
      else
        add(which[k], count[k], cells.data() + c * n_);
    }
  };
  visit(word.after, word.after_count, transposed_, after_to, after_from);
  visit(word.before, word.before_count, counts_, before_to, before_from);
  const int64_t from_from = word.self + after_from + before_from;
  const double diagonal = f_(at(from, from) - from_from), diagonal_before = f_(at(from, from));
  const int64_t old_from = total(from);
  const double marginal = f_(old_from - word.total) - f_(old_from);
  for (size_t k = 0; k < classes; ++k) {
    const auto to = static_cast<int32_t>(k);
    gains[k] += diagonal - diagonal_before;
    gains[k] += f_(at(to, to) + word.self + after_to[k] + before_to[k]) - f_(at(to, to));
    gains[k] += f_(at(from, to) + before_from - after_to[k]) - f_(at(from, to));
    gains[k] += f_(at(to, from) + after_from - before_to[k]) - f_(at(to, from));
    gains[k] -= 2 * (marginal + f_(total(to) + word.total) - f_(total(to)));
  }
}

void ClassCounts::add(const ContextCounts& word, int32_t to, int64_t sign) {
  const auto row = static_cast<size_t>(to);
  const auto change = [&](size_t a, size_t b, int64_t count) {
    counts_[a * n_ + b] += sign * count;
    transposed_[b * n_ + a] += sign * count;
  };
  for (size_t k = 0; k < word.after.size(); ++k)
    change(row, static_cast<size_t>(word.after[k]), word.after_count[k]);
  for (size_t k = 0; k < word.before.size(); ++k)
    change(static_cast<size_t>(word.before[k]), row, word.before_count[k]);
  change(row, row, word.self);
  totals_[row] += sign * word.total;
}

void ClassCounts::move(size_t word, const ContextCounts& context, int32_t to) {
  add(context, classes_[word], -1);
  add(context, to, +1);
  classes_[word] = to;
}

double ClassCounts::mutual_information() const {
  int64_t total = 0;
  for (int64_t count : totals_) total += count;
  if (total == 0) return 0;
  double sum = f_(total);
  for (int64_t count : counts_) sum += f_(count);
  for (int64_t count : totals_) sum -= 2 * f_(count);
  return sum / double(total);
}

}  // namespace tunesmith::extract::classes
