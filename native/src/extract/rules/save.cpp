#include "tunesmith/extract/rules/save.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/base/errors.h"
#include "tunesmith/grammar/rule_text.h"

namespace tunesmith::extract::rules {

namespace {

std::vector<double> features_of(const ScoredRule& scored, RuleFormat format) {
  if (format == RuleFormat::kCdec) return rule_features(scored);
  const auto log = [](double p) { return std::max(std::log(p), grammar::kLeastRuleLog); };
  return {log(scored.source_given_target), log(scored.lexical_source_given_target),
          log(scored.target_given_source), log(scored.lexical_target_given_source)};
}

}  // namespace

void add_rules(RuleGroups& groups, const RuleCounts& counts, const phrases::Lexicon& lexicon,
               RuleFormat format, const std::vector<std::string>& names, grammar::RuleTableBuilder& builder) {
  std::vector<int32_t> columns;
  for (const std::string& name : names) columns.push_back(builder.names.intern(name));
  if (columns.size() != (format == RuleFormat::kCdec ? RuleLines::kFeatures : 4))
    throw InputError("found " + std::to_string(names.size()) + " names; expected one per feature of a rule");
  RuleScorer scorer(counts.source_order(), counts.target_order(), lexicon);
  RuleGroup group;
  groups.rewind();
  while (groups.next(group))
    scorer.score(group, [&](const ScoredRule& scored) {
      const std::vector<double> features = features_of(scored, format);
      const std::vector<float> values(features.begin(), features.end());
      const float each[] = {static_cast<float>(scored.target_count), static_cast<float>(scored.source_count),
                            static_cast<float>(scored.joint_count)};
      builder.add(scored.rule, columns, values, each);
    });
}

}  // namespace tunesmith::extract::rules
