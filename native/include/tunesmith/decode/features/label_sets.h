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

/// The sets of the source words of options: those of the tables' words are looked up once.
class SourceLabelSets {
 public:
  /// The sets of the first and the last source word.
  struct Ends {
    uint32_t first = LabelSets::kNone, last = LabelSets::kNone;
  };

  explicit SourceLabelSets(std::shared_ptr<const LabelSets> sets) : sets_(std::move(sets)) {}

  /// The model outlives it.
  void attach(const DecoderModel& model);
  /// Those of a pair of a table or a word that is passed through or dropped. A phrase that is given by the
  /// input does not know its words: its ends have no labels.
  Ends ends(const Option& option, const TargetWords& words) const;
  const LabelSets& sets() const { return *sets_; }

 private:
  std::shared_ptr<const LabelSets> sets_;
  std::vector<std::vector<uint32_t>> known_;  // by table: sets of its source words
  uint32_t phrases_ = 0;                      // of the model; the words that are dropped count after them
};

}  // namespace tunesmith::decode::features
