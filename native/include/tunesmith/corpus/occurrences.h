// Inverted index: the occurrences of each word in a range of sentences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/sentences.h"

namespace tunesmith::corpus {

struct WordOccurrence {
  int32_t sentence;
  int32_t position;
};

/// The occurrences of each word in the chosen sentences, in text order. Unknown words (-1) are indexed under
/// the number `words`. O(tokens + words).
class Occurrences {
 public:
  /// Indexes those of the sentences [begin, end) for which keep(sentence) is true.
  template <class Keep>
  Occurrences(const Sentences& sentences, size_t begin, size_t end, size_t words, Keep keep)
      : offsets_(words + 2) {
    const auto slot = [words](int32_t word) { return word < 0 ? words : static_cast<size_t>(word); };
    for (size_t s = begin; s < end; ++s)
      if (keep(s))
        for (const int32_t word : sentences[s]) ++offsets_[slot(word) + 1];
    for (size_t e = 0; e <= words; ++e) offsets_[e + 1] += offsets_[e];
    all_.resize(static_cast<size_t>(offsets_.back()));
    std::vector<int64_t> next(offsets_.begin(), offsets_.end() - 1);
    for (size_t s = begin; s < end; ++s) {
      if (!keep(s)) continue;
      const auto sentence = sentences[s];
      for (size_t i = 0; i < sentence.size(); ++i)
        all_[static_cast<size_t>(next[slot(sentence[i])]++)] = {static_cast<int32_t>(s),
                                                                static_cast<int32_t>(i)};
    }
  }

  size_t words() const { return offsets_.size() - 1; }
  std::span<const WordOccurrence> operator[](size_t word) const {
    return std::span(all_).subspan(static_cast<size_t>(offsets_[word]),
                                   static_cast<size_t>(offsets_[word + 1] - offsets_[word]));
  }

 private:
  std::vector<int64_t> offsets_;
  std::vector<WordOccurrence> all_;
};

}  // namespace tunesmith::corpus
