// Orientations of the phrases of a whole derivation, and the blocks beside which they stand.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tunesmith/decode/blocks.h"
#include "tunesmith/forest/forest.h"

namespace tunesmith::decode {

/// Orientations of a phrase as numbers of tables::Orientation, or kNoOrientation. Backward ones compare with
/// the block on top of the stack (hierarchical) or the phrase before (phrase), forward ones with what
/// follows, as far as it is known when the next phrase is; the last phrase has none.
struct PhraseOrientation {
  static constexpr uint8_t kNoOrientation = std::numeric_limits<uint8_t>::max();

  uint8_t hierarchical_backward = kNoOrientation;
  uint8_t hierarchical_forward = kNoOrientation;
  uint8_t phrase_backward = kNoOrientation;
  uint8_t phrase_forward = kNoOrientation;
};

/// The block on top of the stack before a phrase; empty, at the begin of both sides, before the first one.
/// -1 if unknown.
struct TopBlock {
  forest::SourceSpan source;
  forest::SourceSpan target;
};

/// Reads orientations off the source and target spans of phrases in target order, with the decoder's own
/// stacks (blocks.h). O(phrases) hash look-ups per derivation, and O(columns) for each forward orientation.
class PhraseOrientations {
 public:
  /// Forgets stacks and coverages, which derivations of one sentence share.
  void clear();
  /// Appends an entry per phrase. All are unknown, and the result is false, unless the source spans are
  /// known, not empty and disjoint.
  bool read(std::span<const forest::SourceSpan> sources, std::span<const forest::SourceSpan> targets,
            std::vector<PhraseOrientation>& orientations, std::vector<TopBlock>& blocks);

 private:
  /// A stack of this derivation, and the target position where its top block begins.
  struct OpenBlock {
    uint32_t stack;
    int32_t target_begin;
  };
  void push(Range range, int32_t target_begin);

  BlockStacks stacks_;
  CoveragePool coverages_;
  std::vector<OpenBlock> open_;     // from the bottom of the stack to its top
  std::vector<uint32_t> coverage_;  // before each phrase
};

}  // namespace tunesmith::decode
