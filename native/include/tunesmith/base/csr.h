// Views of sparse matrices in CSR (compressed sparse row) form, and their products with weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tunesmith {

/// Row i has the entries [offsets[i], offsets[i + 1]) of columns and values, columns rising.
struct Csr {
  std::span<const int64_t> offsets;
  std::span<const int32_t> columns;
  std::span<const double> values;
  size_t width = 0;

  size_t rows() const { return offsets.empty() ? 0 : offsets.size() - 1; }

  /// Dot product of a row and the weights, summed in column order: explicit and absent zeros give the same
  /// sum bit for bit, so that equal candidates tie.
  double dot(size_t row, const double* weights) const {
    double sum = 0;
    for (int64_t k = offsets[row]; k < offsets[row + 1]; ++k) sum += values[k] * weights[columns[k]];
    return sum;
  }

  /// target += scale * row
  void add_to(size_t row, double scale, double* target) const {
    for (int64_t k = offsets[row]; k < offsets[row + 1]; ++k) target[columns[k]] += scale * values[k];
  }
};

/// Throws InputError unless the matrix is well formed and all its values are finite.
void check_csr(const Csr& matrix);

/// out[i] = row i of the matrix times the weights.
void multiply(const Csr& matrix, std::span<const double> weights, std::span<double> out, int threads);

/// The same for several weight vectors, weights[vector][column] and out[vector][row]: one pass over the
/// matrix per eight vectors, with the same results bit for bit.
void multiply_many(const Csr& matrix, std::span<const double> weights, std::span<double> out, int threads);

}  // namespace tunesmith
