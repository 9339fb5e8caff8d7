#include "tunesmith/decode/model.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::decode {

uint32_t SparseColumns::number(const weights::FeatureName& name) {
  const std::scoped_lock lock(mutex_);
  const auto [number, is_new] = numbers_.insert(name.key, static_cast<uint32_t>(keys_.size()));
  if (is_new) {
    keys_.push_back(name.key);
    names_.add(name.text());
  }
  return number;
}

uint64_t SparseColumns::key(uint32_t number) const {
  const std::scoped_lock lock(mutex_);
  return keys_[number];
}

std::string SparseColumns::name(uint32_t number) const {
  const std::scoped_lock lock(mutex_);
  return std::string(names_[number]);
}

DecoderModel::DecoderModel() {
  for (const char* name : {"X", "S"}) categories_.intern(name);
}

size_t DecoderModel::add_columns(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    for (const std::string& other : names_)
      if (name == other) throw InputError("two features have the name " + quoted(name));
  const size_t first = names_.size();
  names_.insert(names_.end(), names.begin(), names.end());
  resolve_columns();
  return first;
}

/// Recomputes the columns of the grammars' features: sparse columns come after all others.
void DecoderModel::resolve_columns() {
  for (size_t i = 0; i < grammars_.size(); ++i) {
    grammars_[i].columns.clear();
    for (const std::string& name : grammar_names_[i]) grammars_[i].columns.push_back(column_of(name));
  }
}

void DecoderModel::add_phrases(size_t count) {
  if (count >= kNoNumber - phrases_)
    throw InputError("the tables and grammars of the model have 2^32 target sides or more; expected fewer");
  phrases_ += static_cast<uint32_t>(count);
}

NameTable& DecoderModel::all_words() {
  if (all_words_) return *all_words_;
  all_words_ = std::make_unique<NameTable>();
  if (!tables_.empty()) {
    const Texts& first = tables_[0].table->target_words().words();
    for (size_t i = 0; i < first.size(); ++i) all_words_->intern(first[i]);
  }
  return *all_words_;
}

void DecoderModel::add_table(const tables::PhraseTable& table, const std::string& name, size_t limit,
                             size_t breadth) {
  if (!grammars_.empty()) throw InputError("tables must be added before grammars");
  std::vector<std::string> names;
  for (size_t i = 0; i < table.score_count(); ++i) names.push_back(name + "_" + std::to_string(i));
  check_reordering(table);
  const Texts sparse = table.sparse_names().words();
  for (size_t i = 0; i < sparse.size(); ++i)
    if (const std::string own = name + "_" + std::string(sparse[i]);
        std::ranges::find(names, own) != names.end())
      throw InputError(table.path() + ": its sparse score " + quoted(sparse[i]) +
                       " has the name of one of its other scores, " + quoted(own));
  if (table.reordering_rows() >= kNoNumber - rows_)
    throw InputError("the tables of the model have 2^32 rows of reordering probabilities or more");
  Table added{&table, limit, add_columns(names), phrases_, rows_, {}};
  added.breadth = breadth;
  for (size_t i = 0; i < sparse.size(); ++i)
    added.sparse.push_back(sparse_column(name + "_" + std::string(sparse[i])) -
                           static_cast<uint32_t>(names_.size()));
  add_phrases(table.target_count());
  rows_ += static_cast<uint32_t>(table.reordering_rows());
  if (!tables_.empty()) {
    const Texts& words = table.target_words().words();
    for (size_t i = 0; i < words.size(); ++i) added.words.push_back(all_words().intern(words[i]));
  }
  tables_.push_back(std::move(added));
}

tables::PairRange DecoderModel::Table::pairs(uint32_t node) const {
  tables::PairRange range = table->pairs(node);
  if (breadth > 0 && range.size() > breadth) range.end = range.begin + static_cast<uint32_t>(breadth);
  return range;
}

std::shared_ptr<const TargetKeys> DecoderModel::target_keys(size_t table, uint32_t node) const {
  const Table& use = tables_[table];
  return target_keys_->get(uint64_t{table} << 32 | node, [&] {
    return std::make_shared<const TargetKeys>(*use.table, use.pairs(node), use.words);
  });
}

FactColumns DecoderModel::fact_columns() const {
  std::vector<char> is_stateful(names_.size()), is_estimated(names_.size());
  for (const auto& [feature, first, count, prepared] : features_)
    for (size_t i = first; i < first + count; ++i) {
      is_stateful[i] = 1;
      is_estimated[i] = feature->has_estimate_values();
    }
  FactColumns columns;
  columns.score_slots.assign(names_.size(), kNoNumber);
  columns.estimate_slots.assign(names_.size(), kNoNumber);
  const auto add = [](uint32_t column, std::vector<uint32_t>& list, std::vector<uint32_t>& slots) {
    slots[column] = static_cast<uint32_t>(list.size());
    list.push_back(column);
  };
  for (uint32_t i = 0; i < names_.size(); ++i) {
    if (!is_stateful[i]) add(i, columns.scores, columns.score_slots);
    if (is_estimated[i]) add(i, columns.estimates, columns.estimate_slots);
  }
  return columns;
}

uint32_t DecoderModel::column_of(const std::string& name) const {
  const auto found = std::ranges::find(names_, name);
  return found == names_.end() ? sparse_column(name) : static_cast<uint32_t>(found - names_.begin());
}

void DecoderModel::add_grammar(std::shared_ptr<const grammar::RuleTrie> trie,
                               const grammar::GrammarLimits& limits,
                               const std::vector<std::string>& own_names,
                               const std::vector<std::string>& dense) {
  const std::vector<std::string>& names = own_names.empty() ? trie->feature_names() : own_names;
  if (names.size() != trie->feature_names().size())
    throw InputError("a grammar has " + std::to_string(trie->feature_names().size()) + " features and " +
                     std::to_string(names.size()) + " names of them");
  add_rule_columns(dense);
  grammar::GrammarUse use;
  use.trie = std::move(trie);
  use.limits = limits;
  use.first_rule = static_cast<int64_t>(tables_.size() + grammars_.size()) << 32;
  use.first_phrase = phrases_;
  add_phrases(use.trie->rule_count());
  const Texts words = use.trie->target_words();
  for (size_t i = 0; i < words.size(); ++i) use.words.push_back(all_words().intern(words[i]));
  for (const std::string& category : use.trie->categories())
    use.categories.push_back(static_cast<uint32_t>(categories_.intern(category)));
  if (limits.breadth > 0) use.direct_column();  // an early error if there is none
  grammars_.push_back(std::move(use));
  grammar_names_.push_back(names);
  resolve_columns();
}

void DecoderModel::add_rule_columns(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (std::ranges::find(names_, name) == names_.end()) add_columns({name});
}

grammar::GrammarUse DecoderModel::sentence_grammar(std::shared_ptr<const grammar::RuleTrie> trie,
                                                   const grammar::GrammarLimits& limits, NameTable& passed,
                                                   NameTable& categories) const {
  grammar::GrammarUse use;
  const auto known = static_cast<int32_t>(this->words().size());
  const Texts words = trie->target_words();
  for (size_t i = 0; i < words.size(); ++i) {
    const int32_t found = find_word(words[i]);
    use.words.push_back(found != NameTable::kUnknown ? found : known + passed.intern(words[i]));
  }
  for (const std::string& name : trie->feature_names()) {
    const auto column = std::ranges::find(names_, name);  // others have no weight
    use.columns.push_back(column == names_.end() ? kNoNumber
                                                 : static_cast<uint32_t>(column - names_.begin()));
  }
  for (const std::string& category : trie->categories())
    use.categories.push_back(static_cast<uint32_t>(categories.intern(category)));
  use.trie = std::move(trie);
  use.limits = limits;
  if (limits.breadth > 0) use.direct_column();
  return use;
}

std::string_view DecoderModel::source_word(const Option& option, grammar::Symbol word) const {
  if (grammar::is_gap(word)) return {};
  if (option.grammar != nullptr) return option.grammar->source_word(word);
  return tables_.at(static_cast<size_t>(option.rule >> 32)).table->source_words().word(word);
}

Texts DecoderModel::words() const {
  if (all_words_) return all_words_->names().view();
  return tables_.empty() ? Texts() : tables_[0].table->target_words().words();
}

int32_t DecoderModel::find_word(std::string_view word) const {
  if (all_words_) return all_words_->find(word);
  return tables_.empty() ? NameTable::kUnknown : tables_[0].table->target_words().find(word);
}

void DecoderModel::add_penalty(Penalty penalty, const std::string& name) {
  auto& column = penalties_[static_cast<size_t>(penalty)];
  if (column) throw InputError("the model has two penalties of one kind: " + quoted(name));
  column = add_columns({name});
}

void DecoderModel::add_feature(std::shared_ptr<const StatefulFeature> feature) {
  const auto names = feature->names();
  const size_t first = add_columns(names), size = feature->prepared_size();
  features_.push_back({std::move(feature), first, names.size(), prepared_});
  prepared_ += size;
}

void DecoderModel::require_reordering(size_t first, size_t count) {
  constexpr size_t kMost = tables::PhraseTable::kMostScores;
  if (count > kMost || first > kMost - count)  // a sum of both might overflow
    throw InputError("a reordering model has " + std::to_string(count) + " probabilities from column " +
                     std::to_string(first) + " on; a phrase table has at most " + std::to_string(kMost));
  reordering_columns_ = std::max(reordering_columns_, first + count);
  for (const Table& use : tables_) check_reordering(*use.table);
}

void DecoderModel::check_reordering(const tables::PhraseTable& table) const {
  if (table.reordering_count() > 0 && table.reordering_count() < reordering_columns_)
    throw InputError(table.path() + ": has " + std::to_string(table.reordering_count()) +
                     " reordering probabilities per pair; the model's reordering needs " +
                     std::to_string(reordering_columns_));
}

void DecoderModel::add_pair_feature(std::shared_ptr<const PairFeature> feature) {
  const auto names = feature->names();
  const size_t first = add_columns(names);
  pair_features_.push_back({std::move(feature), first, names.size(), 0});
}

void DecoderModel::add_placed_feature(std::shared_ptr<const PlacedFeature> feature) {
  const auto names = feature->names();
  const size_t first = add_columns(names);
  placed_features_.push_back({std::move(feature), first, names.size(), 0});
}

void DecoderModel::add_score_feature(std::shared_ptr<const ScoreFeature> feature) {
  score_features_.push_back(std::move(feature));
}

std::optional<uint32_t> DecoderModel::score_column(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) {  // grammars may have features by name
    const bool is_known = std::ranges::any_of(
        grammar_names_, [&](const auto& names) { return std::ranges::find(names, name) != names.end(); });
    return is_known ? std::optional(sparse_column(name)) : std::nullopt;
  }
  const auto column = static_cast<size_t>(found - names_.begin());
  const auto has_it = [&](const auto& part) {
    return column >= part.first && column < part.first + part.count;
  };
  const bool is_other = std::ranges::find(penalties_, std::optional(column)) != penalties_.end() ||
                        std::ranges::any_of(features_, has_it) ||
                        std::ranges::any_of(pair_features_, has_it) ||
                        std::ranges::any_of(placed_features_, has_it);
  return is_other ? std::nullopt : std::optional(static_cast<uint32_t>(column));
}

}  // namespace tunesmith::decode
