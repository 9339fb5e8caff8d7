#include "tunesmith/corpus/sentences.h"

#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::corpus {

void check_sentences(const Sentences& sentences, size_t words, int32_t least) {
  check_offsets(sentences.offsets, sentences.words.size(), "sentences");
  for (int32_t word : sentences.words)
    if (word < least || word >= static_cast<int64_t>(words))
      throw InputError("word " + std::to_string(word) + " is outside of a vocabulary of " +
                       std::to_string(words));
}

void SentenceParser::parse_line(std::string_view line) {
  for_each_token(line, [&](std::string_view token) {
    words_.push_back(grow_ ? vocabulary_.intern(token) : vocabulary_.find(token));
  });
  offsets_.push_back(static_cast<int64_t>(words_.size()));
}

}  // namespace tunesmith::corpus
