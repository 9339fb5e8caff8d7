#include "tunesmith/lm/arpa_reader.h"

#include <charconv>
#include <cmath>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/number.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::lm {

namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kUnknown = "<unk>";

/// Removes and returns the first field of a line; empty if there is none.
std::string_view take_field(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view field = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(field.size());
  return field;
}

std::string_view trim(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  return line.substr(0, line.find_last_not_of(kBlanks) + 1);
}

/// -inf, also written -Infinity, is the log of a probability of 0, as KenLM reads it.
float parse_probability(std::string_view text) {
  const auto value = parse_number(text);
  if (!value || std::isnan(*value))
    throw InputError("expected the log10 of a probability, found " + quoted(text));
  if (*value > 0) throw InputError("the log10 of a probability is at most 0, found " + quoted(text));
  return static_cast<float>(*value);
}

/// A back-off of -inf is refused, as KenLM does: it would forbid all continuations that the model does not
/// list, which no estimator means.
float parse_backoff(std::string_view text) {
  const auto value = parse_number(text);
  if (!value || std::isnan(*value))
    throw InputError("expected the log10 of a back-off, found " + quoted(text));
  const auto backoff = static_cast<float>(*value);
  if (std::isinf(backoff))
    throw InputError(
        "expected a finite log10 of a back-off, found " + quoted(text) +
        "; write -99 if continuations that the model does not list are to be impossible, 0 if the "
        "back-off is unknown");
  return backoff;
}

template <class Number>
bool parse_whole(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::string section_name(size_t order) {
  return std::string("\\").append(std::to_string(order)).append("-grams:");
}

}  // namespace

void ArpaReader::parse_line(std::string_view line) {
  if (part_ == Part::ngrams && !line.empty() && line[0] != '\\') return parse_ngram(line);
  line = trim(line);
  switch (part_) {
    case Part::before:
      if (line.empty()) return;
      if (line != "\\data\\")
        throw InputError("not an ARPA file: expected \\data\\ on its first line, found " + quoted(line));
      part_ = Part::counts;
      return;
    case Part::counts:
      if (line.empty()) return;
      if (line.starts_with("ngram ")) return parse_count(line);
      if (counts_.empty()) throw InputError("expected 'ngram 1=COUNT', found " + quoted(line));
      return begin_order(line);
    case Part::between:
      if (!line.empty()) begin_order(line);
      return;
    case Part::ngrams:
      end_order();
      if (!line.empty()) begin_order(line);
      return;
    case Part::after:
      if (!line.empty()) throw InputError("expected nothing after \\end\\, found " + quoted(line));
  }
}

void ArpaReader::parse_count(std::string_view line) {
  const std::string_view fields = trim(line.substr(6));
  const size_t equals = fields.find('=');
  size_t order = 0;
  uint64_t count = 0;
  if (equals == std::string_view::npos || !parse_whole(trim(fields.substr(0, equals)), order) ||
      !parse_whole(trim(fields.substr(equals + 1)), count) || order != counts_.size() + 1)
    throw InputError("expected 'ngram " + std::to_string(counts_.size() + 1) + "=COUNT', found " +
                     quoted(line));
  counts_.push_back(count);
}

void ArpaReader::begin_order(std::string_view line) {
  const std::string expected = order_ == counts_.size() ? "\\end\\" : section_name(order_ + 1);
  if (line != expected) throw InputError("expected " + expected + ", found " + quoted(line));
  if (order_ == counts_.size()) {
    part_ = Part::after;
    return;
  }
  ++order_;
  read_ = 0;
  part_ = Part::ngrams;
}

void ArpaReader::parse_ngram(std::string_view line) {
  const std::string_view whole = line;
  const std::string_view first = take_field(line);
  if (first.empty()) {  // blanks only: treated as an empty line
    end_order();
    return;
  }
  if (read_ == counts_[order_ - 1])
    throw InputError("the header announces " + std::to_string(read_) + " n-grams of order " +
                     std::to_string(order_) + "; found one more");
  const float probability = parse_probability(first);
  ngram_.clear();
  std::string_view word;
  for (size_t i = 0; i < order_; ++i) {
    word = take_field(line);
    if (word.empty())
      throw InputError("expected a log10 probability, " + std::to_string(order_) +
                       " words and at most a back-off, found " + quoted(whole));
    if (order_ == 1) break;
    const int32_t number = words_.find(word == "<UNK>" ? kUnknown : word);
    if (number < 0) throw InputError("the word " + quoted(word) + " is not among the unigrams");
    ngram_.push_back(number);
  }
  const std::string_view last = take_field(line);
  const float backoff = last.empty() ? 0 : parse_backoff(last);
  if (!take_field(line).empty())
    throw InputError("expected a log10 probability, " + std::to_string(order_) +
                     " words and at most a back-off, found " + quoted(whole));
  ++read_;
  if (order_ == 1)
    add_unigram(word, probability, backoff);
  else
    sink_.add(ngram_, probability, backoff);
}

void ArpaReader::add_unigram(std::string_view word, float probability, float backoff) {
  const int32_t number = words_.intern(word == "<UNK>" ? kUnknown : word);
  if (static_cast<size_t>(number) != unigrams_.size())
    throw InputError("the word " + quoted(word) + " occurs twice among the unigrams");
  unigrams_.push_back({probability, backoff});
}

void ArpaReader::end_order() {
  if (read_ != counts_[order_ - 1])
    throw InputError("order " + std::to_string(order_) + " has " + std::to_string(read_) +
                     " n-grams; the header announces " + std::to_string(counts_[order_ - 1]));
  if (order_ == 1) end_unigrams();
  part_ = Part::between;
}

void ArpaReader::end_unigrams() {
  for (const std::string_view mark : {"<s>", "</s>"})
    if (words_.find(mark) < 0)
      throw InputError("the model has no " + quoted(mark) +
                       " among its unigrams; expected both <s> and </s>");
  if (words_.find(kUnknown) < 0) {
    add_unigram(kUnknown, unknown_, 0);
    ++counts_[0];
  }
  sink_.begin(words_.names().view(), counts_);
  for (size_t i = 0; i < unigrams_.size(); ++i) {
    const auto word = static_cast<int32_t>(i);
    sink_.add({&word, 1}, unigrams_[i].probability, unigrams_[i].backoff);
  }
  unigrams_ = {};
}

void ArpaReader::end() {
  if (part_ != Part::after) throw InputError("the file is truncated: it has no \\end\\");
  sink_.end();
}

}  // namespace tunesmith::lm
