#include "tunesmith/decode/coverage.h"

#include <algorithm>
#include <bit>

#include "tunesmith/base/text.h"

namespace tunesmith::decode {

namespace {

uint64_t ones(uint32_t count) { return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }

/// Calls body(word, mask) for each word of bits that [begin, end) touches.
template <class Body>
void for_each_word(uint32_t begin, uint32_t end, Body body) {
  for (uint32_t word = begin / 64; word <= (end - 1) / 64; ++word) {
    const uint32_t from = std::max(begin, 64 * word) - 64 * word;
    const uint32_t to = std::min(end, 64 * word + 64) - 64 * word;
    body(word, ones(to) & ~ones(from));
  }
}

}  // namespace

bool Coverage::overlaps(Range range) const {
  if (range.begin < first_gap) return true;
  bool found = false;
  for_each_word(range.begin - first_gap, range.end - first_gap, [&](uint32_t word, uint64_t mask) {
    found = found || (word < bits.size() && (bits[word] & mask) != 0);
  });
  return found;
}

void CoveragePool::clear() {
  sets_.assign(1, {0, 0, 0, 0, kNoNumber});
  bits_.clear();
  first_.clear();
  first_.insert(mix(0, 0), 0);
}

uint32_t CoveragePool::add(uint32_t number, Range range) {
  const Coverage from = (*this)[number];
  const uint32_t begin = range.begin - from.first_gap, end = range.end - from.first_gap;
  scratch_.assign(from.bits.begin(), from.bits.end());
  scratch_.resize(std::max<size_t>(scratch_.size(), (end + 63) / 64));
  for_each_word(begin, end, [&](uint32_t word, uint64_t mask) { scratch_[word] |= mask; });
  uint32_t gap = 0;  // the first column not in the set
  while (gap / 64 < scratch_.size() && scratch_[gap / 64] >> gap % 64 == ones(64 - gap % 64))
    gap = 64 * (gap / 64 + 1);
  if (gap / 64 < scratch_.size())
    gap += static_cast<uint32_t>(std::countr_one(scratch_[gap / 64] >> gap % 64));
  if (gap > 0) {
    for (size_t i = 0; i < scratch_.size(); ++i) {
      const size_t low = i + gap / 64;
      const uint64_t right = low < scratch_.size() ? scratch_[low] : 0;
      const uint64_t left = low + 1 < scratch_.size() ? scratch_[low + 1] : 0;
      scratch_[i] = gap % 64 == 0 ? right : right >> gap % 64 | left << (64 - gap % 64);
    }
  }
  while (!scratch_.empty() && scratch_.back() == 0) scratch_.pop_back();
  return intern(from.first_gap + gap, from.count + range.size());
}

uint32_t CoveragePool::intern(uint32_t first_gap, uint32_t count) {
  uint64_t hash = mix(0, first_gap);
  for (const uint64_t word : scratch_) hash = mix(hash, word);
  const auto fresh = static_cast<uint32_t>(sets_.size());
  auto [first, is_new] = first_.insert(hash, fresh);
  if (!is_new) {
    for (uint32_t at = first; at != kNoNumber; at = sets_[at].next) {
      const Coverage same = (*this)[at];
      if (same.first_gap == first_gap && std::ranges::equal(same.bits, scratch_)) return at;
    }
  }
  sets_.push_back(
      {first_gap, count, bits_.size(), static_cast<uint32_t>(scratch_.size()), is_new ? kNoNumber : first});
  first = fresh;
  bits_.insert(bits_.end(), scratch_.begin(), scratch_.end());
  return fresh;
}

}  // namespace tunesmith::decode
