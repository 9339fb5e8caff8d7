#include "tunesmith/extract/rules/link_lexicon.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"

namespace tunesmith::extract::rules {

namespace {

uint64_t packed(int32_t source, int32_t target) {
  return uint64_t{static_cast<uint32_t>(source + 1)} << 32 | static_cast<uint32_t>(target + 1);
}

bool is_free(const LinkLexicon::Entry& entry) { return entry.target_given_source == 0; }

}  // namespace

LinkLexicon::LinkLexicon(std::span<const Entry> slots) : slots_(slots) {
  if (!std::has_single_bit(slots.size()))
    throw InputError("the hash table of the lexicon has " + std::to_string(slots.size()) +
                     " slots; expected a power of 2: the file is damaged");
  const auto is_probability = [](float value) { return value >= 0 && value <= 1; };
  for (const Entry& entry : slots)
    if (!is_probability(entry.target_given_source) || !is_probability(entry.source_given_target))
      throw InputError("the lexicon has a probability outside of [0, 1]; the file is damaged");
}

LinkLexicon::Entry LinkLexicon::find(int32_t source, int32_t target) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = mix(0, packed(source, target)) & mask;
  // A damaged table may have no free slot: probe each slot at most once.
  for (size_t probes = 0; probes <= mask && !is_free(slots_[slot]); ++probes, slot = (slot + 1) & mask)
    if (slots_[slot].source == source && slots_[slot].target == target) return slots_[slot];
  return {source, target, 0, 0};
}

LinkLexicon::Costs LinkLexicon::best_costs(std::span<const grammar::Symbol> source,
                                           std::span<const grammar::Symbol> target) const {
  const auto cost = [](float probability) {
    return probability > 0 ? -std::log10(static_cast<double>(probability)) : kNever;
  };
  std::vector<float> best_of_target(target.size());
  for (size_t t = 0; t < target.size(); ++t)
    if (!grammar::is_gap(target[t])) best_of_target[t] = find(kEmpty, target[t]).target_given_source;
  double source_cost = 0, target_cost = 0;
  for (const grammar::Symbol word : source) {
    if (grammar::is_gap(word)) continue;
    float best = find(word, kEmpty).source_given_target;
    for (size_t t = 0; t < target.size(); ++t) {
      if (grammar::is_gap(target[t])) continue;
      const Entry entry = find(word, target[t]);
      best = std::max(best, entry.source_given_target);
      best_of_target[t] = std::max(best_of_target[t], entry.target_given_source);
    }
    source_cost += cost(best);
  }
  for (size_t t = 0; t < target.size(); ++t)
    if (!grammar::is_gap(target[t])) target_cost += cost(best_of_target[t]);
  return {static_cast<float>(source_cost), static_cast<float>(target_cost)};
}

void LinkCounter::add(std::span<const int32_t> source, std::span<const int32_t> target,
                      std::span<const corpus::Link> links) {
  source_linked_.assign(source.size(), 0);
  target_linked_.assign(target.size(), 0);
  for (const corpus::Link link : links) {
    const auto s = static_cast<size_t>(link.source), t = static_cast<size_t>(link.target);
    pairs_.push_back(packed(source[s], target[t]));
    source_linked_[s] = target_linked_[t] = 1;
  }
  for (size_t s = 0; s < source.size(); ++s)
    if (!source_linked_[s]) pairs_.push_back(packed(source[s], LinkLexicon::kEmpty));
  for (size_t t = 0; t < target.size(); ++t)
    if (!target_linked_[t]) pairs_.push_back(packed(LinkLexicon::kEmpty, target[t]));
}

std::vector<LinkLexicon::Entry> LinkCounter::slots(size_t source_words, size_t target_words) {
  std::vector<uint64_t> pairs = std::move(pairs_);
  std::sort(pairs.begin(), pairs.end());
  std::vector<double> source_total(source_words + 1), target_total(target_words + 1);
  size_t distinct = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    source_total[pairs[i] >> 32] += 1;
    target_total[pairs[i] & 0xffffffff] += 1;
    distinct += i == 0 || pairs[i] != pairs[i - 1];
  }
  std::vector<LinkLexicon::Entry> slots(std::bit_ceil(2 * distinct + 2));
  const size_t mask = slots.size() - 1;
  for (size_t begin = 0; begin < pairs.size();) {
    size_t end = begin + 1;
    while (end < pairs.size() && pairs[end] == pairs[begin]) ++end;
    const auto count = static_cast<double>(end - begin);
    const uint64_t s = pairs[begin] >> 32, t = pairs[begin] & 0xffffffff;
    size_t slot = mix(0, pairs[begin]) & mask;
    while (!is_free(slots[slot])) slot = (slot + 1) & mask;
    slots[slot] = {static_cast<int32_t>(s) - 1, static_cast<int32_t>(t) - 1,
                   static_cast<float>(count / source_total[s]), static_cast<float>(count / target_total[t])};
    begin = end;
  }
  return slots;
}

std::vector<LinkLexicon::Entry> count_link_lexicon(const corpus::Sentences& source,
                                                   const corpus::Sentences& target,
                                                   const corpus::Alignments& alignments, size_t source_words,
                                                   size_t target_words) {
  LinkCounter counter(alignments.links.size());
  for (size_t i = 0; i < source.size(); ++i) counter.add(source[i], target[i], alignments[i]);
  return counter.slots(source_words, target_words);
}

}  // namespace tunesmith::extract::rules
