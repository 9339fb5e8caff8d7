// Formatting of candidate lists as n-best lines and JSON lines.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tunesmith/candidates/lists.h"

namespace tunesmith::candidates {

/// The parts of a pool that are written. `ids` and `prefixes` (the text before each feature's value) are
/// already spelled for the format. Totals may be absent (empty).
struct PoolText {
  Texts ids;
  CandidateLists lists;
  Texts texts;
  Texts prefixes;
  std::span<const double> totals;
};

/// Lists [begin, end) as `ID ||| text ||| features ||| total`, one line per candidate. Runs of three or more
/// bars in a text are escaped as `&#124;` each, as in Moses. A line end in a text is an InputError.
std::string format_nbest(const PoolText& pool, size_t begin, size_t end);

/// Additional parts of JSON lines: score prefixes and columns, sources and references per list.
struct JsonExtras {
  Texts score_prefixes;
  std::vector<std::span<const double>> scores;
  Texts sources;
  std::vector<Texts> references;
};

/// Lists [begin, end) as JSON, one line per list; absent texts, sources and totals are left out.
std::string format_jsonl(const PoolText& pool, const JsonExtras& extras, size_t begin, size_t end);

}  // namespace tunesmith::candidates
