// What lexical templates write in place of a word: the word itself, its class, or one text for all rare
// words.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/decode/feature.h"

namespace tunesmith::decode::features {

/// A part of a feature name, with its hash. Words without a label have an empty text. `is_coded`: the text is
/// a word, which the name has in the form of `append_word_part`, and the hash is of that form.
struct Label {
  std::string_view text;
  weights::TextHash hash;
  bool is_coded = false;

  Label() = default;
  explicit Label(std::string_view part) : text(part), hash(part) {}
  static Label of_word(std::string_view word);
  explicit operator bool() const { return !text.empty(); }
};

/// Words to labels. Immutable, shared by threads.
class WordLabels {
 public:
  /// Every word is its own label, in the form of `append_word_part`.
  WordLabels() = default;
  /// Words have the labels of the same number, as they are, all others have `otherwise`; if it is empty they
  /// have none.
  WordLabels(const std::vector<std::string>& words, const std::vector<std::string>& labels,
             const std::string& otherwise);

  /// Whether labels are the words themselves.
  bool is_identity() const { return labels_.empty(); }
  Label operator[](std::string_view word) const {
    return is_identity() ? Label::of_word(word) : labels_[number(word)];
  }
  /// A number of the label of a word, equal for equal labels only; not for the identity.
  uint32_t number(std::string_view word) const {
    const int32_t found = words_.find(word);
    return found == NameTable::kUnknown ? 0 : numbers_[static_cast<size_t>(found)];
  }
  const Label& label(uint32_t number) const { return labels_[number]; }

 private:
  NameTable words_;
  std::vector<uint32_t> numbers_;  // labels of the words
  NameTable texts_;                // of the labels; the first one is that of all other words
  std::vector<Label> labels_;
};

/// The labels of target words by number: those of a model's words are looked up once.
class TargetLabels {
 public:
  explicit TargetLabels(std::shared_ptr<const WordLabels> labels) : labels_(std::move(labels)) {}

  /// `words` outlive it.
  void attach(Texts words);
  Label label(int32_t word, const TargetWords& words) const {
    const auto number = static_cast<size_t>(word);
    if (number >= known_.size()) return (*labels_)[words[word]];
    return labels_->is_identity() ? own_[number] : labels_->label(known_[number]);
  }
  /// A number of the label, equal for equal labels within a sentence.
  uint32_t number(int32_t word, const TargetWords& words) const {
    const auto number = static_cast<size_t>(word);
    if (labels_->is_identity()) return static_cast<uint32_t>(word);
    return number < known_.size() ? known_[number] : labels_->number(words[word]);
  }
  /// The label of a number that `number` returned.
  Label label_of(uint32_t number, const TargetWords& words) const {
    return labels_->is_identity() ? label(static_cast<int32_t>(number), words) : labels_->label(number);
  }
  /// Numbers below it mean the same label in every sentence.
  uint32_t lasting() const {
    return labels_->is_identity() ? static_cast<uint32_t>(known_.size()) : UINT32_MAX - 2;
  }

 private:
  std::shared_ptr<const WordLabels> labels_;
  std::vector<uint32_t> known_;  // numbers of the labels of the model's words
  std::vector<Label> own_;       // if the words are the labels
};

/// A feature name of up to eight parts, joined without building its text.
class JoinedName {
 public:
  explicit JoinedName(const Label& first) { *this += first; }
  JoinedName& operator+=(const Label& part) {
    coded_ |= uint64_t{part.is_coded} << count_;
    parts_[count_++] = part.text;
    hash_ = hash_ + part.hash;
    return *this;
  }
  weights::FeatureName name() const { return {{parts_.data(), count_}, hash_.key(), coded_}; }
  uint64_t key() const { return hash_.key(); }

 private:
  std::array<std::string_view, 8> parts_;
  size_t count_ = 0;
  uint64_t coded_ = 0;
  weights::TextHash hash_;
};

}  // namespace tunesmith::decode::features
