// A model with weights: the context-free scores of translation options.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "tunesmith/base/held_bytes.h"
#include "tunesmith/base/kept_lists.h"
#include "tunesmith/decode/model.h"

namespace tunesmith::decode {

/// The options of one source phrase, or of a source side with one left-hand side; by sort_score, best first.
struct OptionList {
  std::vector<Option> options;
  std::vector<float> prepared;
  std::vector<int32_t> words;  // if the table's own do not serve
  std::vector<int32_t> source;
  std::vector<float> scores;  // if the table's own do not serve
  std::vector<corpus::Link> links;
  std::vector<FeatureValue> pair_values;

  size_t size() const { return options.size(); }
  size_t bytes() const {
    return sizeof(*this) + held_bytes(options) + held_bytes(prepared) + held_bytes(words) +
           held_bytes(source) + held_bytes(scores) + held_bytes(links) + held_bytes(pair_values);
  }
};

/// Sorts options by sort_score, best first; equal ones keep their order.
inline void sort_best_first(std::vector<Option>& options) {
  std::ranges::stable_sort(options,
                           [](const Option& a, const Option& b) { return a.sort_score > b.sort_score; });
}

/// The rules of one source side, by their left-hand side category.
struct RuleLists {
  struct Made {
    uint32_t category;
    OptionList list;
  };
  std::vector<Made> made;

  size_t size() const {
    size_t sum = 1;
    for (const Made& each : made) sum += each.list.size();
    return sum;
  }
  size_t bytes() const {
    size_t sum = sizeof(*this);
    for (const Made& each : made) sum += each.list.bytes();
    return sum;
  }
};

struct OptionDrafts;

/// Options are scored when a sentence first needs them, and cached; threads share the cache.
class WeightedModel {
 public:
  /// `weights` has one weight per name of the model; `sparse` those of all other features, null for none.
  WeightedModel(std::shared_ptr<const DecoderModel> model, std::vector<float> weights,
                std::shared_ptr<const weights::WeightStore> sparse = nullptr);

  /// Weights of all features, dense ones too, by name. Features without a weight have the weight 0.
  WeightedModel(std::shared_ptr<const DecoderModel> model, std::shared_ptr<const weights::WeightStore> store);

  /// Reads weights that were changed in the store: O(dense features). What was scored under old weights is
  /// dropped, unless nothing changed; facts of options stay. No search may be at work.
  void refresh();

  /// Drops the lists of scored options, which are scored again when a sentence needs them.
  void drop_lists();

  const DecoderModel& model() const { return *model_; }
  float weight(size_t column) const { return weights_[column]; }
  float weight(Penalty penalty) const {
    const auto column = model_->column(penalty);
    return column ? weights_[*column] : 0;
  }
  template <class Feature>
  FeatureWeights weights(const FeatureColumns<Feature>& feature) const {
    return {std::span(weights_).subspan(feature.first, feature.count), *sparse_};
  }
  const weights::WeightStore& sparse() const { return *sparse_; }

  /// The options of the source phrase that ends at a trie node of a table, at most the table's limit.
  std::shared_ptr<const OptionList> options(size_t table, uint32_t node) const;
  /// All options of the source phrase, not cached.
  std::shared_ptr<const OptionList> all_options(size_t table, uint32_t node) const {
    return score(table, node, 0);
  }
  /// The rules of a trie node of one of the model's grammars.
  std::shared_ptr<const RuleLists> rules(size_t grammar, uint32_t node) const;
  /// The rules of a trie node of any grammar, not cached.
  std::shared_ptr<const RuleLists> score_rules(const grammar::GrammarUse& use, uint32_t node,
                                               const TargetWords& names) const;
  /// The option that passes an unknown word through, or drops it if there are no target words.
  std::shared_ptr<const OptionList> unknown_word(std::span<const int32_t> words, uint32_t phrase,
                                                 const TargetWords& names) const;
  /// The options of some pairs of the source phrase that ends at a trie node, not cached.
  std::shared_ptr<OptionList> options_of(size_t table, uint32_t node, std::span<const uint32_t> pairs) const {
    return score(table, node, pairs, 0);
  }
  /// The option of a phrase given by the input.
  std::shared_ptr<const OptionList> given_phrase(std::span<const int32_t> words, float probability,
                                                 uint32_t phrase, const TargetWords& names) const;
  /// The unweighted context-free values of an option.
  void pair_values(const Option& option, const TargetWords& names, ModelSink& sink) const;
  /// The weighted sum of the ScoreFeatures of an option.
  float score_of_scores(const Option& option) const;

 private:
  /// An option of facts, scored.
  struct Candidate {
    float score, sort_score;
    uint32_t number;
  };

  void read_weights();
  std::shared_ptr<OptionList> score(size_t table, uint32_t node, size_t limit) const;
  std::shared_ptr<OptionList> score(size_t table, uint32_t node, std::span<const uint32_t> pairs,
                                    size_t limit) const;
  OptionDrafts draft_rules(const grammar::GrammarUse& use, std::span<const grammar::Symbol> source,
                           const grammar::RuleRows& rows) const;
  OptionDrafts draft_pairs(size_t table, std::span<const uint32_t> pairs,
                           std::span<const int32_t> source) const;
  std::shared_ptr<const OptionFacts> table_facts(size_t table, uint32_t node) const;
  std::shared_ptr<const OptionFacts> rule_facts(const grammar::GrammarUse& use, uint32_t node) const;
  void add_facts(const Option& option, std::span<const std::string_view> source, const TargetWords& names,
                 FactSink& sink, OptionFacts& facts) const;
  std::shared_ptr<OptionList> score_facts(size_t table, uint32_t node) const;
  std::shared_ptr<const RuleLists> score_rule_facts(size_t grammar, uint32_t node) const;
  void add_weighted(const Rows<KeyedValue>& rows, std::vector<float>& sums) const;
  std::vector<Candidate> candidates(const OptionFacts& facts) const;
  void keep_likely(std::vector<Candidate>& candidates, size_t limit) const;
  void keep_best(const OptionFacts& facts, std::span<const Candidate> candidates, size_t limit,
                 OptionDrafts& drafts, const TargetWords& names, OptionList& list) const;
  void score_pair(Option& option, std::span<const std::string_view> source, const TargetWords& names,
                  std::vector<FeatureValue>& values) const;
  void expect(Option& option, const TargetWords& names) const;
  float most_expected() const;
  float weight_of(const FeatureValue& value) const;
  float sparse_scores(size_t table, std::span<const tables::SparseScore> scores,
                      std::vector<FeatureValue>& values) const;
  std::vector<std::string_view> source_texts(const Option& option) const;
  void penalties_and_scores(const Option& option, FeatureSink& sink) const;
  void keep_alone(Option option, OptionList& list, const TargetWords& names) const;

  std::shared_ptr<const DecoderModel> model_;
  std::vector<float> weights_;
  std::shared_ptr<const weights::WeightStore> sparse_;
  std::vector<uint64_t> keys_;  // of dense features; empty if their weights are not in the store
  uint64_t version_ = 0;        // of the store
  FactColumns fact_columns_;
  std::vector<float> score_weights_, estimate_weights_;  // by slot
  bool needs_options_ = false;                    // some features can be scored by options only, not by facts
  std::vector<std::vector<float>> table_sparse_;  // weights of the sparse scores of each table
  std::vector<std::unique_ptr<WeightedScores>> scores_;
  KeptLists<OptionList> options_;
  KeptLists<RuleLists> rules_;
};

}  // namespace tunesmith::decode
