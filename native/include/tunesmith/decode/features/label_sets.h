// Several labels per word, such as the word itself and its classes: words with equal labels share a number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/rows.h"
#include "tunesmith/decode/features/word_labels.h"

namespace tunesmith::decode::features {

/// Words to sets of labels. Immutable, shared by threads.
class LabelSets {
 public:
  /// The set of words without labels.
  static constexpr uint32_t kNone = 0;

  /// One row of labels per word. Words that are not listed have none.
  LabelSets(const std::vector<std::string>& words, const std::vector<std::vector<std::string>>& labels);
  LabelSets(const LabelSets&) = delete;  // labels view its own texts

  size_t size() const { return sets_.size(); }
  /// The number of a word's set.
  uint32_t number(std::string_view word) const {
    const int32_t found = words_.find(word);
    return found == NameTable::kUnknown ? kNone : numbers_[static_cast<size_t>(found)];
  }
  std::span<const Label> operator[](uint32_t set) const { return sets_[set]; }

 private:
  NameTable words_, texts_;
  std::vector<uint32_t> numbers_;  // sets of the words
  Rows<Label> sets_;
};

/// The sets of target words by number: those of a model's words are looked up once.
class TargetLabelSets {
 public:
  explicit TargetLabelSets(std::shared_ptr<const LabelSets> sets) : sets_(std::move(sets)) {}

  void attach(Texts words);
  uint32_t number(int32_t word, const TargetWords& words) const {
    const auto number = static_cast<size_t>(word);
    return number < known_.size() ? known_[number] : sets_->number(words[word]);
  }
  const LabelSets& sets() const { return *sets_; }

 private:
  std::shared_ptr<const LabelSets> sets_;
  std::vector<uint32_t> known_;  // sets of the model's words
};

}  // namespace tunesmith::decode::features
