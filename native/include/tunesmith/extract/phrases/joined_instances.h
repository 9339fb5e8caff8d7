// The phrase pairs that several alignments of a sentence pair have, each with how many have it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/extract/phrases/extraction.h"

namespace tunesmith::extract::phrases {

struct JoinedInstance {
  PhraseInstance instance;
  uint32_t times;
};

/// Collects the phrase pairs of one sentence pair after the other; reuses its memory.
class JoinedInstances {
 public:
  void clear() { all_.clear(); }
  /// Adds the phrase pairs of an alignment, in the order of PhraseExtractor: one that is there with the same
  /// span, links and orientations counts once more. O(phrase pairs).
  void add(std::span<const PhraseInstance> further);
  std::span<const JoinedInstance> all() const { return all_; }

 private:
  std::vector<JoinedInstance> all_, before_;
};

}  // namespace tunesmith::extract::phrases
