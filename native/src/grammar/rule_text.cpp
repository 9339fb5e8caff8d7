#include "tunesmith/grammar/rule_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/flat_map.h"
#include "tunesmith/base/number.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/corpus/alignment.h"

namespace tunesmith::grammar {

namespace {

bool is_gap_at(const RuleSide& side, int32_t at) {
  return static_cast<size_t>(at) < side.symbols.size() && is_gap(side.symbols[static_cast<size_t>(at)]);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

}  // namespace

std::vector<std::string> rule_words(const Texts& words) {
  std::vector<std::string> result;
  result.reserve(words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    std::string word(words[i]);
    replace_all(word, "|", "&#124;");
    if (word.size() >= 2 && word.front() == '[' && word.back() == ']') {
      replace_all(word, "[", "&#91;");
      replace_all(word, "]", "&#93;");
    }
    result.push_back(std::move(word));
  }
  return result;
}

std::string unescaped_rule_word(std::string_view word) {
  std::string result(word);
  replace_all(result, "&#124;", "|");
  if (result.starts_with("&#91;") && result.ends_with("&#93;")) {
    replace_all(result, "&#91;", "[");
    replace_all(result, "&#93;", "]");
  }
  return result;
}

bool in_brackets(std::string_view token) {
  return token.size() >= 2 && token.front() == '[' && token.back() == ']';
}

bool is_cdec_line(std::string_view first_field) {
  return in_brackets(first_field) && first_field.find(' ') == std::string_view::npos;
}

NumberedGap parse_numbered_gap(std::string_view token) {
  const std::string_view inside = token.substr(1, token.size() - 2);
  const size_t comma = inside.rfind(',');
  const bool labeled = comma != std::string_view::npos;
  const std::string_view digits = labeled ? inside.substr(comma + 1) : inside;
  NumberedGap gap{labeled ? inside.substr(0, comma) : std::string_view(), 0};
  const char* last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, gap.number);
  if (error != std::errc() || end != last || gap.number < 1 || (labeled && gap.label.empty()))
    throw InputError("found " + quoted(token) + "; expected a gap such as '[X,1]'");
  return gap;
}

std::string_view moses_gap_label(std::string_view token) {
  const size_t middle = token.find("][");
  if (!in_brackets(token) || middle == std::string_view::npos || middle < 2 || middle + 3 >= token.size() ||
      token.find("][", middle + 2) != std::string_view::npos)
    throw InputError("found " + quoted(token) + "; expected a gap such as '[X][X]'");
  return token.substr(middle + 2, token.size() - middle - 3);
}

void pair_numbered_gaps(const RuleSide& source, RuleSide& target) {
  if (source.gaps.empty() && target.gaps.empty()) return;
  FlatMap<uint32_t> order;
  for (uint32_t gap = 0; gap < source.gaps.size(); ++gap) {
    const auto number = static_cast<uint64_t>(parse_numbered_gap(source.gaps[gap]).number);
    if (!order.insert(number, gap).is_new)
      throw InputError("two gaps of the source side have the number " + std::to_string(number));
  }
  for (Symbol& symbol : target.symbols) {
    if (!is_gap(symbol)) continue;
    const uint32_t* found =
        order.find(static_cast<uint64_t>(parse_numbered_gap(target.gaps[gap_index(symbol)]).number));
    if (found == nullptr) throw InputError("the target side has a gap that the source side does not have");
    symbol = gap_symbol(*found);
  }
}

void pair_linked_gaps(const RuleSide& source, RuleSide& target, std::vector<corpus::Link>& links) {
  std::vector<Symbol> paired = target.symbols;
  std::vector<bool> is_source_paired(source.gaps.size()), is_target_paired(target.gaps.size());
  const auto refuse = [] {
    throw InputError("the links do not pair each gap of the source side with one gap of the target side");
  };
  const auto is_of_gaps = [&](const corpus::Link& link) {
    const auto from = static_cast<size_t>(link.source), to = static_cast<size_t>(link.target);
    if (from >= source.symbols.size() || to >= target.symbols.size())
      throw InputError("the link " + std::to_string(from) + "-" + std::to_string(to) +
                       " is outside of its rule");
    if (is_gap(source.symbols[from]) != is_gap(target.symbols[to]))
      throw InputError("the link " + std::to_string(from) + "-" + std::to_string(to) +
                       " joins a gap and a word");
    if (!is_gap(source.symbols[from])) return false;
    const size_t source_gap = gap_index(source.symbols[from]), target_gap = gap_index(target.symbols[to]);
    if (is_source_paired[source_gap] || is_target_paired[target_gap]) refuse();
    is_source_paired[source_gap] = is_target_paired[target_gap] = true;
    paired[to] = source.symbols[from];
    return true;
  };
  std::erase_if(links, is_of_gaps);
  const auto is_whole = [](const std::vector<bool>& flags) {
    return std::ranges::all_of(flags, [](bool flag) { return flag; });
  };
  if (!is_whole(is_source_paired) || !is_whole(is_target_paired)) refuse();
  target.symbols = std::move(paired);
}

void parse_rule_links(std::string_view field, std::vector<corpus::Link>& links) {
  links.clear();
  corpus::for_each_token(field, [&](std::string_view token) { links.push_back(corpus::parse_link(token)); });
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
}

void drop_gap_links(const RuleSide& source, std::vector<corpus::Link>& links) {
  std::erase_if(links, [&](const corpus::Link& link) { return is_gap_at(source, link.source); });
}

void refuse_sparse_scores(std::span<const std::string_view> fields) {
  if (fields.size() > 5 && !fields[5].empty())
    throw InputError("found the sparse scores " + quoted(fields[5]) +
                     ", which rules cannot have here; remove the sixth field to use the table without them");
}

double parse_finite(std::string_view token, std::string_view what) {
  const auto value = parse_number(token);
  if (!value || !(std::abs(*value) <= kLargestRuleValue))
    throw InputError("found " + quoted(token) + "; expected " + std::string(what) +
                     " of at most 1e9 in size");
  return *value;
}

void parse_moses_scores(std::string_view field, size_t expected, std::vector<float>& logs) {
  logs.clear();
  corpus::for_each_token(field, [&](std::string_view token) {
    const double score = parse_finite(token, "a probability");
    if (score < 0)
      throw InputError("found the score " + quoted(token) + "; expected a probability, not a log");
    if (logs.size() == expected)
      throw InputError("found more than " + std::to_string(expected) +
                       " scores; expected one per score name");
    logs.push_back(static_cast<float>(std::max(std::log(score), kLeastRuleLog)));
  });
  if (logs.size() != expected)
    throw InputError("found " + std::to_string(logs.size()) + " scores; expected " +
                     std::to_string(expected));
}

}  // namespace tunesmith::grammar
