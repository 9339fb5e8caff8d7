#include "tunesmith/lm/arpa_writer.h"

#include <charconv>
#include <cstring>

#include "tunesmith/base/errors.h"

namespace tunesmith::lm {

namespace {

constexpr size_t kPiece = size_t{1} << 20;

char* put(char* at, float value) {
  if (value == 0) {
    *at = '0';
    return at + 1;
  }
  return std::to_chars(at, at + 32, value).ptr;
}

}  // namespace

void ArpaWriter::begin(const Texts& words, std::span<const uint64_t> counts) {
  words_ = {};
  std::string word;
  for (size_t i = 0; i < words.size(); ++i) {
    word = words[i];
    words_.add(word += ' ');
  }
  counts_.assign(counts.begin(), counts.end());
  written_.clear();
  buffer_ = "\\data\\\n";
  for (size_t n = 1; n <= counts_.size(); ++n)
    buffer_ += "ngram " + std::to_string(n) + "=" + std::to_string(counts_[n - 1]) + "\n";
}

void ArpaWriter::add(std::span<const int32_t> words, float log10_probability, float log10_backoff) {
  while (written_.size() < words.size()) begin_order(written_.size() + 1);
  if (words.empty() || words.size() != written_.size() || words.size() > counts_.size())
    throw InputError("an n-gram of order " + std::to_string(words.size()) + " was added out of order");
  size_t room = 80;
  for (int32_t word : words) {
    if (word < 0 || static_cast<size_t>(word) >= words_.size())
      throw InputError("an n-gram holds word " + std::to_string(word) + " of a vocabulary of " +
                       std::to_string(words_.size()));
    room += words_[word].size();
  }
  const size_t used = buffer_.size();
  buffer_.resize(used + room);
  char* at = put(buffer_.data() + used, log10_probability);
  *at++ = '\t';
  for (int32_t word : words) {
    const std::string_view text = words_[word];
    std::memcpy(at, text.data(), text.size());
    at += text.size();
  }
  --at;  // the space after the last word
  if (words.size() < counts_.size()) {
    *at++ = '\t';
    at = put(at, log10_backoff);
  }
  *at++ = '\n';
  buffer_.resize(static_cast<size_t>(at - buffer_.data()));
  ++written_.back();
  if (buffer_.size() >= kPiece) flush();
}

void ArpaWriter::end() {
  while (written_.size() < counts_.size()) begin_order(written_.size() + 1);
  if (written_ != counts_) throw InputError("the number of n-grams differs from the announced counts");
  buffer_ += "\n\\end\\\n";
  flush();
}

void ArpaWriter::begin_order(size_t order) {
  buffer_ += "\n\\" + std::to_string(order) + "-grams:\n";
  written_.push_back(0);
}

void ArpaWriter::flush() {
  write_(buffer_);
  buffer_.clear();
}

}  // namespace tunesmith::lm
