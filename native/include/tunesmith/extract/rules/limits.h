// Limits on the extraction of hierarchical rules (Chiang 2007).
#pragma once

namespace tunesmith::extract::rules {

/// Which rules are extracted. The defaults are Chiang's; Moses' differ: max_target_span 10, min_hole 2, tight
/// false, and fractional counts. Every rule has at least one word on each side.
struct RuleLimits {
  int max_span = 10;        // source words that a rule and its gaps cover
  int max_target_span = 0;  // likewise on the target side; 0: no limit
  int max_symbols = 5;      // words and gaps on the source side of a rule
  int max_gaps = 2;
  int min_hole = 1;            // least number of source words that a gap covers
  bool adjacent_gaps = false;  // allow adjacent gaps on the source side
  bool require_link = true;    // at least one pair of aligned words
  bool tight = true;           // the outer words of initial phrases are aligned on both sides
};

/// Throws InputError, naming the limit, if no rule could satisfy it or it is out of range.
void check_limits(const RuleLimits& limits);

}  // namespace tunesmith::extract::rules
