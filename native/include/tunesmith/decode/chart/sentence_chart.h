// The chart of one request: all derivations of its input, before features with context are scored.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "tunesmith/decode/chart/parser.h"
#include "tunesmith/decode/translation.h"

namespace tunesmith::decode::chart {

/// The chart of a request, and the objects that it views. The model and the request must outlive it.
class SentenceChart {
 public:
  SentenceChart(const WeightedModel& model, const DecoderRequest& request, UnknownWords unknown,
                const std::function<void()>& poll, size_t memory_limit = 0);
  SentenceChart(const SentenceChart&) = delete;  // its parts view each other
  SentenceChart& operator=(const SentenceChart&) = delete;

  const RuleChart& chart() const { return chart_; }
  /// The input between its sentence markers.
  const corpus::WordLattice& input() const { return input_; }
  std::string_view category(uint32_t number) const { return categories_[static_cast<int32_t>(number)]; }

 private:
  void add_sources(const DecoderRequest& request);
  bool is_known(const corpus::LatticeArc& arc) const;
  void add_unknown_words(UnknownWords unknown, ChartParser& parser) const;

  const WeightedModel& model_;
  corpus::WordLattice input_;
  NameTable passed_;      // words that the model does not have
  NameTable categories_;  // the model's, followed by those of the request's grammars
  TargetWords words_;
  std::vector<std::string_view> source_;
  std::vector<grammar::GrammarUse> uses_;  // of the request's grammars
  std::vector<std::unique_ptr<RuleSource>> sources_;
  std::vector<std::vector<float>> arc_scores_;
  RuleChart chart_;
};

}  // namespace tunesmith::decode::chart
