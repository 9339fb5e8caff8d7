#include "tunesmith/weights/lines.h"

#include <cmath>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/number.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/base/text.h"

namespace tunesmith::weights {

namespace {

/// The text without white space at its ends, as Python's str.strip().
std::string_view stripped(std::string_view text, std::vector<std::string_view>& words) {
  split_words(text, words);
  if (words.empty()) return {};
  const char* begin = words.front().data();
  return {begin, static_cast<size_t>(words.back().data() + words.back().size() - begin)};
}

void split_at_blanks(std::string_view text, std::vector<std::string_view>& tokens) {
  constexpr std::string_view kBlanks = " \t";
  tokens.clear();
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    tokens.push_back(text.substr(at, end - at));
    at = std::min(text.find_first_not_of(kBlanks, end), text.size());
  }
}

std::string_view without_equals(std::string_view name) {
  return name.ends_with('=') ? name.substr(0, name.size() - 1) : name;
}

}  // namespace

void WeightLineParser::parse_line(std::string_view line) {
  const std::string_view text = stripped(line, tokens_);
  if (text.empty() || text.front() == '#') return;
  split_at_blanks(text, tokens_);
  if (tokens_.size() > 2 && tokens_[0].ends_with('=') && (tokens_.size() > 3 || tokens_[1] != "=")) {
    const std::string label = std::string(without_equals(tokens_[0])) + "_";
    for (size_t i = 1; i < tokens_.size(); ++i) add(label + std::to_string(i - 1), tokens_[i]);
    return;
  }
  if (tokens_.size() == 1) {
    const size_t equals = text.rfind('=');
    const size_t end = equals == std::string_view::npos ? 0 : equals;
    tokens_ = {text.substr(0, end), equals == std::string_view::npos ? text : text.substr(equals + 1)};
  } else if (tokens_.size() == 3 && tokens_[1] == "=") {
    tokens_ = {tokens_[0], tokens_[2]};
  }
  if (tokens_.size() != 2 || without_equals(tokens_[0]).empty())
    throw InputError("expected 'name value', found " + quoted(text));
  add(without_equals(tokens_[0]), tokens_[1]);
}

void WeightLineParser::add(std::string_view name, std::string_view value) {
  const size_t before = store_.size();
  const uint32_t number = store_.insert(name);
  if (number < before && store_.name(number) == name) throw InputError("repeated feature " + quoted(name));
  const auto weight = parse_number(value);
  if (!weight || !std::isfinite(*weight))
    throw InputError("the weight of " + quoted(name) + " is " + quoted(value) + "; expected a finite number");
  store_.set_weight(number, *weight);
}

void append_lines(const WeightStore& store, size_t begin, size_t end, std::string& text) {
  for (size_t i = begin; i < end; ++i) {
    const auto number = static_cast<uint32_t>(i);
    text += store.name(number);
    text += ' ';
    append_number(store.weight(number), text);
    text += '\n';
  }
}

}  // namespace tunesmith::weights
