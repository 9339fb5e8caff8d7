// The best derivations of sentences as a bitext with word alignments.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/corpus/alignment.h"
#include "tunesmith/reestimate/derivation_file.h"
#include "tunesmith/reestimate/step_trees.h"

namespace tunesmith::reestimate {

/// The translation of a derivation, in the words of its file, and the links of its phrases in the sentence.
struct LinkedTranslation {
  std::vector<uint32_t> words;
  std::vector<corpus::Link> links;        // sorted
  std::vector<uint8_t> untabled_columns;  // 1 if what translates the column is not of a table

  /// With `untabled`, also the phrases that are not of a table: unknown words, and phrases that the input
  /// gave.
  void read(const DerivationFile& file, const DerivationList& list, size_t derivation, bool untabled = true);

 private:
  void read_rules(const DerivationFile& file, const DerivationList& list, size_t derivation, bool untabled);

  StepTrees trees_;
};

/// Source sentences and the translations of their best derivations; sentences without one are left out. Both
/// sides share one vocabulary. Without `untabled`, phrases that are not of a table are left out on both
/// sides.
struct OracleText {
  std::vector<uint32_t> sentences;  // rows of the text
  std::vector<int32_t> source, target;
  std::vector<int64_t> source_offsets{0}, target_offsets{0}, link_offsets{0};
  std::vector<corpus::Link> links;
  NameTable words;

  void add(const DerivationFile& file, bool untabled);
};

}  // namespace tunesmith::reestimate
