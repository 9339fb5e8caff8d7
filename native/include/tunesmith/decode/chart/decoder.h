// The chart decoder for synchronous grammars: from a sentence or lattice to its translation and its forest.
#pragma once

#include "tunesmith/decode/chart/search.h"
#include "tunesmith/decode/translate_all.h"

namespace tunesmith::decode::chart {

struct ChartDecoderOptions {
  ChartSearchOptions search;
  UnknownWords unknown_words = UnknownWords::kPass;
  bool make_forest = false;
};

/// Rules come from the model's tables (as rules of category X) and grammars, and from the grammars of the
/// request. The input is parsed between sentence markers; the goal is the category S over all of it. Used by
/// one thread; the model must outlive it.
class ChartDecoder : public SentenceDecoder {
 public:
  ChartDecoder(const WeightedModel& model, const ChartDecoderOptions& options)
      : model_(model), options_(options), search_(model, options.search) {}

  Translation translate(const DecoderRequest& request) override;
  ScoredForest scored_forest(const DecoderRequest& request) override;
  void set_poll(std::function<void()> poll) override {
    poll_ = poll;
    search_.set_poll(std::move(poll));
  }

 private:
  const WeightedModel& model_;
  ChartDecoderOptions options_;
  ChartSearch search_;
  std::function<void()> poll_;
};

}  // namespace tunesmith::decode::chart
