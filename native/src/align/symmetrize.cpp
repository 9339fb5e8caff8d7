#include "tunesmith/align/symmetrize.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::align {

namespace {

/// The links of the union, which of them are chosen, and which words are aligned by chosen links.
class Growing {
 public:
  Growing(std::span<const corpus::Link> forward, std::span<const corpus::Link> reverse) {
    std::set_union(forward.begin(), forward.end(), reverse.begin(), reverse.end(),
                   std::back_inserter(union_));
    chosen_.resize(union_.size());
    for (const corpus::Link link : union_) {
      source_.resize(std::max(source_.size(), static_cast<size_t>(link.source) + 1));
      target_.resize(std::max(target_.size(), static_cast<size_t>(link.target) + 1));
    }
    std::vector<corpus::Link> both;
    std::set_intersection(forward.begin(), forward.end(), reverse.begin(), reverse.end(),
                          std::back_inserter(both));
    for (const corpus::Link link : both) choose(find(link));
  }

  void grow_diagonally() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t k = 0; k < union_.size(); ++k)
        if (!chosen_[k] && one_is_free(union_[k]) && has_neighbor(union_[k])) {
          choose(k);
          changed = true;
        }
    }
  }

  void finish(std::span<const corpus::Link> links, bool both_free) {
    for (const corpus::Link link : links)
      if (both_free ? both_are_free(link) : one_is_free(link)) choose(find(link));
  }

  std::vector<corpus::Link> chosen() const {
    std::vector<corpus::Link> links;
    for (size_t k = 0; k < union_.size(); ++k)
      if (chosen_[k]) links.push_back(union_[k]);
    return links;
  }

 private:
  size_t find(corpus::Link link) const {
    return static_cast<size_t>(std::lower_bound(union_.begin(), union_.end(), link) - union_.begin());
  }
  void choose(size_t k) {
    chosen_[k] = true;
    source_[static_cast<size_t>(union_[k].source)] = target_[static_cast<size_t>(union_[k].target)] = true;
  }
  bool one_is_free(corpus::Link link) const {
    return !source_[static_cast<size_t>(link.source)] || !target_[static_cast<size_t>(link.target)];
  }
  bool both_are_free(corpus::Link link) const {
    return !source_[static_cast<size_t>(link.source)] && !target_[static_cast<size_t>(link.target)];
  }
  bool has_neighbor(corpus::Link link) const {
    for (int32_t source = link.source - 1; source <= link.source + 1; ++source)
      for (size_t k = find({source, link.target - 1});
           k < union_.size() && union_[k] <= corpus::Link{source, link.target + 1}; ++k)
        if (chosen_[k]) return true;  // the link itself is not chosen
    return false;
  }

  std::vector<corpus::Link> union_;
  std::vector<bool> chosen_, source_, target_;
};

}  // namespace

Symmetrization symmetrization_named(std::string_view name) {
  if (name == "intersection") return Symmetrization::kIntersection;
  if (name == "union") return Symmetrization::kUnion;
  if (name == "grow-diag") return Symmetrization::kGrowDiag;
  if (name == "grow-diag-final") return Symmetrization::kGrowDiagFinal;
  if (name == "grow-diag-final-and") return Symmetrization::kGrowDiagFinalAnd;
  throw InputError("unknown symmetrization '" + std::string(name) +
                   "'; expected intersection, union, grow-diag, grow-diag-final or grow-diag-final-and");
}

std::vector<corpus::Link> symmetrize(std::span<const corpus::Link> forward,
                                     std::span<const corpus::Link> reverse, Symmetrization method) {
  std::vector<corpus::Link> links;
  if (method == Symmetrization::kUnion) {
    std::set_union(forward.begin(), forward.end(), reverse.begin(), reverse.end(), std::back_inserter(links));
    return links;
  }
  if (method == Symmetrization::kIntersection) {
    std::set_intersection(forward.begin(), forward.end(), reverse.begin(), reverse.end(),
                          std::back_inserter(links));
    return links;
  }
  Growing growing(forward, reverse);
  growing.grow_diagonally();
  if (method != Symmetrization::kGrowDiag) {
    const bool both_free = method == Symmetrization::kGrowDiagFinalAnd;
    growing.finish(forward, both_free);
    growing.finish(reverse, both_free);
  }
  return growing.chosen();
}

}  // namespace tunesmith::align
