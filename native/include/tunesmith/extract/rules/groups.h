// Counted rules grouped by source side, in the order of a sorted rule table, with the totals that relative
// frequencies need.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tunesmith/extract/rules/counts.h"

namespace tunesmith::extract::rules {

/// A rule of a group. Where a rule was seen with several alignments, each direction takes the one with the
/// greatest weight; ties fall as in Moses, which may choose differently in the two directions.
struct CountedRule {
  std::string_view target;  // as in a key
  bool swapped = false;
  Tally tally;
  std::string_view links;          // for the direction from source to target
  std::string_view inverse_links;  // for the other direction
  uint64_t target_weight = 0;      // of all rules with this target side
};

/// The rules of a source side. Views hold as long as the RuleGroups do.
class RuleGroup {
 public:
  std::string_view source;  // as in a key
  Tally tally;              // of all rules of the group
  uint64_t size = 0;

  /// Calls body(const CountedRule&) for each rule, by target side.
  template <class Body>
  void for_each(Body body) const {
    const char* at = body_;
    for (uint64_t i = 0; i < size; ++i) {
      CountedRule rule = read_rule(at);
      rule.target_weight = target_weights_[i];
      body(rule);
    }
  }

 private:
  friend class RuleGroups;
  static CountedRule read_rule(const char*& at);

  const char* body_ = nullptr;
  const uint64_t* target_weights_ = nullptr;
};

class RuleGroups {
 public:
  /// Takes the counts out of `counts`. Sorting: O(n log n), part by part, on all threads.
  explicit RuleGroups(RuleCounts& counts);

  uint64_t rules() const { return rules_; }
  uint64_t sources() const { return sources_; }

  /// The next group in the order of sources; false after the last.
  bool next(RuleGroup& group);
  void rewind();

 private:
  struct Part {
    Scratch groups;
    Scratch target_weights;
    uint64_t rules = 0;
    uint64_t sources = 0;
    // Where the merge of the parts is.
    const char* at = nullptr;
    const char* end = nullptr;
    uint64_t rule = 0;
    RuleGroup head;
  };
  void advance(Part& part);

  std::vector<Part> parts_;
  std::vector<size_t> heap_;
  uint64_t rules_ = 0;
  uint64_t sources_ = 0;
};

}  // namespace tunesmith::extract::rules
