#include "tunesmith/forest/words.h"

#include <charconv>
#include <cmath>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/number.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/corpus/moses_fields.h"

namespace tunesmith::forest {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string escaped_word(std::string_view word) {
  const bool bracketed = word.size() >= 2 && word.front() == '[' && word.back() == ']';
  std::string result;
  for (const char& c : word) {
    if (bracketed && c == '[') {
      result += "&#91;";
    } else if (bracketed && c == ']') {
      result += "&#93;";
    } else {
      corpus::append_escaped({&c, 1}, result);
    }
  }
  return result;
}

}  // namespace

std::vector<std::string> escaped_words(const Forest& forest) {
  const TextColumn& names = forest.names().words;
  std::vector<std::string> result(names.size());
  for (const Rows<grammar::Symbol>* side : {&forest.rules().sources, &forest.rules().targets})
    for (const grammar::Symbol symbol : side->values) {
      if (grammar::is_gap(symbol)) continue;
      std::string& text = result[static_cast<size_t>(symbol)];
      if (!text.empty()) continue;
      const std::string_view word = names[static_cast<size_t>(symbol)];
      if (word.empty() || word.find_first_of(kBlanks) != std::string_view::npos)
        throw InputError(
            "the word " + quoted(word) +
            " is empty or has a space, which text formats cannot represent; write the format forests");
      text = escaped_word(word);
    }
  return result;
}

void check_feature_names(const Forest& forest) {
  const TextColumn& names = forest.names().features;
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i].empty() || names[i].find_first_of(" \t\r\n\"") != std::string_view::npos ||
        names[i].find("|||") != std::string_view::npos)
      throw InputError("the feature " + quoted(names[i]) +
                       " has an empty name, or a space, a quote or '|||' in it; write the format forests");
}

FeatureSpeller::FeatureSpeller(const Forest& forest)
    : forest_(forest), slots_(forest.names().features.size(), kNone) {}

void FeatureSpeller::append(uint32_t edge, std::string& out) {
  sums_.clear();
  for (const auto row : {forest_.rule_features(edge), forest_.edge_features(edge)})
    for (const FeatureValue& feature : row) {
      size_t& slot = slots_[feature.column];
      if (slot == kNone) {
        slot = sums_.size();
        sums_.emplace_back(feature.column, feature.value);
      } else {
        sums_[slot].second += static_cast<double>(feature.value);
      }
    }
  for (const auto& [column, value] : sums_) slots_[column] = kNone;
  const char* blank = "";
  for (const auto& [column, value] : sums_) {
    const std::string_view name = forest_.names().features[column];
    if (!std::isfinite(static_cast<float>(value)))
      throw InputError("feature " + quoted(name) + " of a rule and its edge has a sum that is not finite");
    out += blank;
    out += name;
    out += '=';
    append_float(static_cast<float>(value), out);
    blank = " ";
  }
}

void append_float(float value, std::string& out) {
  char digits[32];
  char* end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  double read = 0;
  std::from_chars(digits, end, read);
  if (static_cast<float>(read) == value) {
    out.append(digits, end);
  } else {
    append_number(static_cast<double>(value), out);
  }
}

}  // namespace tunesmith::forest
