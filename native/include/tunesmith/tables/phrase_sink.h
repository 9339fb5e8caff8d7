// Interface of consumers of scored phrase pairs: extraction and parsers write to tables through it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "tunesmith/corpus/alignment.h"

namespace tunesmith::tables {

/// A score that few pairs have: the number of its name, and any finite value, which is not a probability.
struct SparseScore {
  uint32_t name;
  float value;
};
static_assert(sizeof(SparseScore) == 8);

/// A phrase pair of the current source phrase. The spans are valid during the call only.
struct ScoredPhrase {
  std::span<const int32_t> target;          // word numbers
  std::span<const corpus::Link> alignment;  // relative to the phrases, sorted
  std::span<const float> scores;  // probabilities, not logs: p(f|e) lex(f|e) p(e|f) lex(e|f) in Moses' order
  std::span<const float> reordering;  // probabilities of the reordering models, concatenated; may be empty
  float target_count = 0;
  float source_count = 0;
  float joint_count = 0;
  std::span<const SparseScore> sparse = {};  // each name once
  /// A number of the target phrase, if whoever calls has one: the same for no other. It saves looking the
  /// words up, which in large tables takes most of the time.
  uint32_t target_number = kUnnumbered;

  static constexpr uint32_t kUnnumbered = std::numeric_limits<uint32_t>::max();
};

/// Receives phrase pairs grouped by source phrase, each source phrase once.
class PhraseSink {
 public:
  virtual ~PhraseSink() = default;
  virtual void begin_source(std::span<const int32_t> source) = 0;
  virtual void add(const ScoredPhrase& phrase) = 0;
};

}  // namespace tunesmith::tables
