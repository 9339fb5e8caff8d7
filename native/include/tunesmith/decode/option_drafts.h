// The scored options of one source side, from which the best are chosen.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "tunesmith/decode/weighted_model.h"

namespace tunesmith::decode {

/// All options of a source side, and the arrays that they view, by option.
struct OptionDrafts {
  /// Makes `count` options, each with room for `prepared_size` prepared floats.
  OptionDrafts(size_t count, size_t prepared_size);
  OptionDrafts(OptionDrafts&&) = default;  // a copy would view the original

  std::vector<Option> options;
  std::vector<float> prepared;
  Rows<int32_t> words;       // of all options; empty if the table's numbers serve
  Rows<corpus::Link> links;  // likewise
  Rows<FeatureValue> values;

  /// Reduces `order` to the `limit` options of highest sort_score, best first. `expect` sets the sort_score
  /// of an option, which exceeds its score by at most `most`: it is not called for options that cannot be
  /// among the best.
  template <class Expect>
  void choose(std::vector<uint32_t>& order, size_t limit, float most, Expect expect);

  /// Copies the chosen options into a list that owns the arrays that they view.
  void keep(std::span<const uint32_t> chosen, OptionList& list) const;
};

template <class Expect>
void OptionDrafts::choose(std::vector<uint32_t>& order, size_t limit, float most, Expect expect) {
  const auto better = [&](uint32_t a, uint32_t b) { return options[a].sort_score > options[b].sort_score; };
  if (limit == 0 || order.size() <= limit) {
    for (const uint32_t i : order) expect(options[i]);
    std::ranges::stable_sort(order, better);
    return;
  }
  std::ranges::stable_sort(order,
                           [&](uint32_t a, uint32_t b) { return options[a].score > options[b].score; });
  std::vector<float> best;  // min-heap of sort scores
  size_t asked = 0;
  for (; asked < order.size(); ++asked) {
    Option& option = options[order[asked]];
    if (best.size() == limit && option.score + most < best[0]) break;
    expect(option);
    best.push_back(option.sort_score);
    std::ranges::push_heap(best, std::greater{});
    if (best.size() <= limit) continue;
    std::ranges::pop_heap(best, std::greater{});
    best.pop_back();
  }
  order.resize(asked);
  std::ranges::sort(order);  // ties stay in the original order
  std::ranges::stable_sort(order, better);
  order.resize(limit);
}

}  // namespace tunesmith::decode
