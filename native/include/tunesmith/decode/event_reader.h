// Reads the events of derivations of one forest.
#pragma once

#include <vector>

#include "tunesmith/decode/derivation_events.h"
#include "tunesmith/forest/derivation_reading.h"

namespace tunesmith::decode {

/// Words and rules of the result are numbers of the forest and of this reader: EventJoiner replaces them.
class EventReader {
 public:
  explicit EventReader(const forest::Forest& forest)
      : forest_(forest), reader_(forest), rules_(2 * forest.rule_count(), -1) {}

  void add(const forest::Derivation& derivation);
  /// One list of all derivations; nothing may be added after it.
  DerivationEvents take();

 private:
  bool is_of_phrases() const;
  void find_phrases();
  void find_rules();
  void add_step(size_t number, bool is_phrase, int32_t parent, int32_t gap);
  void add_source_words(size_t first_step);
  int32_t rule(uint32_t forest_rule, bool is_phrase);

  const forest::Forest& forest_;
  forest::DerivationReader reader_;
  PhraseOrientations orientations_;
  DerivationEvents events_;
  std::vector<int32_t> rules_;      // number by rule of the forest and whether it is a phrase; -1 if new
  std::vector<uint32_t> numbers_;   // of the edges of the current derivation that are steps
  std::vector<int32_t> step_of_;    // by number of the edge
  std::vector<int32_t> parent_of_;  // number of the edge above
  std::vector<int32_t> gap_of_;
};

}  // namespace tunesmith::decode
