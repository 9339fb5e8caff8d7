// The phrase decoder: from a sentence or lattice to its translation, and to the forest of all that was kept.
#pragma once

#include "tunesmith/decode/phrase/search.h"
#include "tunesmith/decode/translate_all.h"

namespace tunesmith::decode::phrase {

struct DecoderSettings {
  SearchSettings search;
  UnknownWords unknown_words = UnknownWords::kPass;
  bool make_forest = false;
};

/// At work on one thread; it must not outlive the model.
class PhraseDecoder : public SentenceDecoder {
 public:
  PhraseDecoder(const WeightedModel& model, const DecoderSettings& settings)
      : model_(model), settings_(settings), search_(model, settings.search) {}

  Translation translate(const DecoderRequest& request) override;
  void set_poll(std::function<void()> poll) override { search_.set_poll(std::move(poll)); }

 private:
  const WeightedModel& model_;
  DecoderSettings settings_;
  PhraseSearch search_;
};

}  // namespace tunesmith::decode::phrase
