#include "tunesmith/decode/chart/rule_chart.h"

#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::decode::chart {

void RuleChart::check_memory(size_t bytes, size_t limit) const {
  if (limit == 0 || bytes <= limit) return;
  const bool is_small = limit < size_t{1} << 20;
  throw InputError("the sentence has " + std::to_string(input.columns) +
                   (input.source.empty() ? " columns" : " words") + " and needs more than " +
                   std::to_string(is_small ? limit >> 10 : limit >> 20) + (is_small ? " kB" : " MB") +
                   "; lower the pop limit or the span limit, raise the memory limit, or split it");
}

}  // namespace tunesmith::decode::chart
