#include "tunesmith/decode/features/lexical_pairs.h"

#include <algorithm>
#include <deque>

#include "tunesmith/grammar/rule.h"

namespace tunesmith::decode::features {

namespace {

const Label kUnderscore("_"), kSides("_~_"), kWords("w"), kTimes("x"), kSource("s"), kTarget("t");

/// The gaps as names have them: X1, X2.
const Label& gap_label(grammar::Symbol symbol) {
  static const Label kGaps[] = {Label("X1"), Label("X2")};
  return kGaps[std::min<size_t>(grammar::gap_index(symbol), 1)];
}

/// Decimal numbers as labels; larger ones than those kept are the largest.
const Label& number_label(size_t number) {
  static const std::vector<std::string> kTexts = [] {
    std::vector<std::string> texts;
    for (size_t i = 0; i <= 64; ++i) texts.push_back(std::to_string(i));
    return texts;
  }();
  static const std::vector<Label> kLabels(kTexts.begin(), kTexts.end());
  return kLabels[std::min(number, kLabels.size() - 1)];
}

/// A name of any number of parts.
class LongName {
 public:
  explicit LongName(const Label& first) { *this += first; }
  LongName& operator+=(const Label& part) {
    if (part.is_coded) weights::append_word_part(part.text, coded_.emplace_back());
    parts_.push_back(part.is_coded ? std::string_view(coded_.back()) : part.text);
    hash_ = hash_ + part.hash;
    return *this;
  }
  weights::FeatureName name() const { return {parts_, hash_.key()}; }

 private:
  std::vector<std::string_view> parts_;
  std::deque<std::string> coded_;  // words that names have in another form; parts view them
  weights::TextHash hash_;
};

size_t count_of_words(std::span<const grammar::Symbol> symbols) {
  return symbols.size() - static_cast<size_t>(std::ranges::count_if(symbols, grammar::is_gap));
}

/// Appends `w` for each run of words, and the gaps between them.
void add_shape(std::span<const grammar::Symbol> symbols, LongName& name) {
  bool is_first = true;
  for (size_t i = 0; i < symbols.size(); ++i) {
    const bool is_gap = grammar::is_gap(symbols[i]);
    if (!is_gap && i > 0 && !grammar::is_gap(symbols[i - 1])) continue;
    if (!is_first) name += kUnderscore;
    name += is_gap ? gap_label(symbols[i]) : kWords;
    is_first = false;
  }
}

/// Calls body(i) for the words of one side that have no link.
template <class Body>
void for_each_unlinked(std::span<const grammar::Symbol> symbols, std::span<const corpus::Link> links,
                       int32_t corpus::Link::* side, Body body) {
  for (size_t i = 0; i < symbols.size(); ++i)
    if (!grammar::is_gap(symbols[i]) && std::ranges::none_of(links, [&](const corpus::Link& link) {
          return link.*side == static_cast<int32_t>(i);
        }))
      body(i);
}

}  // namespace

void RuleIdentityFeature::values(const Option& option, std::span<const std::string_view> source,
                                 const TargetWords& words, FeatureSink& sink) const {
  LongName name(prefix());
  for (size_t i = 0; i < option.source.size(); ++i) {
    if (i > 0) name += kUnderscore;
    const grammar::Symbol symbol = option.source[i];
    name += grammar::is_gap(symbol) ? gap_label(symbol) : source_labels()[source[i]];
  }
  name += kSides;
  for (size_t i = 0; i < option.words.size(); ++i) {
    if (i > 0) name += kUnderscore;
    const grammar::Symbol symbol = option.words[i];
    name += grammar::is_gap(symbol) ? gap_label(symbol) : target_labels().label(symbol, words);
  }
  add(sink, only(), name.name());
}

void RuleShapeFeature::values(const Option& option, std::span<const std::string_view>, const TargetWords&,
                              FeatureSink& sink) const {
  LongName name(prefix());
  add_shape(option.source, name);
  name += kSides;
  add_shape(option.words, name);
  add(sink, only(), name.name());
}

void WordTranslationFeature::values(const Option& option, std::span<const std::string_view> source,
                                    const TargetWords& words, FeatureSink& sink) const {
  const auto add_pair = [&](const Label& from, const Label& to) {
    if (from && to) add(sink, only(), (((JoinedName(prefix()) += from) += kUnderscore) += to).name());
  };
  if (option.rule == Option::kUnknownWord && !option.words.empty())
    add_pair(source_labels()[words[option.words[0]]], target_labels().label(option.words[0], words));
  for (const corpus::Link& link : option.alignment) {
    const auto from = static_cast<size_t>(link.source), to = static_cast<size_t>(link.target);
    if (grammar::is_gap(option.source[from]) || grammar::is_gap(option.words[to])) continue;
    add_pair(source_labels()[source[from]], target_labels().label(option.words[to], words));
  }
}

void WordDeletionFeature::values(const Option& option, std::span<const std::string_view> source,
                                 const TargetWords&, FeatureSink& sink) const {
  for_each_unlinked(option.source, option.alignment, &corpus::Link::source, [&](size_t i) {
    if (const Label label = source_labels()[source[i]])
      add(sink, only(), (JoinedName(prefix()) += label).name());
  });
}

void WordInsertionFeature::values(const Option& option, std::span<const std::string_view>,
                                  const TargetWords& words, FeatureSink& sink) const {
  for_each_unlinked(option.words, option.alignment, &corpus::Link::target, [&](size_t i) {
    if (const Label label = target_labels().label(option.words[i], words))
      add(sink, only(), (JoinedName(prefix()) += label).name());
  });
}

void InnerBigramFeature::values(const Option& option, std::span<const std::string_view>,
                                const TargetWords& words, FeatureSink& sink) const {
  for (size_t i = 0; i + 1 < option.words.size(); ++i) {
    if (grammar::is_gap(option.words[i]) || grammar::is_gap(option.words[i + 1])) continue;
    const Label first = target_labels().label(option.words[i], words);
    const Label second = target_labels().label(option.words[i + 1], words);
    if (first && second)
      add(sink, only(), (((JoinedName(prefix()) += first) += kUnderscore) += second).name());
  }
}

void LengthFeature::values(const Option& option, std::span<const std::string_view>, const TargetWords&,
                           FeatureSink& sink) const {
  if (option.rule == Option::kGiven) return;  // its source side is not known here
  const Label& source = number_label(option.rule == Option::kUnknownWord ? 1 : count_of_words(option.source));
  const Label& target = number_label(count_of_words(option.words));
  add(sink, only(), ((JoinedName(prefix()) += kSource) += source).name());
  add(sink, only(), ((JoinedName(prefix()) += kTarget) += target).name());
  add(sink, only(), (((JoinedName(prefix()) += source) += kTimes) += target).name());
}

}  // namespace tunesmith::decode::features
