// Rules or pairs before the best of them are chosen.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "tunesmith/decode/weighted_model.h"

namespace tunesmith::decode {

/// All options of a source side, and what they view, by their numbers.
struct OptionDrafts {
  /// So many options, with room for so many prepared numbers each.
  OptionDrafts(size_t count, size_t prepared_size);
  OptionDrafts(OptionDrafts&&) = default;  // a copy would view the original

  std::vector<Option> options;
  std::vector<float> prepared;
  Rows<int32_t> words;       // of all options, or none where they need no new numbers
  Rows<corpus::Link> links;  // likewise
  Rows<FeatureValue> values;

  /// Leaves the best options of an order, by their leads, at most `limit` of them. `expect` sets the lead of
  /// an option, which is above its score by at most `most`: it is not asked of those that cannot be among the
  /// best.
  template <class Expect>
  void choose(std::vector<uint32_t>& order, size_t limit, float most, Expect expect);

  /// Copies the chosen options into a list that owns what they view.
  void keep(std::span<const uint32_t> chosen, OptionList& list) const;
};

template <class Expect>
void OptionDrafts::choose(std::vector<uint32_t>& order, size_t limit, float most, Expect expect) {
  const auto by_lead = [&](uint32_t a, uint32_t b) { return options[a].lead > options[b].lead; };
  if (limit == 0 || order.size() <= limit) {
    for (const uint32_t i : order) expect(options[i]);
    std::ranges::stable_sort(order, by_lead);
    return;
  }
  std::ranges::stable_sort(order,
                           [&](uint32_t a, uint32_t b) { return options[a].score > options[b].score; });
  std::vector<float> best;  // leads, the least one first
  size_t asked = 0;
  for (; asked < order.size(); ++asked) {
    Option& option = options[order[asked]];
    if (best.size() == limit && option.score + most < best[0]) break;
    expect(option);
    best.push_back(option.lead);
    std::ranges::push_heap(best, std::greater{});
    if (best.size() <= limit) continue;
    std::ranges::pop_heap(best, std::greater{});
    best.pop_back();
  }
  order.resize(asked);
  std::ranges::sort(order);  // equal leads stay in the order in which they came
  std::ranges::stable_sort(order, by_lead);
  order.resize(limit);
}

}  // namespace tunesmith::decode
