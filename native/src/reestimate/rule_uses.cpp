#include "tunesmith/reestimate/rule_uses.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"
#include "tunesmith/extract/rules/counts.h"
#include "tunesmith/extract/rules/groups.h"
#include "tunesmith/extract/rules/save.h"

namespace tunesmith::reestimate {

namespace {

constexpr uint32_t kUnusedSide = UINT32_MAX;

}  // namespace

void RuleUses::count(const DerivationFile& file) {
  if (!file.of_rules() && file.size() > 0)
    throw InputError("has derivations of phrases; expected derivations of rules", file.path());
  std::vector<int32_t> words(file.words().size());
  for (size_t i = 0; i < words.size(); ++i) words[i] = words_.intern(file.words()[i]);
  std::vector<grammar::Symbol> renumbered;
  std::vector<uint32_t> sides(file.of_rules() ? file.sides().size() : 0, kUnusedSide);
  std::vector<uint32_t> targets(file.targets().size(), kUnusedSide), links(file.links().size(), kUnusedSide);
  const auto side = [&](const RowsView<uint32_t>& rows, std::vector<uint32_t>& numbers, uint32_t number) {
    if (numbers[number] != kUnusedSide) return numbers[number];
    renumbered.clear();
    for (const uint32_t symbol : rows[number])
      renumbered.push_back(is_gap(symbol) ? static_cast<grammar::Symbol>(symbol) : words[symbol]);
    return numbers[number] = sides_.intern(renumbered);
  };
  std::vector<uint64_t> weights;
  for (size_t i = 0; i < file.size(); ++i) {
    const DerivationList list = file[i];
    totals_.sentences += list.size() > 0 ? 1 : 0;
    totals_.derivations += list.size();
    shares_.read(list, weights);
    for (size_t d = 0; d < list.size(); ++d)
      for (const uint16_t step : list.steps(d)) {
        const UsedPhrase& rule = list.phrases[step];
        if (rule.origin != PhraseOrigin::kTable) {
          ++totals_.untabled;
          continue;
        }
        ++totals_.uses;
        if (links[rule.links] == kUnusedSide) links[rule.links] = links_.intern(file.links()[rule.links]);
        const Event event{side(file.sides(), sides, list.sides[step]),
                          side(file.targets(), targets, rule.target), links[rule.links]};
        const uint64_t both = uint64_t{event.side} << 32 | event.target;
        rules_.insert(both, 0);
        const uint32_t number = events_.number(event, mix(both, event.links));
        if (number == sums_.size()) sums_.emplace_back();
        sums_[number].units += weights[d];
        ++sums_[number].uses;
      }
  }
}

void RuleUses::write(const std::string& path, const extract::phrases::Lexicon& lexicon,
                     extract::rules::RuleFormat format, const std::vector<std::string>& names,
                     const std::string& meta) const {
  extract::rules::RuleCounts counts(words(), words(), {});
  std::vector<corpus::Link> alignment;
  for (uint32_t number = 0; number < sums_.size(); ++number) {
    const Event& event = events_[number];
    alignment.clear();
    for (const PhraseLink& link : links_[event.links]) alignment.push_back({link.source, link.target});
    counts.add({sides_[event.side], sides_[event.target], alignment},
               {sums_[number].units * (extract::rules::kUnitWeight / shares_.unit()), sums_[number].uses});
  }
  extract::rules::RuleGroups groups(counts);
  grammar::RuleTableBuilder builder;
  for (size_t i = 0; i < words().size(); ++i) {
    builder.source_words.intern(words()[i]);
    builder.target_words.intern(words()[i]);
  }
  extract::rules::add_rules(groups, counts, lexicon, format, names, builder);
  builder.write(path, meta);
}

}  // namespace tunesmith::reestimate
