// Refined forests on their way to Python.
#pragma once

#include <utility>

#include "bind/forest/names.h"
#include "tunesmith/forest/refinement.h"

namespace tunesmith::bind {

/// (forest, the edge that each of its edges is a copy of).
inline std::pair<forest::Forest, NewVector<uint32_t>> to_python(forest::ForestRefinement&& refinement) {
  return {std::move(refinement.forest), to_numpy(std::move(refinement.edges))};
}

}  // namespace tunesmith::bind
