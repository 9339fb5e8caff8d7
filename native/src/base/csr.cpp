#include "tunesmith/base/csr.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/base/texts.h"

namespace tunesmith {

void check_csr(const Csr& matrix) {
  check_offsets(matrix.offsets, matrix.values.size(), "feature matrix");
  if (matrix.columns.size() != matrix.values.size())
    throw InputError("feature matrix: " + std::to_string(matrix.columns.size()) + " columns for " +
                     std::to_string(matrix.values.size()) + " values");
  for (size_t row = 0; row < matrix.rows(); ++row) {
    for (int64_t k = matrix.offsets[row]; k < matrix.offsets[row + 1]; ++k) {
      if (matrix.columns[k] < 0 || static_cast<size_t>(matrix.columns[k]) >= matrix.width)
        throw InputError("candidate " + std::to_string(row) + ": feature index " +
                         std::to_string(matrix.columns[k]) + " is outside 0.." +
                         std::to_string(matrix.width));
      if (k > matrix.offsets[row] && matrix.columns[k] <= matrix.columns[k - 1])
        throw InputError("candidate " + std::to_string(row) + ": feature index " +
                         std::to_string(matrix.columns[k]) + " after " +
                         std::to_string(matrix.columns[k - 1]) + "; expected them to rise");
      if (!std::isfinite(matrix.values[k]))
        throw InputError("candidate " + std::to_string(row) + ": feature " +
                         std::to_string(matrix.columns[k]) + " is " + std::to_string(matrix.values[k]) +
                         "; expected a finite number");
    }
  }
}

namespace {

/// Four rows of equal length at once, to hide the latency of additions; each sum is that of its row alone.
void multiply_four(const Csr& matrix, size_t row, const double* weights, double* out) {
  const int64_t length = matrix.offsets[row + 1] - matrix.offsets[row];
  const double* values = matrix.values.data() + matrix.offsets[row];
  const int32_t* columns = matrix.columns.data() + matrix.offsets[row];
  double sums[4] = {0, 0, 0, 0};
  for (int64_t k = 0; k < length; ++k)
    for (int64_t lane = 0; lane < 4; ++lane)
      sums[lane] += values[lane * length + k] * weights[columns[lane * length + k]];
  for (size_t lane = 0; lane < 4; ++lane) out[lane] = sums[lane];
}

constexpr size_t kLanes = 8;
constexpr size_t kRowsPerChunk = 4096;

/// Up to eight weight vectors at once, interleaved: `weights` has their values column by column.
void multiply_lanes(const Csr& matrix, const double* weights, size_t lanes, double* out, int threads) {
  const size_t rows = matrix.rows();
  parallel_chunks(rows, kRowsPerChunk, threads, [&](size_t, size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      double sums[kLanes] = {};
      for (int64_t k = matrix.offsets[row]; k < matrix.offsets[row + 1]; ++k) {
        const double value = matrix.values[k];
        const double* at = weights + kLanes * static_cast<size_t>(matrix.columns[k]);
        for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] += value * at[lane];
      }
      for (size_t lane = 0; lane < lanes; ++lane) out[lane * rows + row] = sums[lane];
    }
  });
}

}  // namespace

void multiply(const Csr& matrix, std::span<const double> weights, std::span<double> out, int threads) {
  parallel_chunks(matrix.rows(), kRowsPerChunk, threads, [&](size_t, size_t begin, size_t end) {
    const auto length = [&](size_t row) { return matrix.offsets[row + 1] - matrix.offsets[row]; };
    for (size_t row = begin; row < end;) {
      if (row + 4 <= end && length(row) == length(row + 1) && length(row) == length(row + 2) &&
          length(row) == length(row + 3)) {
        multiply_four(matrix, row, weights.data(), out.data() + row);
        row += 4;
      } else {
        out[row] = matrix.dot(row, weights.data());
        ++row;
      }
    }
  });
}

void multiply_many(const Csr& matrix, std::span<const double> weights, std::span<double> out, int threads) {
  const size_t vectors = matrix.width == 0 ? 0 : weights.size() / matrix.width;
  std::vector<double> side_by_side(kLanes * matrix.width);
  for (size_t first = 0; first < vectors; first += kLanes) {
    const size_t lanes = std::min(kLanes, vectors - first);
    for (size_t column = 0; column < matrix.width; ++column)
      for (size_t lane = 0; lane < lanes; ++lane)
        side_by_side[column * kLanes + lane] = weights[(first + lane) * matrix.width + column];
    multiply_lanes(matrix, side_by_side.data(), lanes, out.data() + first * matrix.rows(), threads);
  }
}

}  // namespace tunesmith
