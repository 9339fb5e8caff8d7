#include "tunesmith/decode/features/word_labels.h"

#include "tunesmith/base/errors.h"

namespace tunesmith::decode::features {

Label Label::of_word(std::string_view word) {
  Label label(word);
  if (weights::is_plain_word(word)) return label;
  std::string coded;
  weights::append_word_part(word, coded);
  label.hash = weights::TextHash(coded);
  label.is_coded = true;
  return label;
}

WordLabels::WordLabels(const std::vector<std::string>& words, const std::vector<std::string>& labels,
                       const std::string& otherwise) {
  if (words.size() != labels.size())
    throw InputError(std::to_string(words.size()) + " words have " + std::to_string(labels.size()) +
                     " labels; expected one per word");
  texts_.intern(otherwise);
  for (size_t i = 0; i < words.size(); ++i) {
    const auto label = static_cast<uint32_t>(texts_.intern(labels[i]));
    const auto number = static_cast<size_t>(words_.intern(words[i]));
    if (number == numbers_.size()) numbers_.push_back(label);  // the first label of a word counts
  }
  for (size_t i = 0; i < texts_.size(); ++i) labels_.emplace_back(texts_[static_cast<int32_t>(i)]);
}

void TargetLabels::attach(Texts words) {
  const bool is_identity = labels_->is_identity();
  known_.assign(words.size(), 0);
  own_.clear();
  for (size_t i = 0; i < words.size(); ++i)
    if (is_identity)
      own_.push_back(Label::of_word(words[i]));
    else
      known_[i] = labels_->number(words[i]);
}

}  // namespace tunesmith::decode::features
