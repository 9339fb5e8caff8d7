// Lexicalized reordering in left-to-right decoders.
#pragma once

#include "tunesmith/decode/feature.h"
#include "tunesmith/tables/reordering.h"

namespace tunesmith::decode::features {

/// log p(orientation | phrase pair), backward and forward, in the columns of the reordering model. The
/// orientation of an option is relative to:
/// - word and phrase models: the option before it (Koehn et al. 2005);
/// - hierarchical, backward: the top block of a shift-reduce stack of everything translated; exact (Galley
///   and Manning 2008);
/// - hierarchical, forward: the block that follows, which is not known yet. An option is monotone if the next
///   option lies to its right and the word at its right border is the first of the next option or not yet
///   translated, so that it may become one block; swap is the mirror image. This is Moses' approximation,
///   delayed by one option; the last option of a sentence has no forward event.
/// The first option is compared with an empty block before the sentence. Unknown words have no scores.
class ReorderingFeature : public StatefulFeature {
 public:
  /// `first_column` is where its probabilities begin in `Option::reordering`.
  ReorderingFeature(const tables::ReorderingModel& model, std::string name, size_t first_column);

  std::vector<std::string> names() const override;
  bool has_lookahead() const override { return true; }
  size_t prepared_size() const override { return static_cast<size_t>(tables::column_count(model_)); }
  float prepare(const Option&, const TargetWords&, const FeatureWeights&, std::span<float>) const override;
  std::unique_ptr<FeatureSession> session(const FeatureWeights&, size_t offset) const override;
  /// Not defined in a chart, which has no order in which phrases are translated.
  std::unique_ptr<FeatureSession> chart_session(const FeatureWeights&, size_t) const override {
    return nullptr;
  }

  const tables::ReorderingModel& model() const { return model_; }
  size_t first_column() const { return first_column_; }

 private:
  tables::ReorderingModel model_;
  std::string name_;
  size_t first_column_;
};

}  // namespace tunesmith::decode::features
