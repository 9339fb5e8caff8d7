// Joins the events of forests: words and rules are numbered in the order of their first use.
#pragma once

#include <map>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/decode/derivation_events.h"

namespace tunesmith::decode {

class EventJoiner {
 public:
  /// Reserves memory for all parts.
  explicit EventJoiner(std::span<const DerivationEvents> parts);

  /// Adds what an EventReader read off a forest. O(events).
  void add(const forest::Forest& forest, const DerivationEvents& part);
  DerivationEvents take();

 private:
  grammar::Symbol word(const forest::Forest& forest, std::vector<int32_t>& known, grammar::Symbol symbol);
  int32_t rule(int64_t id, std::span<const corpus::Link> links);

  DerivationEvents events_;
  NameTable words_;
  std::map<const forest::ForestNames*, std::vector<int32_t>>
      known_words_;                               // by word of the forest; -1 if new
  FlatMap<uint32_t> known_rules_;                 // by hash
  std::vector<grammar::Symbol> source_, target_;  // of the rule to find
};

}  // namespace tunesmith::decode
