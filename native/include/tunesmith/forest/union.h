// One forest of several.
#pragma once

#include <memory>
#include <span>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// The forest whose derivations are those of all the forests: a new root has an edge, without words and
/// features, to each old root. Words and features of the same name are the same. Empty forests add nothing;
/// without any other the union is empty. Edges come in the order of the forests. O(size of the arrays).
Forest unite_forests(std::span<const Forest* const> forests);

}  // namespace tunesmith::forest
