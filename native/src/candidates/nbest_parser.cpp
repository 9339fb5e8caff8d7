#include "tunesmith/candidates/nbest_parser.h"

#include <charconv>
#include <system_error>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/number.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::candidates {

namespace {

constexpr std::string_view kSeparator = "|||";

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

void split_fields(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (size_t end; (end = line.find(kSeparator)) != std::string_view::npos;) {
    fields.push_back(trim(line.substr(0, end)));
    line.remove_prefix(end + kSeparator.size());
  }
  fields.push_back(trim(line));
}

/// Removes and returns the first token of `text`; empty at the end.
std::string_view next_token(std::string_view& text) {
  size_t begin = 0;
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  size_t end = begin;
  while (end < text.size() && !is_blank(text[end])) ++end;
  const std::string_view token = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return token;
}

double number(std::string_view text, std::string_view what) {
  const auto value = parse_number(text);
  if (!value) throw InputError(std::string(what) + " is " + quoted(text) + "; expected a number");
  return *value;
}

const char* layout(NbestStyle style) {
  switch (style) {
    case NbestStyle::moses:
      return "ID ||| text ||| Label= value ... ||| total";
    case NbestStyle::moses_old:
      return "ID ||| text ||| label: value ... ||| total";
    case NbestStyle::cdec:
      return "ID ||| text ||| name=value ... ||| total";
    case NbestStyle::travatar:
      return "ID ||| text ||| total ||| name=value ...";
  }
  return "";
}

}  // namespace

void NbestParser::parse_line(std::string_view line) {
  split_fields(line, fields_);
  if (fields_.size() < (style_ == NbestStyle::travatar ? 4 : 3))
    throw InputError("expected '" + std::string(layout(style_)) + "', found " + quoted(line));
  begin_candidate(fields_[0]);
  builder_.add_text(fields_[1]);
  switch (style_) {
    case NbestStyle::moses:
      parse_labels(fields_[2], '=');
      break;
    case NbestStyle::moses_old:
      parse_labels(fields_[2], ':');
      break;
    case NbestStyle::cdec:
      parse_pairs(fields_[2]);
      break;
    case NbestStyle::travatar:
      parse_pairs(fields_[3]);
      break;
  }
  const size_t total = style_ == NbestStyle::travatar ? 2 : 3;
  if (fields_.size() > 3) builder_.add_total(number(fields_[total], "the total"));
  builder_.end_candidate();
}

void NbestParser::begin_candidate(std::string_view id) {
  if (id == id_ && !id.empty()) return;
  int64_t value = -1;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), value);
  if (error != std::errc() || end != id.data() + id.size() || value < 0)
    throw InputError("the sentence id is " + quoted(id) + "; expected a whole number from 0");
  const std::string plain = std::to_string(value);  // 007 is 7
  if (plain == id_) return;
  if (!id_.empty()) builder_.end_list(id_);
  if (builder_.has_list(plain))
    throw InputError("sentence " + plain + " comes back after sentence " + id_ +
                     " began; expected the candidates of a sentence together "
                     "(are these several lists in one file? read them as several files, they are merged)");
  id_ = plain;
}

void NbestParser::parse_labels(std::string_view field, char mark) {
  std::string_view name, token;
  size_t position = 0;
  values_.clear();
  while (!(token = next_token(field)).empty()) {
    if (token.back() != mark) {
      const auto value = parse_number(token);
      if (!value || name.empty())
        throw InputError("found " + quoted(token) + " among the features; expected '" +
                         (name.empty() ? "Label" + std::string(1, mark) + "' first"
                                       : "Label" + std::string(1, mark) + "' or a number"));
      values_.push_back(*value);
      continue;
    }
    if (!name.empty()) add_label(name, position++);
    name = token.substr(0, token.size() - 1);
    if (name.empty())
      throw InputError("found " + quoted(token) + " among the features: a label without a name");
  }
  if (!name.empty()) add_label(name, position);
}

void NbestParser::add_label(std::string_view name, size_t position) {
  if (values_.empty()) throw InputError("label " + quoted(name) + " has no value");
  const bool expected = position < label_order_.size() && label_names_[label_order_[position]] == name;
  int32_t index = expected ? label_order_[position] : label_names_.find(name);
  if (index == NameTable::kUnknown) {
    labels_.push_back(new_label(name));
    index = label_names_.intern(name);
  }
  if (position >= label_order_.size()) label_order_.resize(position + 1);
  label_order_[position] = index;
  const Label& label = labels_[static_cast<size_t>(index)];
  if (label.values != values_.size())
    throw InputError("label " + quoted(name) + " has " + std::to_string(values_.size()) +
                     " values; expected " + std::to_string(label.values) + ", as on the lines before");
  for (size_t i = 0; i < values_.size(); ++i)
    builder_.add_feature(label.first_column + static_cast<int32_t>(i), values_[i]);
  values_.clear();
}

NbestParser::Label NbestParser::new_label(std::string_view name) {
  const auto first = static_cast<int32_t>(builder_.names().size());
  for (size_t i = 0; i < values_.size(); ++i)
    builder_.new_column(values_.size() == 1 ? std::string(name)
                                            : std::string(name) + "_" + std::to_string(i));
  return {first, values_.size()};
}

void NbestParser::parse_pairs(std::string_view field) {
  std::string_view token;
  while (!(token = next_token(field)).empty()) {
    const size_t equals = token.rfind('=');
    if (equals == std::string_view::npos || equals == 0)
      throw InputError("found " + quoted(token) + " among the features; expected name=value");
    const auto value = parse_number(token.substr(equals + 1));
    if (!value)
      throw InputError("feature " + quoted(token.substr(0, equals)) + " is " +
                       quoted(token.substr(equals + 1)) + "; expected a number");
    builder_.add_feature(token.substr(0, equals), *value);
  }
}

}  // namespace tunesmith::candidates
