#include "tunesmith/pool.h"

#include <cmath>
#include <string>

#include "tunesmith/errors.h"
#include "tunesmith/parallel.h"

namespace tunesmith {

void check_offsets(std::span<const int64_t> offsets, size_t total, std::string_view what) {
  const std::string name(what);
  if (offsets.empty() || offsets.front() != 0) throw InputError(name + ": offsets must start with 0");
  for (size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] < offsets[i - 1]) throw InputError(name + ": offsets fall at index " + std::to_string(i));
  if (static_cast<size_t>(offsets.back()) != total)
    throw InputError(name + ": offsets end at " + std::to_string(offsets.back()) + ", expected " +
                     std::to_string(total));
}

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

void multiply(const Csr& matrix, std::span<const double> weights, std::span<double> out, int threads) {
  constexpr size_t kRowsAChunk = 4096;
  parallel_chunks(matrix.rows(), kRowsAChunk, threads, [&](size_t, size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) out[row] = matrix.dot(row, weights.data());
  });
}

}  // namespace tunesmith
