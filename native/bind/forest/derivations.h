// Conversion of derivations to Python: many of them as flat arrays.
#pragma once

#include <tuple>
#include <utility>

#include "bind/forest/names.h"
#include "tunesmith/forest/derivation.h"

namespace tunesmith::bind {

/// (score, edges in preorder).
inline std::pair<double, NewVector<uint32_t>> to_python(forest::Derivation&& derivation) {
  return {derivation.score, to_numpy(std::move(derivation.edges))};
}

/// (scores, offsets, edges): the edges of derivation i are [offsets[i], offsets[i + 1]).
using DerivationArrays = std::tuple<NewVector<double>, NewVector<int64_t>, NewVector<uint32_t>>;

inline DerivationArrays derivation_arrays(const std::vector<forest::Derivation>& derivations) {
  std::vector<double> scores;
  std::vector<int64_t> offsets{0};
  std::vector<uint32_t> edges;
  for (const forest::Derivation& derivation : derivations) {
    scores.push_back(derivation.score);
    edges.insert(edges.end(), derivation.edges.begin(), derivation.edges.end());
    offsets.push_back(static_cast<int64_t>(edges.size()));
  }
  return {to_numpy(std::move(scores)), to_numpy(std::move(offsets)), to_numpy(std::move(edges))};
}

}  // namespace tunesmith::bind
