// Sparse features of target bigrams that join two phrases or rules.
#pragma once

#include "tunesmith/decode/features/lexical_pairs.h"

namespace tunesmith::decode::features {

/// `NAME_a_b`: the number of adjacent words a b that come from different rules, with <s> before the first
/// word and </s> after the last. Its state is the last word; in a chart, the first and the last word. Scores
/// are cached per pair of words, so that `lookahead` is exact and cheap.
class CrossingBigramFeature : public StatefulFeature {
 public:
  explicit CrossingBigramFeature(LexicalParts parts)
      : prefix_text_(parts.name + "_"),
        prefix_(prefix_text_),
        labels_(std::move(parts.target)),
        only_(std::move(parts.only)) {}
  CrossingBigramFeature(const CrossingBigramFeature&) = delete;  // labels view its own text

  std::vector<std::string> names() const override { return {}; }
  void attach(const DecoderModel& model) override;
  bool has_lookahead() const override { return true; }
  float most_expected(const FeatureWeights&) const override { return 0; }
  std::unique_ptr<FeatureSession> session(const FeatureWeights& weights, size_t offset) const override;
  std::unique_ptr<FeatureSession> chart_session(const FeatureWeights& weights, size_t offset) const override;

  const Label& prefix() const { return prefix_; }
  const TargetLabels& labels() const { return labels_; }
  const Whitelist& only() const { return only_; }

 private:
  std::string prefix_text_;
  Label prefix_;
  TargetLabels labels_;
  Whitelist only_;
};

}  // namespace tunesmith::decode::features
