#include "tunesmith/reestimate/rule_draft_builder.h"

#include <algorithm>

#include "tunesmith/base/errors.h"

namespace tunesmith::reestimate {

using decode::Option;

RuleDraftBuilder::RuleDraftBuilder(const decode::ScoredForest& scored, const decode::DecoderModel& model,
                                   const UncountedParts& uncounted, bool of_rules, std::string_view source,
                                   uint32_t sentence)
    : DraftBuilder(*scored.forest(), source, sentence, of_rules),
      scored_(scored),
      model_(model),
      uncounted_(uncounted),
      of_rules_(of_rules),
      sides_of_(scored.forest()->rule_count(), {kUnread, 0}) {}

/// Lists rules in preorder, what is in their gaps in the order of their target sides.
void RuleDraftBuilder::read(std::span<const uint32_t> edges) {
  tree_.read(forest(), edges);
  waiting_.assign(1, {0, false});
  while (!waiting_.empty()) {
    const auto [position, is_within] = waiting_.back();
    waiting_.pop_back();
    const auto applied = scored_.applied(edges[position]);
    if (!applied) throw InputError("the forest is not that of a chart; expected one of rules");
    const bool is_listed = is_within || !joins(applied->option);
    if (is_listed) use_rule(edges[position], *applied);
    const auto target = applied->option.words;
    for (size_t i = target.size(); i-- > 0;)
      if (grammar::is_gap(target[i]))
        waiting_.push_back({tree_.tail(position, grammar::gap_index(target[i])), is_listed});
  }
}

bool RuleDraftBuilder::joins(const Option& option) const {
  if (option.border != grammar::Border::kNone) return true;
  return uncounted_.contains(option) &&
         std::all_of(option.words.begin(), option.words.end(), grammar::is_gap) &&
         std::all_of(option.source.begin(), option.source.end(), grammar::is_gap);
}

void RuleDraftBuilder::use_rule(uint32_t edge, const decode::AppliedOption& applied) {
  const Option& option = applied.option;
  const uint32_t rule = forest().rule(edge);
  if (!of_rules_ && std::any_of(option.words.begin(), option.words.end(), grammar::is_gap))
    throw InputError(
        "the model has rules with words and gaps beside its phrase pairs; only phrase pairs or "
        "only rules can be re-estimated");
  PhraseOrigin origin = PhraseOrigin::kTable;
  if (option.rule == Option::kUnknownWord) origin = PhraseOrigin::kUnknownWord;
  if (option.border != grammar::Border::kNone || uncounted_.contains(option)) origin = PhraseOrigin::kGiven;
  const uint32_t target = target_of(rule);
  const auto [side, links] = sides_of(rule, applied);
  use({target, links, static_cast<uint16_t>(applied.range.begin), static_cast<uint16_t>(applied.range.end),
       origin},
      side);
}

RuleDraftBuilder::Sides RuleDraftBuilder::sides_of(uint32_t rule, const decode::AppliedOption& applied) {
  Sides& known = sides_of_[rule];
  if (known.side != kUnread) return known;
  const Option& option = applied.option;
  const bool is_unknown = option.rule == Option::kUnknownWord;
  spelled_.clear();
  found_links_.clear();
  if (is_unknown) spelled_.push_back(source()[applied.range.begin]);
  for (const grammar::Symbol symbol : option.source)
    if (grammar::is_gap(symbol))
      spelled_.push_back(static_cast<uint32_t>(symbol));
    else if (option.border == grammar::Border::kNone)
      spelled_.push_back(word(model_.source_word(option, symbol)));
  if (is_unknown && !option.words.empty()) found_links_.push_back({0, 0});
  for (const corpus::Link link : option.alignment)
    if (option.border == grammar::Border::kNone &&
        !grammar::is_gap(option.words[static_cast<size_t>(link.target)]))
      found_links_.push_back({static_cast<uint16_t>(link.source), static_cast<uint16_t>(link.target)});
  std::sort(found_links_.begin(), found_links_.end(), [](const PhraseLink& a, const PhraseLink& b) {
    return a.source != b.source ? a.source < b.source : a.target < b.target;
  });
  return known = {of_rules_ ? side(spelled_) : 0, links(found_links_)};
}

}  // namespace tunesmith::reestimate
