#include "tunesmith/extract/rules/limits.h"

#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::extract::rules {

void check_limits(const RuleLimits& limits) {
  const auto require = [](bool good, const char* name, int value, const char* expected) {
    if (!good)
      throw InputError(std::string("the rule limit ") + name + " is " + std::to_string(value) +
                       "; expected " + expected);
  };
  require(limits.max_span >= 1, "max_span", limits.max_span, "at least 1");
  require(limits.max_target_span >= 0, "max_target_span", limits.max_target_span, "0 (no limit) or more");
  require(limits.max_symbols >= 1, "max_symbols", limits.max_symbols, "at least 1");
  require(limits.max_gaps >= 0 && limits.max_gaps <= grammar::kMaxGaps, "max_gaps", limits.max_gaps,
          "0, 1 or 2");
  require(limits.min_hole >= 1, "min_hole", limits.min_hole, "at least 1");
}

}  // namespace tunesmith::extract::rules
