// Tokenized text as word numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/corpus/vocabulary.h"

namespace tunesmith::corpus {

/// Sentence i is words[offsets[i], offsets[i + 1]); -1 is a word that is not in the vocabulary.
struct Sentences {
  std::span<const int32_t> words;
  std::span<const int64_t> offsets;

  size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::span<const int32_t> operator[](size_t i) const {
    return words.subspan(static_cast<size_t>(offsets[i]), static_cast<size_t>(offsets[i + 1] - offsets[i]));
  }
};

/// Throws InputError unless the offsets do not fall and every word is in [least, words).
void check_sentences(const Sentences& sentences, size_t words, int32_t least = 0);

/// Calls body(token) for each token of a line; ASCII spaces are the only separators.
template <class Body>
void for_each_token(std::string_view line, Body body) {
  for (size_t begin = 0; (begin = line.find_first_not_of(' ', begin)) != std::string_view::npos;) {
    const size_t end = std::min(line.find(' ', begin), line.size());
    body(line.substr(begin, end - begin));
    begin = end;
  }
}

/// Reads one sentence per line; an empty line is an empty sentence. New words are added to the vocabulary, or
/// become -1 if `grow` is false.
class SentenceParser : public LineParser {
 public:
  SentenceParser(Vocabulary& vocabulary, bool grow) : vocabulary_(vocabulary), grow_(grow) {}

  std::vector<int32_t> take_words() { return std::move(words_); }
  std::vector<int64_t> take_offsets() { return std::move(offsets_); }

 protected:
  void parse_line(std::string_view line) override;

 private:
  Vocabulary& vocabulary_;
  bool grow_;
  std::vector<int32_t> words_;
  std::vector<int64_t> offsets_{0};
};

}  // namespace tunesmith::corpus
