// How much the derivations of a sentence count.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/reestimate/derivation_file.h"

namespace tunesmith::reestimate {

/// What each of the n derivations of a sentence counts: 1, or 1 / n, or its share of the sum of
/// exp(scale * score) over them.
enum class DerivationShare : uint8_t { kCount, kEven, kPosterior };

/// Shares as whole numbers of units, so that their sums do not depend on the order of additions.
struct DerivationShares {
  static constexpr uint64_t kShareUnit = uint64_t{1} << 24;

  DerivationShare share = DerivationShare::kCount;
  double scale = 1;  // of scores in posteriors

  /// What stands for one derivation.
  uint64_t unit() const { return share == DerivationShare::kCount ? 1 : kShareUnit; }
  /// The share of each derivation of a list: at least one unit, so that none is lost.
  void read(const DerivationList& list, std::vector<uint64_t>& found) const;
};

struct UseTotals {
  uint64_t sentences = 0;  // with a derivation
  uint64_t derivations = 0;
  uint64_t uses = 0;      // of phrase pairs or rules
  uint64_t untabled = 0;  // phrases that are not of a table: unknown words, and phrases that the input gave
};

}  // namespace tunesmith::reestimate
