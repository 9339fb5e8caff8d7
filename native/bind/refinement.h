// Refined forests on their way to Python.
#pragma once

#include <utility>

#include "forest.h"
#include "tunesmith/forest_refinement.h"

namespace tunesmith::bind {

/// (forest, the edge that each of its edges is a copy of).
inline std::pair<Forest, NewVector<uint32_t>> to_python(ForestRefinement&& refinement) {
  return {std::move(refinement.forest), to_numpy(std::move(refinement.edges))};
}

}  // namespace tunesmith::bind
