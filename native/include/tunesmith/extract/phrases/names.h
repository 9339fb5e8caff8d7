// Numbering of all phrases of a text, so that equal phrases have equal numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/sentences.h"

namespace tunesmith::extract::phrases {

/// Sorts the positions of a text by the words that follow within the sentence, one more word per round. A
/// phrase's number is its rank: shorter phrases first, then by word numbers. O(max_length * text) memory,
/// O(max_length * text * log text) time. Refers to the sentences, which must outlive it.
class PhraseNames {
 public:
  PhraseNames(const corpus::Sentences& sentences, int max_length, int threads);

  /// The number of the phrase of `length` words at a position; it must be within its sentence.
  uint32_t at(size_t position, int length) const { return names_[static_cast<size_t>(length) - 1][position]; }
  size_t size() const { return examples_.size(); }
  int length(uint32_t name) const;
  /// The words of a phrase.
  std::span<const int32_t> words(uint32_t name) const {
    return sentences_.words.subspan(examples_[name], static_cast<size_t>(length(name)));
  }
  /// Partitions the numbers into at most `parts` ranges with about equally many occurrences; returns the
  /// begin of each, 0 for the first.
  std::vector<uint32_t> cut(size_t parts) const;
  /// Frees the numbers by position; `at` must not be called afterwards.
  void drop_positions() { names_ = {}; }

 private:
  /// Sorted positions, grouped by phrases of the current length.
  struct Order {
    std::vector<uint32_t> positions;
    std::vector<uint32_t> borders;  // begin of each group; ends with the number of positions
  };
  Order first_words() const;
  Order deepen(const Order& order, int length, int threads) const;
  void name(const Order& order);

  corpus::Sentences sentences_;
  std::vector<uint32_t> sentence_end_;        // by position
  std::vector<std::vector<uint32_t>> names_;  // by length, then position
  std::vector<uint32_t> examples_;            // by number: a position of the phrase
  std::vector<uint32_t> first_name_;          // by length; ends with size()
  std::vector<uint32_t> steps_;               // the number at every kStep-th occurrence
};

}  // namespace tunesmith::extract::phrases
