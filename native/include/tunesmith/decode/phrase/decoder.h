// The phrase-based decoder: from a sentence or lattice to its translation and the forest of its search.
#pragma once

#include "tunesmith/decode/phrase/search.h"
#include "tunesmith/decode/translate_all.h"

namespace tunesmith::decode::phrase {

struct PhraseDecoderOptions {
  PhraseSearchOptions search;
  UnknownWords unknown_words = UnknownWords::kPass;
  bool make_forest = false;
};

/// Used by one thread; the model must outlive it.
class PhraseDecoder : public SentenceDecoder {
 public:
  PhraseDecoder(const WeightedModel& model, const PhraseDecoderOptions& options)
      : model_(model), options_(options), search_(model, options.search) {}

  Translation translate(const DecoderRequest& request) override;
  ScoredForest scored_forest(const DecoderRequest& request) override;
  void set_poll(std::function<void()> poll) override { search_.set_poll(std::move(poll)); }

 private:
  const WeightedModel& model_;
  PhraseDecoderOptions options_;
  PhraseSearch search_;
};

}  // namespace tunesmith::decode::phrase
