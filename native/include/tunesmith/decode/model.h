// The model of a decoder: phrase tables, grammars, features and their columns.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/decode/distortion.h"
#include "tunesmith/decode/feature.h"
#include "tunesmith/decode/option_facts.h"
#include "tunesmith/decode/target_keys.h"
#include "tunesmith/grammar/use.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::decode {

/// Built-in features; each that a model has is one column.
enum class Penalty {
  kWord,         // -1 per target word
  kPhrase,       // 1 per phrase pair or rule
  kUnknownWord,  // kUnknownWordScore per word that is passed through or dropped
  kDistortion,
  kInput,        // sum of the log values of lattice arcs
  kSourceWord,   // 1 per source word
  kPassThrough,  // 1 per word that is passed through or dropped
  kArity0,       // 1 per rule without gaps
  kArity1,
  kArity2  // the last one
};
inline constexpr size_t kPenalties = static_cast<size_t>(Penalty::kArity2) + 1;
/// Value of an unknown word, as in Moses.
inline constexpr float kUnknownWordScore = -100.0F;

/// Columns of sparse features, assigned in order of appearance. Thread-safe.
class SparseColumns {
 public:
  uint32_t number(const weights::FeatureName& name);
  std::string name(uint32_t number) const;
  uint64_t key(uint32_t number) const;

 private:
  mutable std::mutex mutex_;
  FlatMap<uint32_t> numbers_;  // by key
  std::vector<uint64_t> keys_;
  TextColumn names_;
};

/// A feature and the column of its first value.
template <class Feature>
struct FeatureColumns {
  std::shared_ptr<const Feature> feature;
  size_t first = 0;
  size_t count = 0;
  size_t prepared = 0;  // where its floats begin in Option::prepared
};

/// Columns are in the order in which parts were added. Tables must outlive the model. All tables and grammars
/// share one numbering of target words: those of the first table, followed by words that only others have.
class DecoderModel {
 public:
  DecoderModel();

  struct Table {
    const tables::PhraseTable* table;
    size_t limit;                       // translations per source phrase; 0: no limit
    size_t first;                       // column
    uint32_t first_phrase;              // number of its first target phrase
    uint32_t first_row;                 // number of its first row of reordering probabilities
    std::vector<int32_t> words;         // model numbers of its target words; empty if they are the same
    std::vector<uint32_t> sparse = {};  // numbers of its sparse scores among the model's sparse features
    size_t breadth = 0;                 // the best per source phrase by p(e|f), without weights; 0: all

    /// The pairs of a source phrase within the breadth. Pairs are sorted by p(e|f), so they are the first.
    tables::PairRange pairs(uint32_t node) const;
  };

  /// Its score i is the feature `name`_i, and its sparse score N the sparse feature `name`_N.
  void add_table(const tables::PhraseTable& table, const std::string& name, size_t limit, size_t breadth = 0);
  /// The grammar's features have the columns of their names; missing columns of `dense` are added, and all
  /// other features are sparse. Tables must be added before grammars.
  void add_grammar(std::shared_ptr<const grammar::RuleTrie> trie, const grammar::GrammarLimits& limits,
                   const std::vector<std::string>& own_names, const std::vector<std::string>& dense);
  /// Adds the missing columns for features of rules that come with requests.
  void add_rule_columns(const std::vector<std::string>& names);
  void add_penalty(Penalty penalty, const std::string& name);
  /// What Penalty::kDistortion counts.
  void set_distortion_cost(DistortionCost cost) { distortion_cost_ = cost; }
  /// Adds a column for a named feature of lattice arcs.
  void add_arc_feature(const std::string& name) { add_columns({name}); }
  void add_feature(std::shared_ptr<const StatefulFeature> feature);
  /// Checks that tables have `count` reordering probabilities from column `first` on. A table without any is
  /// used without reordering scores, like unknown words; one with fewer columns is an InputError.
  void require_reordering(size_t first, size_t count);
  void add_pair_feature(std::shared_ptr<const PairFeature> feature);
  void add_placed_feature(std::shared_ptr<const PlacedFeature> feature);
  void add_score_feature(std::shared_ptr<const ScoreFeature> feature);

  const std::vector<std::string>& names() const { return names_; }
  /// Sparse features have the columns after `names`, in arbitrary order.
  uint32_t sparse_column(const weights::FeatureName& name) const {
    return static_cast<uint32_t>(names_.size()) + sparse_->number(name);
  }
  uint32_t sparse_column(std::string_view name) const {
    return sparse_column(weights::FeatureName{{&name, 1}, weights::key_of(name)});
  }
  std::string column_name(uint32_t column) const {
    return column < names_.size() ? names_[column]
                                  : sparse_->name(column - static_cast<uint32_t>(names_.size()));
  }
  /// The key of a sparse feature's column.
  uint64_t column_key(uint32_t column) const {
    return sparse_->key(column - static_cast<uint32_t>(names_.size()));
  }
  /// The column of a score of table or grammar options; none for the name of any other feature.
  std::optional<uint32_t> score_column(std::string_view name) const;
  DistortionCost distortion_cost() const { return distortion_cost_; }
  const std::vector<Table>& tables() const { return tables_; }
  /// The column of a sparse score of a table, by its number in the table.
  uint32_t sparse_score_column(const Table& table, uint32_t score) const {
    return static_cast<uint32_t>(names_.size()) + table.sparse[score];
  }
  const std::vector<grammar::GrammarUse>& grammars() const { return grammars_; }
  /// The categories that decoders need, followed by those of all grammars.
  const NameTable& categories() const { return categories_; }
  static constexpr uint32_t kPhraseCategory = 0;  // X: left-hand side of phrase pairs and unknown words
  static constexpr uint32_t kGoalCategory = 1;    // S: the goal
  /// Maps the words, categories and features of a grammar of one sentence to this model. Words that the model
  /// does not have are numbered by `passed`, after those of the model, and categories by `categories`, which
  /// begin with the model's. Features without a column have no weight.
  grammar::GrammarUse sentence_grammar(std::shared_ptr<const grammar::RuleTrie> trie,
                                       const grammar::GrammarLimits& limits, NameTable& passed,
                                       NameTable& categories) const;
  /// The text of a source word of an option; empty for a gap.
  std::string_view source_word(const Option& option, grammar::Symbol word) const;
  const std::vector<FeatureColumns<StatefulFeature>>& features() const { return features_; }
  const std::vector<FeatureColumns<PairFeature>>& pair_features() const { return pair_features_; }
  const std::vector<FeatureColumns<PlacedFeature>>& placed_features() const { return placed_features_; }
  const std::vector<std::shared_ptr<const ScoreFeature>>& score_features() const { return score_features_; }
  std::optional<size_t> column(Penalty penalty) const { return penalties_[static_cast<size_t>(penalty)]; }
  /// The target words of all tables and grammars.
  Texts words() const;
  /// The number of a target word; NameTable::kUnknown if no table or grammar has it.
  int32_t find_word(std::string_view word) const;
  size_t prepared_size() const { return prepared_; }
  /// The facts of options, which all weights share. The model must not change once they are used.
  const KeptFacts& facts() const { return *facts_; }
  FactColumns fact_columns() const;
  /// The pairs of a source phrase of a table by hashes of their target phrases. Cached.
  std::shared_ptr<const TargetKeys> target_keys(size_t table, uint32_t node) const;
  uint32_t phrase_count() const { return phrases_; }

 private:
  size_t add_columns(const std::vector<std::string>& names);
  uint32_t column_of(const std::string& name) const;
  void resolve_columns();
  void add_phrases(size_t count);
  NameTable& all_words();
  void check_reordering(const tables::PhraseTable& table) const;

  std::vector<std::string> names_;
  std::vector<Table> tables_;
  std::vector<grammar::GrammarUse> grammars_;
  std::vector<std::vector<std::string>> grammar_names_;  // of their features
  NameTable categories_;
  std::vector<FeatureColumns<StatefulFeature>> features_;
  std::vector<FeatureColumns<PairFeature>> pair_features_;
  std::vector<FeatureColumns<PlacedFeature>> placed_features_;
  std::vector<std::shared_ptr<const ScoreFeature>> score_features_;
  std::array<std::optional<size_t>, kPenalties> penalties_;
  std::unique_ptr<NameTable> all_words_;  // null if they are just those of one table
  std::unique_ptr<KeptFacts> facts_ = std::make_unique<KeptFacts>();
  std::unique_ptr<KeptTargetKeys> target_keys_ = std::make_unique<KeptTargetKeys>();
  std::unique_ptr<SparseColumns> sparse_ = std::make_unique<SparseColumns>();
  DistortionCost distortion_cost_ = DistortionCost::kJump;
  size_t prepared_ = 0;
  uint32_t phrases_ = 0;
  uint32_t rows_ = 0;
  size_t reordering_columns_ = 0;  // required of tables
};

}  // namespace tunesmith::decode
