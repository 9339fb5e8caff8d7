#include "tunesmith/phrase_model.h"

#include "tunesmith/errors.h"
#include "tunesmith/quote.h"

namespace tunesmith {

size_t PhraseModel::add_columns(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    for (const std::string& other : names_)
      if (name == other) throw InputError("two features have the name " + quoted(name));
  const size_t first = names_.size();
  names_.insert(names_.end(), names.begin(), names.end());
  return first;
}

void PhraseModel::add_table(const PhraseTable& table, const std::string& name, size_t limit) {
  std::vector<std::string> names;
  for (size_t i = 0; i < table.score_count(); ++i) names.push_back(name + "_" + std::to_string(i));
  Table added{&table, limit, add_columns(names), phrases_, {}};
  phrases_ += static_cast<uint32_t>(table.target_count());
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

Texts PhraseModel::words() const {
  return all_words_ ? all_words_->names().view() : tables_.at(0).table->target_words().words();
}

int32_t PhraseModel::find_word(std::string_view word) const {
  return all_words_ ? all_words_->find(word) : tables_.at(0).table->target_words().find(word);
}

void PhraseModel::add_penalty(Penalty penalty, const std::string& name) {
  auto& column = penalties_[static_cast<size_t>(penalty)];
  if (column) throw InputError("the model has two penalties of one kind: " + quoted(name));
  column = add_columns({name});
}

void PhraseModel::add_feature(std::shared_ptr<const StatefulFeature> feature) {
  const auto names = feature->names();
  const size_t first = add_columns(names), size = feature->prepared_size();
  features_.push_back({std::move(feature), first, names.size(), prepared_});
  prepared_ += size;
}

void PhraseModel::add_pair_feature(std::shared_ptr<const PairFeature> feature) {
  const auto names = feature->names();
  const size_t first = add_columns(names);
  pair_features_.push_back({std::move(feature), first, names.size(), 0});
}

}  // namespace tunesmith
