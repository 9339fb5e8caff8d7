// The derivations of a chart search, without features.
#pragma once

#include "tunesmith/decode/chart/search.h"
#include "tunesmith/decode/chart/sentence_chart.h"
#include "tunesmith/decode/scored_forest.h"

namespace tunesmith::decode::chart {

/// A chart that owns its request.
struct OwnedChart {
  OwnedChart(const WeightedModel& model, const DecoderRequest& request, UnknownWords unknown_words,
             const std::function<void()>& poll, size_t memory_limit)
      : request(request), chart(model, this->request, unknown_words, poll, memory_limit) {}

  DecoderRequest request;
  SentenceChart chart;
};

/// The derivations of a search of the chart that kept the scores of all edges.
ScoredForest scored_forest(const WeightedModel& model, const ChartSearch& search,
                           std::unique_ptr<OwnedChart> chart);

}  // namespace tunesmith::decode::chart
