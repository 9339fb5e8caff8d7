#include "tunesmith/rule_chart.h"

#include <string>

#include "tunesmith/errors.h"

namespace tunesmith {

void RuleChart::check_memory(size_t bytes, size_t limit) const {
  if (limit == 0 || bytes <= limit) return;
  throw InputError("the sentence has " + std::to_string(input.columns) + " columns and needs more than " +
                   std::to_string(limit >> 20) +
                   " MB; lower the pop limit or the span limit, raise the memory limit, or split it");
}

}  // namespace tunesmith
