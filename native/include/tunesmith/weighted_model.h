// A model with weights: what options of source phrases score before they have a place.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "tunesmith/decoder_model.h"

namespace tunesmith {

/// The options of one source phrase, best lead first.
struct OptionList {
  std::vector<Option> options;
  std::vector<float> prepared;
  std::vector<int32_t> words;  // where the table's own do not serve
  std::vector<int32_t> source;
  std::vector<float> scores;  // where the table's own do not serve
  std::vector<FeatureValue> pair_values;
};

/// A model with weights. Options are scored when a sentence first needs them, and kept: threads share them.
class WeightedModel {
 public:
  /// `weights` has one for each of the model's names.
  WeightedModel(std::shared_ptr<const DecoderModel> model, std::vector<float> weights, SparseWeights sparse);

  const DecoderModel& model() const { return *model_; }
  float weight(size_t column) const { return weights_[column]; }
  float weight(Penalty penalty) const {
    const auto column = model_->column(penalty);
    return column ? weights_[*column] : 0;
  }
  template <class Feature>
  FeatureWeights weights(const FeatureColumns<Feature>& feature) const {
    return {std::span(weights_).subspan(feature.first, feature.count), sparse_};
  }
  const SparseWeights& sparse() const { return sparse_; }

  /// The options of the source phrase that ends at a node of a table, at most the table's limit.
  std::shared_ptr<const OptionList> options(size_t table, uint32_t node) const;
  /// The same without the limit and without keeping them.
  std::shared_ptr<const OptionList> all_options(size_t table, uint32_t node) const {
    return score(table, node, 0);
  }
  /// The option that passes an unknown word through, or (without target words) drops it.
  std::shared_ptr<const OptionList> unknown_word(std::span<const int32_t> words, uint32_t phrase,
                                                 const TargetWords& names) const;
  /// Some of the pairs of the source phrase that ends at a node, without keeping them.
  std::shared_ptr<OptionList> options_of(size_t table, uint32_t node, std::span<const uint32_t> pairs) const {
    return score(table, node, pairs, 0);
  }
  /// The option of a translation that the input gives.
  std::shared_ptr<const OptionList> given_phrase(std::span<const int32_t> words, float probability,
                                                 uint32_t phrase, const TargetWords& names) const;
  /// What a pair says of itself without context, unweighted.
  void pair_values(const Option& option, FeatureSink& sink) const;

 private:
  static constexpr size_t kShards = 16;
  static constexpr size_t kKeptOptions = 1 << 13;  // a shard; with some 200 bytes each

  struct Shard {
    std::mutex mutex;
    std::unordered_map<uint64_t, std::shared_ptr<const OptionList>> lists;
    size_t options = 0;
  };

  std::shared_ptr<OptionList> score(size_t table, uint32_t node, size_t limit) const;
  std::shared_ptr<OptionList> score(size_t table, uint32_t node, std::span<const uint32_t> pairs,
                                    size_t limit) const;
  void score_pair(Option& option, const TargetWords& names, std::vector<FeatureValue>& values) const;
  void penalties_and_scores(const Option& option, FeatureSink& sink) const;
  void keep_alone(Option option, OptionList& list, const TargetWords& names) const;

  std::shared_ptr<const DecoderModel> model_;
  std::vector<float> weights_;
  SparseWeights sparse_;
  mutable std::array<Shard, kShards> shards_;
};

}  // namespace tunesmith
