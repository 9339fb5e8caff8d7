// Counted rules grouped by source side and sorted as in a rule table, with the marginal counts of both sides.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tunesmith/extract/rules/counts.h"

namespace tunesmith::extract::rules {

/// A rule of a group. Among several alignments, each direction uses the one with the greatest weight; ties
/// are broken as in Moses, possibly differently in the two directions.
struct CountedRule {
  std::string_view target;  // as in a key
  bool swapped = false;
  Tally tally;
  std::string_view links;          // for the direction from source to target
  std::string_view inverse_links;  // for the other direction
  uint64_t target_weight = 0;      // summed over all rules with this target side
};

/// The rules of a source side. Its views are valid as long as the RuleGroups.
class RuleGroup {
 public:
  std::string_view source;  // as in a key
  Tally tally;              // summed over the rules of the group
  uint64_t size = 0;

  /// Calls body(const CountedRule&) for each rule, in the order of target sides.
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
  /// Moves the counts out of `counts` and sorts them part by part, in parallel. O(n log n).
  explicit RuleGroups(RuleCounts& counts);

  uint64_t rules() const { return rules_; }
  uint64_t sources() const { return sources_; }

  /// Reads the next group in the order of source sides; returns false after the last.
  bool next(RuleGroup& group);
  void rewind();

 private:
  struct Part {
    Scratch groups;
    Scratch target_weights;
    uint64_t rules = 0;
    uint64_t sources = 0;
    // State of the merge of the parts.
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
