// Keeps apart hypotheses whose last n words differ; in a chart, also those whose first n words differ.
#pragma once

#include "tunesmith/decode/feature.h"

namespace tunesmith::decode::features {

/// No columns and no score: its state is the last `size` target words (all, if there are fewer). In a chart
/// it is the first and the last `size` words of a sub-derivation; if this begins the sentence, nothing can
/// precede it, and only its last words count. So every node of a forest has one context of `size` words, and
/// counts of (size + 1)-grams are local to edges, whatever the state of the language model.
class ContextFeature : public StatefulFeature {
 public:
  explicit ContextFeature(size_t size) : size_(size) {}

  std::vector<std::string> names() const override { return {}; }
  /// Its score is always 0, so states are made only for hypotheses that are kept.
  bool has_lookahead() const override { return true; }
  float most_expected(const FeatureWeights&) const override { return 0; }
  std::unique_ptr<FeatureSession> session(const FeatureWeights&, size_t offset) const override;
  std::unique_ptr<FeatureSession> chart_session(const FeatureWeights&, size_t offset) const override;

 private:
  size_t size_;
};

}  // namespace tunesmith::decode::features
