// The k best translations of a phrase search.
#pragma once

#include "tunesmith/decode/kbest.h"
#include "tunesmith/decode/phrase/search.h"
#include "tunesmith/decode/phrase/sentence.h"

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
Kbest search_kbest(const WeightedModel& model, const PhraseSearch& search,
                   std::unique_ptr<OwnedSentence> sentence, const forest::KbestOptions& options);

}  // namespace tunesmith::decode::phrase
