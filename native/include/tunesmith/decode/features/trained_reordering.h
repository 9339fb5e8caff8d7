// Linear reordering models in left-to-right decoders: one dense feature per orientation.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tunesmith/decode/features/pair_scores.h"
#include "tunesmith/decode/features/reordering.h"
#include "tunesmith/decode/features/sparse_reordering.h"
#include "tunesmith/weights/mapped.h"

namespace tunesmith::decode::features {

/// The dense form of SparseReorderingFeature, with fixed weights phi of its features (Auli, Galley and Gao
/// 2014). The column of orientation o, `NAME_o`, is the sum of phi over the features whose names end with o.
/// The local part (words at the borders of a phrase, identities) is a row of numbers per pair, read from a
/// side file of its table, or computed from the words if there is none; it is stored with the option. The
/// scores of what is on the stack are stored with the state, those of words between are differences of sums:
/// `lookahead` is exact and costs a few additions.
///
/// Lexicalized reordering models may join it: their columns are the first ones, and one session with one
/// state serves all.
class TrainedReorderingFeature : public StatefulFeature {
 public:
  TrainedReorderingFeature(SparseReorderingParts parts, std::shared_ptr<const weights::MappedWeights> phi);
  TrainedReorderingFeature(const TrainedReorderingFeature&) = delete;  // names view its own texts

  /// Both before it joins a model.
  void join(std::shared_ptr<const ReorderingFeature> lexical) { lexical_.push_back(std::move(lexical)); }
  /// The rows of the local part of the next table of the model; null if it has none. Tables without an entry
  /// have none.
  void add_rows(std::shared_ptr<const PairScores> rows) { rows_.push_back(std::move(rows)); }

  std::vector<std::string> names() const override;
  std::string shown_name() const override { return parts_.name; }
  void attach(const DecoderModel& model) override;
  bool has_lookahead() const override { return true; }
  size_t prepared_size() const override { return local_offset() + width(); }
  float prepare(const Option&, const TargetWords&, const FeatureWeights&, std::span<float>) const override;
  std::unique_ptr<FeatureSession> session(const FeatureWeights& weights, size_t offset) const override;
  /// Not defined in a chart, which has no order in which phrases are translated.
  std::unique_ptr<FeatureSession> chart_session(const FeatureWeights&, size_t) const override {
    return nullptr;
  }

  /// The unweighted scores of the local part by orientation. A phrase that is given by the input lacks those
  /// of its source words, which only the session knows.
  void local(const Option& option, const TargetWords& words, std::span<float> out) const;

  size_t width() const { return names_.orientations(); }
  /// Where the local part begins in the floats of an option, after those of the joined models.
  size_t local_offset() const;
  const SparseReorderingParts& parts() const { return parts_; }
  const OrientedTable& scores() const { return scores_; }
  const SourceLabelSets& source() const { return source_; }
  const TargetLabelSets& target() const { return target_; }
  const std::vector<std::shared_ptr<const ReorderingFeature>>& lexical() const { return lexical_; }

 private:
  void compute_local(const Option& option, const TargetWords& words, std::span<float> out) const;

  SparseReorderingParts parts_;
  std::shared_ptr<const weights::MappedWeights> phi_;
  OrientedNames names_;
  OrientedTable scores_;
  SourceLabelSets source_;
  TargetLabelSets target_;
  PhraseTexts texts_;
  std::vector<std::shared_ptr<const ReorderingFeature>> lexical_;
  std::vector<std::shared_ptr<const PairScores>> rows_;  // by table
};

/// Writes the rows of the local part for the pairs of a table.
void write_local_scores(const SparseReorderingParts& parts, std::shared_ptr<const weights::MappedWeights> phi,
                        const tables::PhraseTable& table, int threads, const std::string& path);

}  // namespace tunesmith::decode::features
