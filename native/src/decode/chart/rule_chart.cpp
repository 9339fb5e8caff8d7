#include "tunesmith/decode/chart/rule_chart.h"

#include "tunesmith/decode/memory_limit.h"

namespace tunesmith::decode::chart {

void RuleChart::check_memory(size_t bytes, size_t limit) const {
  decode::check_memory(bytes, limit, input.columns, !input.source.empty(), "the pop limit or the span limit");
}

}  // namespace tunesmith::decode::chart
