// Conversion of refined forests to Python.
#pragma once

#include <utility>

#include "bind/forest/names.h"
#include "tunesmith/forest/refinement.h"

namespace tunesmith::bind {

/// (forest, the edge of which each of its edges is a copy).
inline std::pair<forest::Forest, NewVector<uint32_t>> to_python(forest::ForestRefinement&& refinement) {
  return {std::move(refinement.forest), to_numpy(std::move(refinement.edges))};
}

}  // namespace tunesmith::bind
