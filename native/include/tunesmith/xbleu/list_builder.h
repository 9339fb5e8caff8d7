// From the forest of a phrase search to a list: its n best strings as events of phrases and orientations.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tunesmith/decode/scored_forest.h"
#include "tunesmith/xbleu/left_out.h"
#include "tunesmith/xbleu/list_file.h"

namespace tunesmith::xbleu {

/// What is stored of the scores of candidates.
struct CandidateScores {
  LeftOutFeatures left_out{};                   // their part of the score is not in it
  const decode::DecoderModel* dense = nullptr;  // with the model of the forest: values of its dense features
};

/// The list of the n best derivations with different strings of a forest whose edges have source spans and
/// rule numbers; without candidates if it has no derivation, none if it exceeds `kMostOfSentence`. Stacks of
/// blocks are those of the decoder (decode/blocks.h): the first word of a block is the first one of the
/// phrase that began it, the last word the last one of the phrase that was added last. The source is that of
/// the forest; the reference is tokenized. The order, and which derivation of a string is taken, are by whole
/// scores. O(edges of the forest + n x (steps + words)).
std::optional<ListDraft> build_list(const decode::ScoredForest& forest, std::string_view source,
                                    std::string_view reference, uint32_t nbest,
                                    const CandidateScores& scores = {});

}  // namespace tunesmith::xbleu
