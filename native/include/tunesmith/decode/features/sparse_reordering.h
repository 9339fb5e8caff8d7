// Sparse reordering features: orientations with words and classes of the phrases that have them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tunesmith/decode/features/oriented_labels.h"
#include "tunesmith/decode/features/phrase_texts.h"
#include "tunesmith/decode/orientation_states.h"

namespace tunesmith::decode::features {

/// What is on top of the stack: nothing, the option before (Moses), or the block that backward orientations
/// compare with (Cherry 2013).
enum class StackWords : uint8_t { kNone, kPrevious, kBlock };

/// The parts of the feature.
struct SparseReorderingParts {
  std::string name;
  tables::OrientationModel model = tables::OrientationModel::kHierarchical;
  tables::OrientationClasses classes = tables::OrientationClasses::kMslr;
  std::vector<std::string> orientations;  // names of the classes
  std::shared_ptr<const LabelSets> source, target;
  bool has_phrase = true;
  StackWords stack = StackWords::kPrevious;
  bool has_between = true;
  bool has_identities = false;
  Whitelist only = nullptr;
};

/// Returns the parts; InputError if they do not fit each other.
SparseReorderingParts checked(SparseReorderingParts parts);

/// Indicators of an orientation and a label, for each label of (after Cherry 2013):
/// - phrase: the first and the last word of both sides of the option, with its backward orientation;
/// - stack: those of the previous option, with its forward orientation; or those of the block on top of the
///   stack, with the backward orientation of the option that follows it;
/// - between: the source words between the two, if the backward orientation is discontinuous (left or right);
/// - identities: the sides of an option and the whole, with its backward orientation, if it comes from a
/// table
///   (Auli, Galley and Gao 2014).
/// Source words are those of the sentence. A lattice has none, but its options have their own source sides,
/// which count for the parts phrase and identities. The first word of a block is that of the option that
/// began it, its last word that of the option that was added last. Scores are cached by set of labels, those
/// of identities with the option, so that `lookahead` is exact and cheap.
class SparseReorderingFeature : public StatefulFeature {
 public:
  explicit SparseReorderingFeature(SparseReorderingParts parts);
  SparseReorderingFeature(const SparseReorderingFeature&) = delete;  // names view its own texts

  std::vector<std::string> names() const override { return {}; }
  std::string shown_name() const override { return parts_.name; }
  void attach(const DecoderModel& model) override;
  bool has_lookahead() const override { return true; }
  /// The scores of identities by orientation.
  size_t prepared_size() const override { return parts_.has_identities ? names_.orientations() : 0; }
  float prepare(const Option&, const TargetWords&, const FeatureWeights&, std::span<float>) const override;
  float most_expected(const FeatureWeights&) const override { return 0; }
  std::unique_ptr<FeatureSession> session(const FeatureWeights& weights, size_t offset) const override;
  /// Not defined in a chart, which has no order in which phrases are translated.
  std::unique_ptr<FeatureSession> chart_session(const FeatureWeights&, size_t) const override {
    return nullptr;
  }

  const SparseReorderingParts& parts() const { return parts_; }
  const OrientedNames& oriented_names() const { return names_; }
  const SourceLabelSets& source() const { return source_; }
  const TargetLabelSets& target() const { return target_; }
  const PhraseTexts& texts() const { return texts_; }

 private:
  SparseReorderingParts parts_;
  OrientedNames names_;
  SourceLabelSets source_;
  TargetLabelSets target_;
  PhraseTexts texts_;
};

}  // namespace tunesmith::decode::features
