// Candidates as lines of text: what writers put into files.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tunesmith/candidates/lists.h"

namespace tunesmith::candidates {

/// What is written of a pool. `ids` and `prefixes` (what stands before the value of each feature)
/// come spelled as the format wants them. Totals may be absent (empty).
struct PoolText {
  Texts ids;
  CandidateLists lists;
  Texts texts;
  Texts prefixes;
  std::span<const double> totals;
};

/// Lists [begin, end) as `ID ||| text ||| features ||| total`, a line a candidate. Three or more bars in
/// a text become `&#124;` each, as Moses has it. A line end in a text is an InputError.
std::string format_nbest(const PoolText& pool, size_t begin, size_t end);

/// What JSON lines have besides: score prefixes and columns, sources and references by list.
struct JsonExtras {
  Texts score_prefixes;
  std::vector<std::span<const double>> scores;
  Texts sources;
  std::vector<Texts> references;
};

/// Lists [begin, end) as JSON, a line a list; texts, sources and totals that are absent are left out.
std::string format_jsonl(const PoolText& pool, const JsonExtras& extras, size_t begin, size_t end);

}  // namespace tunesmith::candidates
