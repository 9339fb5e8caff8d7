// Keeps hypotheses apart whose last words differ; in a chart, pieces whose first or last words differ.
#pragma once

#include "tunesmith/decode/feature.h"

namespace tunesmith::decode::features {

/// No columns and no score: its state is the last `size` target words (all of them, where there are fewer).
/// In a chart it is the first and the last `size` words of a piece; a piece that begins the sentence has
/// nothing before it, so only its last words count. With it every node of a forest has one context of so many
/// words, so that the counts of n-grams with one word more are local to edges, whatever the language model
/// remembers.
class ContextFeature : public StatefulFeature {
 public:
  explicit ContextFeature(size_t size) : size_(size) {}

  std::vector<std::string> names() const override { return {}; }
  /// Its score is always known: states are made only for hypotheses that are kept.
  bool foresees() const override { return true; }
  float most_expected(const FeatureWeights&) const override { return 0; }
  std::unique_ptr<FeatureSession> session(const FeatureWeights&, size_t offset) const override;
  std::unique_ptr<FeatureSession> chart_session(const FeatureWeights&, size_t offset) const override;

 private:
  size_t size_;
};

}  // namespace tunesmith::decode::features
