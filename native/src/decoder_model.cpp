#include "tunesmith/decoder_model.h"

#include <algorithm>

#include "tunesmith/errors.h"
#include "tunesmith/quote.h"
#include "tunesmith/reordering_feature.h"

namespace tunesmith {

uint32_t SparseColumns::number(std::string_view name) {
  const std::scoped_lock lock(mutex_);
  return static_cast<uint32_t>(names_.intern(name));
}

std::string SparseColumns::name(uint32_t number) const {
  const std::scoped_lock lock(mutex_);
  return std::string(names_[static_cast<int32_t>(number)]);
}

size_t DecoderModel::add_columns(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    for (const std::string& other : names_)
      if (name == other) throw InputError("two features have the name " + quoted(name));
  const size_t first = names_.size();
  names_.insert(names_.end(), names.begin(), names.end());
  return first;
}

void DecoderModel::add_table(const PhraseTable& table, const std::string& name, size_t limit) {
  std::vector<std::string> names;
  for (size_t i = 0; i < table.score_count(); ++i) names.push_back(name + "_" + std::to_string(i));
  check_reordering(table);
  Table added{&table, limit, add_columns(names), phrases_, rows_, {}};
  phrases_ += static_cast<uint32_t>(table.target_count());
  rows_ += static_cast<uint32_t>(table.reordering_rows());
  if (!tables_.empty()) {
    if (!all_words_) {
      all_words_ = std::make_unique<NameTable>();
      const Texts& first = tables_[0].table->target_words().words();
      for (size_t i = 0; i < first.size(); ++i) all_words_->intern(first[i]);
    }
    const Texts& words = table.target_words().words();
    for (size_t i = 0; i < words.size(); ++i) added.words.push_back(all_words_->intern(words[i]));
  }
  tables_.push_back(std::move(added));
}

std::string_view DecoderModel::source_word(const Option& option, Symbol word) const {
  if (is_gap(word)) return {};
  return tables_.at(static_cast<size_t>(option.rule >> 32)).table->source_words().word(word);
}

Texts DecoderModel::words() const {
  return all_words_ ? all_words_->names().view() : tables_.at(0).table->target_words().words();
}

int32_t DecoderModel::find_word(std::string_view word) const {
  return all_words_ ? all_words_->find(word) : tables_.at(0).table->target_words().find(word);
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

void DecoderModel::add_reordering(const ReorderingModel& model, const std::string& name,
                                  size_t first_column) {
  reordering_columns_ =
      std::max(reordering_columns_, first_column + static_cast<size_t>(column_count(model)));
  for (const Table& use : tables_) check_reordering(*use.table);
  add_feature(std::make_shared<ReorderingFeature>(model, name, first_column));
}

void DecoderModel::check_reordering(const PhraseTable& table) const {
  if (table.reordering_count() > 0 && table.reordering_count() < reordering_columns_)
    throw InputError(table.path() + ": has " + std::to_string(table.reordering_count()) +
                     " reordering probabilities a pair; the model's reordering needs " +
                     std::to_string(reordering_columns_));
}

void DecoderModel::add_pair_feature(std::shared_ptr<const PairFeature> feature) {
  const auto names = feature->names();
  const size_t first = add_columns(names);
  pair_features_.push_back({std::move(feature), first, names.size(), 0});
}

}  // namespace tunesmith
