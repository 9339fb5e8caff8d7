// A phrase model as a decoder uses it: tables, features and their columns; and the same with weights.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tunesmith/decoder_feature.h"
#include "tunesmith/phrase_table.h"

namespace tunesmith {

/// Features that every phrase model may have; a column each where it has them.
enum class Penalty { kWord, kPhrase, kUnknownWord, kDistortion, kInput };
inline constexpr size_t kPenalties = 5;
/// What an unknown word counts, as Moses has it.
inline constexpr float kUnknownWordScore = -100.0F;

/// Columns for features by name, given out as names turn up. Threads may share it.
class SparseColumns {
 public:
  uint32_t number(std::string_view name);
  std::string name(uint32_t number) const;

 private:
  mutable std::mutex mutex_;
  NameTable names_;
};

/// A feature and the column of its first value.
template <class Feature>
struct FeatureColumns {
  std::shared_ptr<const Feature> feature;
  size_t first = 0;
  size_t count = 0;
  size_t prepared = 0;  // where its numbers begin in Option::prepared
};

/// Columns are in the order in which parts were added. Tables must outlive the model. All tables share the
/// target words of the first: words that only others have get numbers after them.
class PhraseModel {
 public:
  struct Table {
    const PhraseTable* table;
    size_t limit;                // translations of a source phrase; 0 is without limit
    size_t first;                // column
    uint32_t first_phrase;       // the number of its first target phrase
    std::vector<int32_t> words;  // its target words in the numbers of the model; empty if they are the same
  };

  void add_table(const PhraseTable& table, const std::string& name, size_t limit);
  void add_penalty(Penalty penalty, const std::string& name);
  void add_feature(std::shared_ptr<const StatefulFeature> feature);
  void add_pair_feature(std::shared_ptr<const PairFeature> feature);

  const std::vector<std::string>& names() const { return names_; }
  /// Features by name have the columns after `names`, in no order that means anything.
  uint32_t sparse_column(std::string_view name) const {
    return static_cast<uint32_t>(names_.size()) + sparse_->number(name);
  }
  std::string column_name(uint32_t column) const {
    return column < names_.size() ? names_[column]
                                  : sparse_->name(column - static_cast<uint32_t>(names_.size()));
  }
  const std::vector<Table>& tables() const { return tables_; }
  const std::vector<FeatureColumns<StatefulFeature>>& features() const { return features_; }
  const std::vector<FeatureColumns<PairFeature>>& pair_features() const { return pair_features_; }
  std::optional<size_t> column(Penalty penalty) const { return penalties_[static_cast<size_t>(penalty)]; }
  /// The target words of all tables.
  Texts words() const;
  /// The number of a target word; NameTable::kUnknown if no table has it.
  int32_t find_word(std::string_view word) const;
  size_t prepared_size() const { return prepared_; }
  uint32_t phrase_count() const { return phrases_; }

 private:
  size_t add_columns(const std::vector<std::string>& names);

  std::vector<std::string> names_;
  std::vector<Table> tables_;
  std::vector<FeatureColumns<StatefulFeature>> features_;
  std::vector<FeatureColumns<PairFeature>> pair_features_;
  std::array<std::optional<size_t>, kPenalties> penalties_;
  std::unique_ptr<NameTable> all_words_;  // where there are several tables
  std::unique_ptr<SparseColumns> sparse_ = std::make_unique<SparseColumns>();
  size_t prepared_ = 0;
  uint32_t phrases_ = 0;
};

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
  WeightedModel(std::shared_ptr<const PhraseModel> model, std::vector<float> weights, SparseWeights sparse);

  const PhraseModel& model() const { return *model_; }
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
  void finish(OptionList& list, const TargetWords& names) const;
  float lead(const Option& option, const TargetWords& names) const;

  std::shared_ptr<const PhraseModel> model_;
  std::vector<float> weights_;
  SparseWeights sparse_;
  mutable std::array<Shard, kShards> shards_;
};

}  // namespace tunesmith
