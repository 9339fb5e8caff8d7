// Zero-copy views of the arrays of native forests.
#pragma once

#include <nanobind/stl/shared_ptr.h>

#include <memory>

#include "bind/bind.h"
#include "tunesmith/forest/forest.h"

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

/// The names as one Python object. Without const, as nanobind needs; no bound function changes them.
inline std::shared_ptr<forest::ForestNames> to_python(
    const std::shared_ptr<const forest::ForestNames>& names) {
  return std::const_pointer_cast<forest::ForestNames>(names);
}

}  // namespace tunesmith::bind
