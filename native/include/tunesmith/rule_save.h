// Scored rules straight into a rule table, without a text file between.
#pragma once

#include <string>
#include <vector>

#include "tunesmith/rule_format.h"
#include "tunesmith/rule_table_builder.h"

namespace tunesmith {

/// Adds all rules of `groups` with the features of a cdec grammar, or with the natural logs of Moses' four
/// scores; `names` has a name for each. Words keep their numbers.
void add_rules(RuleGroups& groups, const RuleCounts& counts, const Lexicon& lexicon, RuleFormat format,
               const std::vector<std::string>& names, RuleTableBuilder& builder);

}  // namespace tunesmith
