// Candidate lists from the k best derivations of forests.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tunesmith/candidates/builder.h"
#include "tunesmith/forest/forest.h"
#include "tunesmith/forest/kbest.h"

namespace tunesmith::forest {

/// Weights by name.
struct NamedWeights {
  Texts names;
  std::span<const double> values;
  std::optional<double> missing =
      {};  // weight of features without a name here; if none, they are an InputError
};

/// The k best derivations of each forest as candidate lists: texts, features summed over edges, and scores as
/// totals. List i has the id ids[i]. A forest without derivations has no list if `allow_missing`; otherwise
/// it is an InputError. The result does not depend on the number of threads.
candidates::PoolArrays kbest_pool(std::span<const Forest* const> forests, const NamedWeights& weights,
                                  const Texts& ids, const KbestOptions& options, bool allow_missing,
                                  int threads);

}  // namespace tunesmith::forest
