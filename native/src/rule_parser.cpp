#include "tunesmith/rule_parser.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tunesmith/errors.h"
#include "tunesmith/number.h"
#include "tunesmith/quote.h"
#include "tunesmith/text.h"

namespace tunesmith {

namespace {

constexpr std::string_view kBars = "|||";
constexpr std::string_view kGap = "[X][X]";
constexpr std::string_view kLabel = "[X]";

void split_at_bars(std::string_view line, std::vector<std::string_view>& fields) {
  const auto trimmed = [](std::string_view text) {
    const size_t begin = std::min(text.find_first_not_of(' '), text.size());
    return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
  };
  fields.clear();
  for (size_t begin = 0;;) {
    const size_t end = line.find(kBars, begin);
    fields.push_back(trimmed(line.substr(begin, end == std::string_view::npos ? end : end - begin)));
    if (end == std::string_view::npos) return;
    begin = end + kBars.size();
  }
}

bool in_brackets(std::string_view token) {
  return token.size() >= 2 && token.front() == '[' && token.back() == ']';
}

[[noreturn]] void refuse_label(std::string_view token) {
  throw InputError("found " + quoted(token) +
                   "; the only label of rules is X: glue rules and syntax labels are not read");
}

/// The number in `[X,1]` or `[1]`.
int32_t cdec_gap(std::string_view token) {
  std::string_view inside = token.substr(1, token.size() - 2);
  if (inside.starts_with("X,")) inside.remove_prefix(2);
  int32_t number = 0;
  const auto [end, error] = std::from_chars(inside.data(), inside.data() + inside.size(), number);
  if (error != std::errc() || end != inside.data() + inside.size() || number < 1) refuse_label(token);
  return number;
}

/// Gaps as -number.
void read_cdec_side(std::string_view field, Vocabulary& words, std::vector<Symbol>& side) {
  side.clear();
  for_each_token(field, [&](std::string_view token) {
    side.push_back(in_brackets(token) ? -cdec_gap(token) : words.intern(token));
  });
}

/// Numbers the gaps in the order of the source side.
void renumber(std::vector<Symbol>& source, std::vector<Symbol>& target) {
  std::vector<Symbol> gaps;
  for (const Symbol symbol : source)
    if (is_gap(symbol)) gaps.push_back(symbol);
  if (gaps.size() > static_cast<size_t>(kMaxGaps)) throw InputError("a rule has more than two gaps");
  for (auto* side : {&source, &target})
    for (Symbol& symbol : *side) {
      if (!is_gap(symbol)) continue;
      const auto found = std::find(gaps.begin(), gaps.end(), symbol);
      if (found == gaps.end())
        throw InputError("the target side has a gap that the source side does not have");
      symbol = gap_symbol(static_cast<size_t>(found - gaps.begin()));
    }
}

double parse_finite(std::string_view token, std::string_view what) {
  const auto value = parse_number(token);
  if (!value || !std::isfinite(*value))
    throw InputError("found " + quoted(token) + "; expected " + std::string(what));
  return *value;
}

}  // namespace

void RuleParser::parse_line(std::string_view line) {
  split_at_bars(line, fields_);
  if (form_ == Form::kUnknown)
    form_ = in_brackets(fields_[0]) && fields_[0].find(' ') == std::string_view::npos ? Form::kCdec
                                                                                      : Form::kMoses;
  columns_.clear();
  values_.clear();
  counts_.clear();
  form_ == Form::kMoses ? parse_moses() : parse_cdec();
  builder_.add({source_, target_, links_}, columns_, values_, counts_);
  refuse_twin();
}

uint64_t RuleParser::hash_of(uint32_t rule) const {
  uint64_t hash = builder_.source(rule).size();  // tells where the source side ends
  for (const auto side : {builder_.source(rule), builder_.target(rule)})
    for (const Symbol symbol : side) hash = mix(hash, static_cast<uint32_t>(symbol));
  return hash;
}

void RuleParser::refuse_twin() {
  const auto place = [&](uint32_t rule) {  // of its twin, or a free one
    const size_t mask = known_.size() - 1;
    size_t slot = hash_of(rule) & mask;
    while (known_[slot] != 0 &&
           !(std::ranges::equal(builder_.source(known_[slot] - 1), builder_.source(rule)) &&
             std::ranges::equal(builder_.target(known_[slot] - 1), builder_.target(rule))))
      slot = (slot + 1) & mask;
    return slot;
  };
  const auto added = static_cast<uint32_t>(builder_.size() - 1);
  if (known_.size() < 2 * builder_.size()) {
    known_.assign(std::max<size_t>(1024, 2 * known_.size()), 0);
    for (uint32_t rule = 0; rule < added; ++rule) known_[place(rule)] = rule + 1;
  }
  const size_t slot = place(added);
  if (known_[slot] != 0)
    throw InputError("the same rule is rule " + std::to_string(known_[slot]) + " already; expected it once");
  known_[slot] = added + 1;
}

void RuleParser::parse_moses() {
  if (fields_.size() < 4)
    throw InputError("found " + std::to_string(fields_.size()) +
                     " fields; expected source ||| target ||| scores ||| links, as in Moses' rule tables");
  read_moses_side(fields_[0], builder_.source_words, source_);
  read_moses_side(fields_[1], builder_.target_words, target_);
  read_moses_scores(fields_[2]);
  parse_links(fields_[3]);
  // Links between gaps say which is which; the rest are links of words.
  std::vector<Link> words;
  std::vector<Symbol> numbered = target_;
  size_t paired = 0;
  for (const Link& link : links_) {
    const bool inside = static_cast<size_t>(link.source) < source_.size() &&
                        static_cast<size_t>(link.target) < target_.size();
    if (!inside) throw InputError("a link is outside of its rule");
    const auto from = static_cast<size_t>(link.source), to = static_cast<size_t>(link.target);
    if (is_gap(source_[from]) != is_gap(target_[to])) throw InputError("a link joins a gap and a word");
    if (!is_gap(source_[from])) {
      words.push_back(link);
    } else {
      numbered[to] = source_[from];
      ++paired;
    }
  }
  if (static_cast<size_t>(std::count_if(target_.begin(), target_.end(), is_gap)) != paired)
    throw InputError("the links do not pair each gap of the target side with one of the source side");
  target_ = numbered;
  links_ = words;
  if (fields_.size() > 4 && !fields_[4].empty()) {
    for_each_token(fields_[4], [&](std::string_view token) {
      counts_.push_back(static_cast<float>(parse_finite(token, "a count")));
      if (counts_.back() < 0) throw InputError("found the count " + quoted(token) + "; expected 0 or more");
    });
    if (counts_.size() != 3)
      throw InputError("found " + std::to_string(counts_.size()) + " counts; expected 3");
  }
}

void RuleParser::read_moses_side(std::string_view field, Vocabulary& words, std::vector<Symbol>& side) {
  side.clear();
  std::string_view last;
  size_t gaps = 0;
  const auto take = [&](std::string_view token) {
    if (token == kGap)
      side.push_back(gap_symbol(gaps++));
    else if (in_brackets(token))
      refuse_label(token);
    else
      side.push_back(words.intern(token));
  };
  for_each_token(field, [&](std::string_view token) {
    if (!last.empty()) take(last);
    last = token;
  });
  if (last != kLabel) throw InputError("a side ends with " + quoted(last) + "; expected the label [X]");
}

void RuleParser::read_moses_scores(std::string_view field) {
  size_t count = 0;
  for_each_token(field, [&](std::string_view token) {
    const double score = parse_finite(token, "a probability");
    if (score < 0)
      throw InputError("found the score " + quoted(token) + "; expected a probability, not a log");
    if (count == moses_names_.size())
      throw InputError("found more than " + std::to_string(moses_names_.size()) +
                       " scores, as many as have names");
    add_feature(moses_names_[count++], std::max(std::log(score), static_cast<double>(kLeastLog)));
  });
  if (count != moses_names_.size())
    throw InputError("found " + std::to_string(count) + " scores; expected " +
                     std::to_string(moses_names_.size()));
}

void RuleParser::parse_cdec() {
  if (fields_.size() < 4 || fields_.size() > 5)
    throw InputError(
        "found " + std::to_string(fields_.size()) +
        " fields; expected [X] ||| source ||| target ||| features [||| links], as in cdec's grammars");
  if (fields_[0] != kLabel) refuse_label(fields_[0]);
  read_cdec_side(fields_[1], builder_.source_words, source_);
  read_cdec_side(fields_[2], builder_.target_words, target_);
  renumber(source_, target_);
  read_cdec_features(fields_[3]);
  parse_links(fields_.size() > 4 ? fields_[4] : std::string_view());
  std::erase_if(links_, [&](const Link& link) {  // some writers pair gaps too
    return static_cast<size_t>(link.source) < source_.size() &&
           is_gap(source_[static_cast<size_t>(link.source)]);
  });
}

void RuleParser::read_cdec_features(std::string_view field) {
  size_t bare = 0;
  for_each_token(field, [&](std::string_view token) {
    const size_t equals = token.rfind('=');
    const bool named = equals != std::string_view::npos && equals > 0;
    const std::string_view number = named ? token.substr(equals + 1) : token;
    const std::string name =
        named ? std::string(token.substr(0, equals)) : "PhraseModel_" + std::to_string(bare++);
    add_feature(name, parse_finite(number, "a feature such as 'name=0.5'"));
  });
}

void RuleParser::add_feature(std::string_view name, double value) {
  const int32_t column = builder_.names.intern(name);
  if (builder_.names.size() > RuleTableBuilder::kMaxFeatures)
    throw InputError("more than " + std::to_string(RuleTableBuilder::kMaxFeatures) +
                     " different features; sparse features belong to templates, not to tables");
  if (std::find(columns_.begin(), columns_.end(), column) != columns_.end())
    throw InputError("the feature " + quoted(name) + " is there twice");
  columns_.push_back(column);
  values_.push_back(static_cast<float>(value));
}

void RuleParser::parse_links(std::string_view field) {
  links_.clear();
  for_each_token(field, [&](std::string_view token) {
    Link link{-1, -1};
    const char* end = token.data() + token.size();
    const auto source = std::from_chars(token.data(), end, link.source);
    if (source.ec == std::errc() && source.ptr < end && *source.ptr == '-') {
      const auto target = std::from_chars(source.ptr + 1, end, link.target);
      if (target.ec == std::errc() && target.ptr == end && link.source >= 0 && link.target >= 0) {
        links_.push_back(link);
        return;
      }
    }
    throw InputError("found " + quoted(token) + "; expected a link such as '0-1'");
  });
  std::sort(links_.begin(), links_.end());
  links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
}

}  // namespace tunesmith
