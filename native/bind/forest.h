// Forests as Python holds them: native objects whose arrays are viewed, never copied.
#pragma once

#include "bind.h"
#include "tunesmith/forest.h"

namespace tunesmith::bind {

/// A view of native memory that keeps its owner, a Python object, alive. `stride` is in elements.
template <class T>
nb::ndarray<const T, nb::numpy, nb::ndim<1>> view_of(nb::handle owner, const T* data, size_t size,
                                                     int64_t stride = 1) {
  return {data, {size}, owner, {stride}};
}

template <class T>
auto view_of(nb::handle owner, const std::vector<T>& values) {
  return view_of<T>(owner, values.data(), values.size());
}

/// The scores of a forest's edges, one each.
inline std::span<const double> edge_scores(const Forest& forest, const Vector<double>& scores) {
  if (scores.size() != forest.edge_count())
    throw InputError(std::to_string(scores.size()) + " scores for " + std::to_string(forest.edge_count()) +
                     " edges of a forest");
  return view(scores);
}

}  // namespace tunesmith::bind
