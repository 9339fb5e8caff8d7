#include "tunesmith/decode/features/label_sets.h"

#include <map>

#include "tunesmith/base/errors.h"
#include "tunesmith/decode/model.h"

namespace tunesmith::decode::features {

LabelSets::LabelSets(const std::vector<std::string>& words,
                     const std::vector<std::vector<std::string>>& labels) {
  if (words.size() != labels.size())
    throw InputError(std::to_string(words.size()) + " words have " + std::to_string(labels.size()) +
                     " rows of labels; expected one per word");
  Rows<int32_t> texts;
  texts.close();
  std::map<std::vector<int32_t>, uint32_t> known{{{}, kNone}};
  for (size_t i = 0; i < words.size(); ++i) {
    std::vector<int32_t> set;
    for (const std::string& label : labels[i]) set.push_back(texts_.intern(label));
    const auto [found, is_new] = known.emplace(std::move(set), static_cast<uint32_t>(texts.size()));
    if (is_new) texts.add(found->first);
    const auto number = static_cast<size_t>(words_.intern(words[i]));
    if (number == numbers_.size()) numbers_.push_back(found->second);  // the first row of a word counts
  }
  sets_.offsets = texts.offsets;
  for (const int32_t text : texts.values) sets_.values.emplace_back(texts_[text]);
}

void TargetLabelSets::attach(Texts words) {
  known_.clear();
  for (size_t i = 0; i < words.size(); ++i) known_.push_back(sets_->number(words[i]));
}

void SourceLabelSets::attach(const DecoderModel& model) {
  known_.clear();
  phrases_ = model.phrase_count();
  for (const DecoderModel::Table& use : model.tables()) {
    const Texts words = use.table->source_words().words();
    std::vector<uint32_t>& sets = known_.emplace_back();
    sets.reserve(words.size());
    for (size_t i = 0; i < words.size(); ++i) sets.push_back(sets_->number(words[i]));
  }
}

SourceLabelSets::Ends SourceLabelSets::ends(const Option& option, const TargetWords& words) const {
  if (option.rule == Option::kUnknownWord) {
    const uint32_t set =
        sets_->number(option.words.empty() ? words.passed[option.phrase - phrases_] : words[option.words[0]]);
    return {set, set};
  }
  if (option.rule < 0 || option.source.empty()) return {};
  const std::vector<uint32_t>& sets = known_[static_cast<size_t>(option.rule >> 32)];
  return {sets[static_cast<size_t>(option.source.front())], sets[static_cast<size_t>(option.source.back())]};
}

}  // namespace tunesmith::decode::features
