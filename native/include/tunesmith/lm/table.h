// Hash tables of n-grams, one per order, with linear probing, after KenLM (Heafield 2011). Buckets are cache
// lines, so that most probes read one line of memory (ours).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

namespace tunesmith::lm {

/// Natural logs, with two flags in spare bits. A log probability is never positive, so that its sign bit is
/// free: it is cleared if this n-gram is the suffix of a longer one. A zero back-off is -0 if also no longer
/// n-gram begins with this one, so that a state may drop its oldest word.
struct NgramWeights {
  float probability;
  float backoff;
};

constexpr float kForgettable = -0.0F;

inline bool extends_left(float probability) { return !std::signbit(probability); }
inline bool extends_right(float backoff) {
  return std::bit_cast<uint32_t>(backoff) != std::bit_cast<uint32_t>(kForgettable);
}
inline float log_probability(float probability) { return -std::abs(probability); }

/// What a probability of 0 counts as in scores of decoders, log10 -100 as for unknown words of models without
/// `<unk>`: -inf would hide the scores of all other words, and is not a number once multiplied by a weight of
/// 0.
constexpr float kImpossibleScore = static_cast<float>(-100 * std::numbers::ln10);

inline bool impossible(float probability) { return std::isinf(probability); }
inline float finite_log_probability(float probability) {
  return impossible(probability) ? kImpossibleScore : log_probability(probability);
}

/// Hashes are extended from the newest word to the oldest, in the order in which queries extend their match.
/// Files depend on this function, and `unhash` (unhashing.h) inverts it.
constexpr uint64_t kHashFactor = 0x9fb21c651e98df25ULL;
inline uint64_t extend_hash(uint64_t hash, int32_t older) {
  return (std::rotl(hash, 32) ^ (uint64_t{static_cast<uint32_t>(older)} + 1)) * kHashFactor;
}
inline uint64_t hash_word(int32_t word) { return extend_hash(0x2545f4914f6cdd1dULL, word); }

/// Four n-grams of an order between the first and the highest. Slots are filled in order; key 0 is free.
struct alignas(64) MiddleLine {
  using Value = NgramWeights;
  static constexpr size_t kSlots = 4;
  uint64_t keys[kSlots];
  Value values[kSlots];
};

/// Five n-grams of the highest order, which have no back-off and are never extended.
struct alignas(64) LongestLine {
  using Value = float;
  static constexpr size_t kSlots = 5;
  uint64_t keys[kSlots];
  Value values[kSlots];
  uint32_t unused;
};

static_assert(sizeof(MiddleLine) == 64 && sizeof(LongestLine) == 64);

inline uint64_t table_key(uint64_t hash) { return hash == 0 ? 1 : hash; }

/// The line where probing begins: the upper half of the hash, scaled to the number of lines.
inline size_t home_line(uint64_t hash, size_t lines) { return ((hash >> 32) * lines) >> 32; }

/// Read-only table, probed line by line from the home line until a free slot shows that the n-gram is absent.
/// `reach` is the largest distance of an n-gram from its home line; it also bounds probing of damaged tables.
template <class Line>
class NgramTable {
 public:
  using Value = typename Line::Value;

  NgramTable() = default;
  NgramTable(std::span<const Line> lines, uint64_t reach) : lines_(lines), reach_(reach) {}

  void prefetch(uint64_t hash) const { __builtin_prefetch(&lines_[home_line(hash, lines_.size())]); }

  const Value* find(uint64_t hash) const {
    const uint64_t key = table_key(hash);
    size_t at = home_line(hash, lines_.size());
    for (uint64_t probe = 0; probe <= reach_; ++probe) {
      const Line& line = lines_[at];
      unsigned hits = 0;  // compares all slots without branches: which one matches is unpredictable
      for (size_t slot = 0; slot < Line::kSlots; ++slot) hits |= unsigned{line.keys[slot] == key} << slot;
      if (hits != 0) return &line.values[std::countr_zero(hits)];
      if (line.keys[Line::kSlots - 1] == 0) return nullptr;
      if (++at == lines_.size()) at = 0;
    }
    return nullptr;
  }

  /// Calls visit(key, value) for each n-gram, in the order of the table.
  template <class Visit>
  void each(Visit visit) const {
    for (const Line& line : lines_)
      for (size_t slot = 0; slot < Line::kSlots && line.keys[slot] != 0; ++slot)
        visit(line.keys[slot], line.values[slot]);
  }

  size_t bytes() const { return lines_.size_bytes(); }

 private:
  std::span<const Line> lines_;
  uint64_t reach_ = 0;
};

}  // namespace tunesmith::lm
