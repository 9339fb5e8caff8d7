// The chart decoder: synchronous grammars, from a sentence or lattice to its translation and its forest.
#pragma once

#include "tunesmith/decode/chart/search.h"
#include "tunesmith/decode/option_chart.h"
#include "tunesmith/decode/translate_all.h"

namespace tunesmith::decode::chart {

struct ChartDecoderSettings {
  ChartSettings search;
  UnknownWords unknown_words = UnknownWords::kPass;
  bool make_forest = false;
};

/// Rules come from the model's tables (their pairs make the category X) and grammars, and from those of the
/// request. The input stands between marks of its begin and end; what is found is the category S over all of
/// it. At work on one thread; it must not outlive the model.
class ChartDecoder : public SentenceDecoder {
 public:
  ChartDecoder(const WeightedModel& model, const ChartDecoderSettings& settings)
      : model_(model), settings_(settings), search_(model, settings.search) {}

  Translation translate(const DecoderRequest& request) override;
  void set_poll(std::function<void()> poll) override {
    poll_ = poll;
    search_.set_poll(std::move(poll));
  }

 private:
  const WeightedModel& model_;
  ChartDecoderSettings settings_;
  ChartSearch search_;
  std::function<void()> poll_;
};

}  // namespace tunesmith::decode::chart
