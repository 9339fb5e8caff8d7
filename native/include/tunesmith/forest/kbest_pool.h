// Candidate lists from the k best derivations of forests.
#pragma once

#include <span>

#include "tunesmith/candidates/builder.h"
#include "tunesmith/forest/forest.h"
#include "tunesmith/forest/kbest.h"
#include "tunesmith/forest/named_weights.h"

namespace tunesmith::forest {

/// The k best derivations of each forest as candidate lists: texts, features summed over edges, and scores as
/// totals. List i has the id ids[i]. A forest without derivations has no list if `allow_missing`; otherwise
/// it is an InputError. The result does not depend on the number of threads.
candidates::PoolArrays kbest_pool(std::span<const Forest* const> forests, const NamedWeights& weights,
                                  const Texts& ids, const KbestOptions& options, bool allow_missing,
                                  int threads);

}  // namespace tunesmith::forest
