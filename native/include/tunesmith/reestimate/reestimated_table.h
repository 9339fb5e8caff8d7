// A phrase table of used pairs, whose columns come from several tables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/tables/phrase_sink.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::reestimate {

/// In place of the number of a pair in another table: the table does not even have its source phrase.
inline constexpr uint32_t kNoSource = tables::PhraseTable::kNone - 1;

/// The number that each pair of a table has in another one; PhraseTable::kNone or kNoSource if it is not
/// there. O(pairs of the table + pairs of the same source phrases in the other).
std::vector<uint32_t> find_pairs(const tables::PhraseTable& table, const tables::PhraseTable& other);

/// Where the columns of a re-estimated table are from.
struct TableParts {
  const tables::PhraseTable& uses;          // the pairs, their counts, and re-estimated scores
  const tables::PhraseTable& baseline;      // links, and all other scores
  const tables::PhraseTable& orientations;  // reordering probabilities; may be `uses`
  /// For each score of the baseline, the score of `uses` that replaces it, or -1.
  std::span<const int32_t> replaced;
  /// Reordering probabilities of pairs that `orientations` does not have.
  std::span<const float> unseen;
};

/// Streams the pairs of `uses` in the words of that table. Throws InputError if the baseline lacks a pair, or
/// has sparse scores.
void write_reestimated(const TableParts& parts, tables::PhraseSink& sink);

}  // namespace tunesmith::reestimate
