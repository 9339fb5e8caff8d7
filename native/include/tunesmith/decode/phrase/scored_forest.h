// The derivations of a phrase search, without features.
#pragma once

#include "tunesmith/decode/phrase/search.h"
#include "tunesmith/decode/phrase/sentence.h"
#include "tunesmith/decode/scored_forest.h"

namespace tunesmith::decode::phrase {

/// A sentence that owns its request.
struct OwnedSentence {
  OwnedSentence(const WeightedModel& model, const DecoderRequest& request, UnknownWords unknown_words,
                int32_t distortion_limit, size_t memory_limit)
      : request(request), sentence(model, this->request, unknown_words, distortion_limit, memory_limit) {}

  DecoderRequest request;
  PhraseSentence sentence;
};

/// The derivations of a search of the sentence that kept the scores of all edges.
ScoredForest scored_forest(const WeightedModel& model, const PhraseSearch& search,
                           std::unique_ptr<OwnedSentence> sentence);

}  // namespace tunesmith::decode::phrase
