// Writes scored rules directly into a rule table, without an intermediate text file.
#pragma once

#include <string>
#include <vector>

#include "tunesmith/extract/rules/format.h"
#include "tunesmith/grammar/rule_table_builder.h"

namespace tunesmith::extract::rules {

/// Adds all rules of `groups` with the features of a cdec grammar, or the natural logs of Moses' four scores;
/// `names` has one name per feature. Words keep their numbers.
void add_rules(RuleGroups& groups, const RuleCounts& counts, const phrases::Lexicon& lexicon,
               RuleFormat format, const std::vector<std::string>& names, grammar::RuleTableBuilder& builder);

}  // namespace tunesmith::extract::rules
