// Counts of the phrase pairs that derivations use, and of their orientations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/decode/phrase_orientations.h"
#include "tunesmith/reestimate/derivation_file.h"
#include "tunesmith/reestimate/pair_events.h"

namespace tunesmith::reestimate {

/// What each of the n derivations of a sentence counts: 1, or 1 / n, or its share of the sum of
/// exp(scale * score) over them.
enum class DerivationShare : uint8_t { kCount, kEven, kPosterior };

struct UseTotals {
  uint64_t sentences = 0;  // with a derivation
  uint64_t derivations = 0;
  uint64_t uses = 0;      // of phrase pairs
  uint64_t untabled = 0;  // phrases that are not of a table: unknown words, and phrases that the input gave
};

/// Counts files of derivations, in order: first the uses of all files, then, unless orientations are those of
/// the derivations, what is extracted from them. Shares are summed in units, so that results depend neither
/// on the number of threads nor on the order of files.
class UseCounter {
 public:
  static constexpr uint64_t kShareUnit = uint64_t{1} << 24;

  explicit UseCounter(DerivationShare share, double scale = 1.0) : share_(share), scale_(scale) {}

  /// Counts the table's phrase pairs in derivations, with the orientations that the decoder sees: those of
  /// the phrases beside each other, and of the stack of blocks. O(steps). Throws InputError for a phrase of
  /// more than `kMaxPhraseLength` words.
  void count(const DerivationFile& file);

  /// Extracts all phrase pairs of (source, translation, links) of each derivation, as from a bitext, and
  /// counts the orientations of those that are used somewhere. Derivations of a sentence with equal
  /// translations and links are extracted from once. O(words^2) per different one.
  void extract(const DerivationFile& file, int max_length, int threads);

  const UseTotals& totals() const { return totals_; }
  size_t pairs() const { return pairs_.size(); }
  void write_uses(const std::string& path, const extract::phrases::CountingOptions& options) const {
    uses_.write(pairs_, unit(), path, options);
  }
  void write_extracted(const std::string& path, const extract::phrases::CountingOptions& options) const {
    extracted_.write(pairs_, unit(), path, options);
  }

 private:
  uint64_t unit() const { return share_ == DerivationShare::kCount ? 1 : kShareUnit; }
  void shares(const DerivationList& list, std::vector<uint64_t>& found) const;
  std::vector<int32_t> numbers(const DerivationFile& file);

  DerivationShare share_;
  double scale_;  // of scores in posteriors
  UsedPairs pairs_;
  PairEvents uses_, extracted_;
  UseTotals totals_;
};

}  // namespace tunesmith::reestimate
