// Weighted events of phrase pairs: a pair with its links and orientations, and how much it counts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/base/interner.h"
#include "tunesmith/base/name_table.h"
#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/extract/phrases/counting.h"
#include "tunesmith/extract/phrases/extraction.h"
#include "tunesmith/tables/orientation.h"

namespace tunesmith::reestimate {

/// The phrase pairs that derivations use, numbered in order of first use; both sides share one vocabulary.
class UsedPairs {
 public:
  static constexpr uint32_t kUnknown = SequencePool<int32_t>::kUnknown;

  int32_t word(std::string_view text) { return words_.intern(text); }
  uint32_t intern(std::span<const int32_t> source, std::span<const int32_t> target);

  /// Numbers of a phrase, or kUnknown.
  uint32_t find_source(std::span<const int32_t> phrase) const { return sources_.find(phrase); }
  uint32_t find_target(std::span<const int32_t> phrase) const { return targets_.find(phrase); }
  /// The number of a pair of known phrases, or kUnknown.
  uint32_t find_pair(uint32_t source, uint32_t target) const {
    const uint32_t* found = numbers_.find(key(source, target));
    return found == nullptr ? kUnknown : *found;
  }

  size_t size() const { return pairs_.size(); }
  std::span<const int32_t> source(uint32_t pair) const { return sources_[pairs_[pair].source]; }
  std::span<const int32_t> target(uint32_t pair) const { return targets_[pairs_[pair].target]; }
  Texts words() const { return words_.names().view(); }

 private:
  struct Sides {
    uint32_t source, target;
  };
  static uint64_t key(uint32_t source, uint32_t target) { return uint64_t{source} << 32 | target; }

  NameTable words_;
  SequencePool<int32_t> sources_, targets_;
  std::vector<Sides> pairs_;
  FlatMap<uint32_t> numbers_;
};

/// An event of a used pair.
struct PairEvent {
  uint32_t pair;
  extract::phrases::LinkBits links;
  tables::OrientationSet orientations;

  bool operator==(const PairEvent& other) const {
    return pair == other.pair && links == other.links && orientations.bits() == other.orientations.bits();
  }
};

/// Sums of the weights of equal events, as integers: they do not depend on the order of additions.
class PairEvents {
 public:
  void add(const PairEvent& event, uint64_t weight);
  size_t size() const { return weights_.size(); }
  /// Writes a file of phrase counts, in which `unit` stands for one phrase pair.
  void write(const UsedPairs& pairs, uint64_t unit, const std::string& path,
             const extract::phrases::CountingOptions& options) const;

 private:
  Interner<PairEvent> events_;
  std::vector<uint64_t> weights_;
};

}  // namespace tunesmith::reestimate
