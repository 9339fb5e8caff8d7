// View of a dense row-major matrix.
#pragma once

#include <cstddef>
#include <span>

namespace tunesmith {

/// A row-major matrix, such as metric statistics with one row per candidate.
struct MatrixView {
  std::span<const double> values;
  size_t width = 0;

  const double* row(size_t i) const { return values.data() + i * width; }
  size_t rows() const { return width == 0 ? 0 : values.size() / width; }
};

}  // namespace tunesmith
