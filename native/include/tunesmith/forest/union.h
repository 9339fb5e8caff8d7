// Union of forests.
#pragma once

#include <memory>
#include <span>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// The forest with the derivations of all forests: a new root has one edge, without words or features, per
/// old root. Words and features are identified by name. Empty forests are skipped; the union of none is
/// empty. Edges are in the order of the forests. O(size of the arrays).
Forest unite_forests(std::span<const Forest* const> forests);

}  // namespace tunesmith::forest
