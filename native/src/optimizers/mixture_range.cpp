#include "tunesmith/optimizers/mixture_range.h"

#include <algorithm>

namespace tunesmith::optimizers {

std::optional<uint32_t> MixtureRange::add_start(std::span<const SourceEntry> entries) {
  for (const SourceEntry& entry : entries) {
    MixtureColumn* sums = place(entry, 0);
    if (sums == nullptr) return entry.number;
    sums->start = entry.weight;
  }
  return std::nullopt;
}

std::optional<uint32_t> MixtureRange::add(std::span<const SourceEntry> entries, uint32_t source,
                                          double share) {
  for (const SourceEntry& entry : entries) {
    MixtureColumn* sums = place(entry, source);
    if (sums == nullptr) return entry.number;
    sums->last += share * entry.weight;
    sums->average += share * entry.average;
    sums->squares += entry.weight * entry.weight;
    const bool is_changed = entry.weight != sums->start;
    sums->changed += is_changed;
    if (is_changed) sums->changed_share += share;
  }
  return std::nullopt;
}

MixtureColumn* MixtureRange::place(const SourceEntry& entry, uint32_t source) {
  if (source != source_) {
    source_ = source;
    next_ = 0;
  }
  const size_t before = size_;
  const bool follows = next_ < size_ && column(next_).key == entry.key;
  const size_t found = follows ? next_ : find_or_add(entry, source);
  next_ = found + 1;
  MixtureColumn& sums = column(found);
  if (found < before && sums.newest == source) return nullptr;
  sums.newest = source;
  return &sums;
}

size_t MixtureRange::find_or_add(const SourceEntry& entry, uint32_t source) {
  if (2 * (size_ + 1) > slots_.size()) grow();
  const size_t mask = slots_.size() - 1;
  size_t at = entry.key & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask)
    if (column(slots_[at] - 1).key == entry.key) return slots_[at] - 1;
  if (size_ == chunks_.size() * kChunk) chunks_.push_back(std::make_unique<MixtureColumn[]>(kChunk));
  MixtureColumn& added = column(size_);
  added.key = entry.key;
  added.first = uint64_t{source} << 32 | entry.number;
  name_bytes_ += entry.name_bytes;
  slots_[at] = static_cast<uint32_t>(++size_);
  return size_ - 1;
}

void MixtureRange::grow() {
  const size_t slots = std::max<size_t>(64, 2 * slots_.size());
  slots_ = std::vector<uint32_t>();  // freed before the new ones are there
  slots_.resize(slots);
  const size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < size_; ++i) {
    size_t at = column(i).key & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = static_cast<uint32_t>(i + 1);
  }
}

}  // namespace tunesmith::optimizers
