// From the forest of a phrase search to a pruned forest whose edges have events and matches of n-grams.
#pragma once

#include <optional>
#include <string_view>

#include "tunesmith/decode/scored_forest.h"
#include "tunesmith/xbleu/forest_file.h"

namespace tunesmith::xbleu {

struct ForestLimits {
  double density = 80;     // largest number of edges per source word, by the score of their best derivations
  bool has_blocks = true;  // events know the block on top of the stack; false: their orientation only
};

/// The forest with nodes split by the stack of blocks, its first words and the last word (without
/// `has_blocks`, by the ranges of the stack alone), and by as many of the last words as can belong to a match
/// with the reference; then pruned. Before nodes are split, all but four times as many edges are pruned.
/// Without nodes if there is no derivation; none if it does not fit its numbers: more than 65,535 columns or
/// words of the reference, or phrases of more than 255 words. Events are those of `build_list`.
/// O(edges x states of a node).
std::optional<EventForestDraft> build_event_forest(const decode::ScoredForest& forest,
                                                   std::string_view source, std::string_view reference,
                                                   const ForestLimits& limits);

}  // namespace tunesmith::xbleu
