// Where scored phrase pairs flow: from extraction or a text table, to a mapped table or a text table.
#pragma once

#include <cstdint>
#include <span>

#include "tunesmith/corpus/alignment.h"

namespace tunesmith::tables {

/// A phrase pair of the source phrase that was begun last. The views hold during the call only.
struct ScoredPhrase {
  std::span<const int32_t> target;          // word numbers
  std::span<const corpus::Link> alignment;  // inside of the phrase, sorted
  std::span<const float> scores;  // probabilities, not logs: p(f|e) lex(f|e) p(e|f) lex(e|f) in Moses' order
  std::span<const float>
      reordering;  // probabilities of the reordering models, one after another; may be empty
  float target_count = 0;
  float source_count = 0;
  float joint_count = 0;
};

/// Takes phrase pairs grouped by source phrase; each source phrase comes once.
class PhraseSink {
 public:
  virtual ~PhraseSink() = default;
  virtual void begin_source(std::span<const int32_t> source) = 0;
  virtual void add(const ScoredPhrase& phrase) = 0;
};

}  // namespace tunesmith::tables
