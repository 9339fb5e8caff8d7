// A model as a decoder uses it: tables, grammars, features and their columns.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tunesmith/decode/feature.h"
#include "tunesmith/grammar/use.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::decode {

/// Features that every model may have; a column each where it has them.
enum class Penalty {
  kWord,         // -1 for a target word
  kPhrase,       // 1 for a phrase pair or rule
  kUnknownWord,  // kUnknownWordScore for a word that is passed through or dropped
  kDistortion,
  kInput,        // the logs of the values of a lattice's arcs
  kSourceWord,   // 1 for a source word
  kPassThrough,  // 1 for a word that is passed through or dropped
  kArity0,       // 1 for a rule without gaps
  kArity1,
  kArity2  // the last one
};
inline constexpr size_t kPenalties = static_cast<size_t>(Penalty::kArity2) + 1;
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

/// Columns are in the order in which parts were added. Tables must outlive the model. All tables and grammars
/// share the target words of the first: words that only others have get numbers after them.
class DecoderModel {
 public:
  DecoderModel();

  struct Table {
    const tables::PhraseTable* table;
    size_t limit;                // translations of a source phrase; 0 is without limit
    size_t first;                // column
    uint32_t first_phrase;       // the number of its first target phrase
    uint32_t first_row;          // the number of its first row of reordering probabilities
    std::vector<int32_t> words;  // its target words in the numbers of the model; empty if they are the same
  };

  void add_table(const tables::PhraseTable& table, const std::string& name, size_t limit);
  /// The grammar's features have the columns of their names; those of `dense` are added where they are not
  /// there yet, and all others are features by name. Tables must be added before grammars.
  void add_grammar(std::shared_ptr<const grammar::RuleTrie> trie, const grammar::GrammarLimits& limits,
                   const std::vector<std::string>& own_names, const std::vector<std::string>& dense);
  /// Columns for features of rules that come with requests, where they are not there yet.
  void add_rule_columns(const std::vector<std::string>& names);
  void add_penalty(Penalty penalty, const std::string& name);
  /// A column for what arcs of lattices say under a name.
  void add_arc_feature(const std::string& name) { add_columns({name}); }
  void add_feature(std::shared_ptr<const StatefulFeature> feature);
  /// Checks that tables have the reordering probabilities [0, columns). A table that has none at all takes
  /// part without reordering scores, as unknown words do; one with fewer columns is an InputError.
  void require_reordering(size_t columns);
  void add_pair_feature(std::shared_ptr<const PairFeature> feature);
  void add_score_feature(std::shared_ptr<const ScoreFeature> feature);

  const std::vector<std::string>& names() const { return names_; }
  /// Features by name have the columns after `names`, in no order that means anything.
  uint32_t sparse_column(std::string_view name) const {
    return static_cast<uint32_t>(names_.size()) + sparse_->number(name);
  }
  std::string column_name(uint32_t column) const {
    return column < names_.size() ? names_[column]
                                  : sparse_->name(column - static_cast<uint32_t>(names_.size()));
  }
  /// The column of a score that options of tables or grammars may have; none if it is the name of anything
  /// else.
  std::optional<uint32_t> score_column(std::string_view name) const;
  const std::vector<Table>& tables() const { return tables_; }
  const std::vector<grammar::GrammarUse>& grammars() const { return grammars_; }
  /// The categories of all grammars, and before them those that decoders need.
  const NameTable& categories() const { return categories_; }
  static constexpr uint32_t kPhraseCategory = 0;  // X: what phrase pairs and unknown words make
  static constexpr uint32_t kGoalCategory = 1;    // S: what a translation is
  /// How a grammar of one sentence is used with this model. Words that the model does not have are numbered
  /// by `passed`, after those of the model, and categories by `categories`, which begin with the model's.
  /// Features that are no columns count nothing.
  grammar::GrammarUse sentence_grammar(std::shared_ptr<const grammar::RuleTrie> trie,
                                       const grammar::GrammarLimits& limits, NameTable& passed,
                                       NameTable& categories) const;
  /// The text of a source word of an option; empty for a gap.
  std::string_view source_word(const Option& option, grammar::Symbol word) const;
  const std::vector<FeatureColumns<StatefulFeature>>& features() const { return features_; }
  const std::vector<FeatureColumns<PairFeature>>& pair_features() const { return pair_features_; }
  const std::vector<std::shared_ptr<const ScoreFeature>>& score_features() const { return score_features_; }
  std::optional<size_t> column(Penalty penalty) const { return penalties_[static_cast<size_t>(penalty)]; }
  /// The target words of all tables and grammars.
  Texts words() const;
  /// The number of a target word; NameTable::kUnknown if no table has it.
  int32_t find_word(std::string_view word) const;
  size_t prepared_size() const { return prepared_; }
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
  std::vector<std::shared_ptr<const ScoreFeature>> score_features_;
  std::array<std::optional<size_t>, kPenalties> penalties_;
  std::unique_ptr<NameTable> all_words_;  // where they are not just those of one table
  std::unique_ptr<SparseColumns> sparse_ = std::make_unique<SparseColumns>();
  size_t prepared_ = 0;
  uint32_t phrases_ = 0;
  uint32_t rows_ = 0;
  size_t reordering_columns_ = 0;  // that tables must have
};

}  // namespace tunesmith::decode
