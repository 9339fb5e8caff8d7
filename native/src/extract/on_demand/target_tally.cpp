#include "tunesmith/extract/on_demand/target_tally.h"

#include <algorithm>

#include "tunesmith/base/text.h"
#include "tunesmith/extract/rules/choice.h"

namespace tunesmith::extract::on_demand {

namespace {

uint64_t hash_of(std::span<const grammar::Symbol> target, std::span<const corpus::Link> alignment) {
  uint64_t hash = target.size();
  for (const grammar::Symbol symbol : target) hash = mix(hash, static_cast<uint32_t>(symbol));
  for (const corpus::Link link : alignment)
    hash = mix(hash, uint64_t{static_cast<uint32_t>(link.source)} << 32 | static_cast<uint32_t>(link.target));
  return hash;
}

template <class T>
std::strong_ordering compare(std::span<const T> a, std::span<const T> b) {
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

void TargetTally::add(std::span<const grammar::Symbol> target, std::span<const corpus::Link> alignment) {
  const uint64_t hash = hash_of(target, alignment);
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot] >= 0; slot = (slot + 1) & mask) {
    Entry& entry = entries_[static_cast<size_t>(slots_[slot])];
    if (entry.hash == hash && std::ranges::equal(target_of(entry), target) &&
        std::ranges::equal(links_of(entry), alignment)) {
      ++entry.count;
      return;
    }
  }
  slots_[slot] = static_cast<int32_t>(entries_.size());
  entries_.push_back({hash, symbols_.size(), links_.size(), static_cast<uint32_t>(target.size()),
                      static_cast<uint32_t>(alignment.size()), 1});
  symbols_.insert(symbols_.end(), target.begin(), target.end());
  links_.insert(links_.end(), alignment.begin(), alignment.end());
  if (2 * entries_.size() > slots_.size()) grow();
}

void TargetTally::grow() {
  slots_.assign(2 * slots_.size(), -1);
  const size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < entries_.size(); ++i) {
    size_t slot = entries_[i].hash & mask;
    while (slots_[slot] >= 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<int32_t>(i);
  }
}

void TargetTally::clear() {
  for (const Entry& entry : entries_) {  // cheaper than clearing all slots: most tallies are small
    size_t slot = entry.hash & (slots_.size() - 1);
    while (slots_[slot] >= 0) {
      slots_[slot] = -1;
      slot = (slot + 1) & (slots_.size() - 1);
    }
  }
  symbols_.clear();
  links_.clear();
  entries_.clear();
}

std::vector<TargetTally::Total> TargetTally::totals() const {
  std::vector<const Entry*> order;
  for (const Entry& entry : entries_) order.push_back(&entry);
  std::sort(order.begin(), order.end(), [&](const Entry* a, const Entry* b) {
    if (const auto by_target = compare(target_of(*a), target_of(*b)); by_target != 0) return by_target < 0;
    if (a->count != b->count) return a->count > b->count;
    return rules::after_by_target(links_of(*a), links_of(*b));
  });
  std::vector<Total> totals;
  for (const Entry* entry : order) {
    if (totals.empty() || !std::ranges::equal(totals.back().target, target_of(*entry)))
      totals.push_back({target_of(*entry), links_of(*entry), 0});
    totals.back().count += entry->count;
  }
  std::stable_sort(totals.begin(), totals.end(),
                   [](const Total& a, const Total& b) { return a.count > b.count; });
  return totals;
}

}  // namespace tunesmith::extract::on_demand
