#include "tunesmith/corpus/moses_fields.h"

#include <charconv>
#include <cmath>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/number.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/corpus/sentences.h"

namespace tunesmith::corpus {

namespace {

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

}  // namespace

void split_fields(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (size_t end; (end = line.find("|||")) != std::string_view::npos; line.remove_prefix(end + 3))
    fields.push_back(trimmed(line.substr(0, end)));
  fields.push_back(trimmed(line));
}

void parse_probabilities(std::string_view field, std::vector<float>& values) {
  for_each_token(field, [&](std::string_view token) {
    const auto value = parse_number(token);
    if (!value || !std::isfinite(static_cast<float>(*value)) || *value < 0)
      throw InputError("found " + quoted(token) + "; expected a finite number that is not negative");
    values.push_back(static_cast<float>(*value));
  });
}

void append_escaped(std::string_view word, std::string& text) {
  for (const char c : word) {
    if (c == '|')
      text += "&#124;";
    else
      text += c;
  }
}

void append_rounded(float value, int digits, std::string& text) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, static_cast<double>(value),
                                          std::chars_format::general, digits);
  text.append(buffer, end);
}

}  // namespace tunesmith::corpus
