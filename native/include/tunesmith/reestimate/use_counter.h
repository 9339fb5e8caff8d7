// Counts of the phrase pairs that derivations use, and of their orientations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/decode/phrase_orientations.h"
#include "tunesmith/reestimate/derivation_shares.h"
#include "tunesmith/reestimate/pair_events.h"

namespace tunesmith::reestimate {

/// Counts files of derivations, in order: first the uses of all files, then, unless orientations are those of
/// the derivations, what is extracted from them. Shares are summed in units, so that results depend neither
/// on the number of threads nor on the order of files.
class UseCounter {
 public:
  explicit UseCounter(DerivationShare share, double scale = 1.0) : shares_{share, scale} {}

  /// Counts the table's phrase pairs in derivations, with the orientations that the decoder sees: those of
  /// the phrases beside each other, and of the stack of blocks. O(steps). Throws InputError for a phrase of
  /// more than `kMaxPhraseLength` words.
  void count(const DerivationFile& file);

  /// Extracts all phrase pairs of (source, translation, links) of each derivation, as from a bitext, and
  /// counts the orientations of those that are used somewhere, as `events` says. Derivations of a sentence
  /// with equal translations and links are extracted from once. O(words^2) per different one.
  void extract(const DerivationFile& file, int max_length, tables::OrientationEvents events, int threads);

  const UseTotals& totals() const { return totals_; }
  size_t pairs() const { return pairs_.size(); }
  void write_uses(const std::string& path, const extract::phrases::CountingOptions& options) const {
    uses_.write(pairs_, unit(), path, options);
  }
  void write_extracted(const std::string& path, const extract::phrases::CountingOptions& options) const {
    extracted_.write(pairs_, unit(), path, options);
  }

 private:
  uint64_t unit() const { return shares_.unit(); }
  std::vector<int32_t> numbers(const DerivationFile& file);

  DerivationShares shares_;
  UsedPairs pairs_;
  PairEvents uses_, extracted_;
  UseTotals totals_;
};

}  // namespace tunesmith::reestimate
