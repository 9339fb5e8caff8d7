#include "tunesmith/candidates/take.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tunesmith/base/errors.h"

namespace tunesmith::candidates {

namespace {

void check_row(int64_t row, int64_t size) {
  if (row < 0 || row >= size)
    throw InputError("row " + std::to_string(row) + " is outside 0.." + std::to_string(size));
}

/// The range of a row's entries in a matrix.
struct RowEntries {
  const Csr* matrix;
  int64_t begin, end;
};

}  // namespace

TextColumn take_texts(const Texts& texts, std::span<const int64_t> rows) {
  TextColumn taken;
  size_t bytes = 0;
  for (const int64_t row : rows) {
    check_row(row, static_cast<int64_t>(texts.size()));
    bytes += texts[static_cast<size_t>(row)].size();
  }
  taken.blob.reserve(bytes);
  taken.offsets.reserve(rows.size() + 1);
  for (const int64_t row : rows) taken.add(texts[static_cast<size_t>(row)]);
  return taken;
}

CsrArrays take_rows(const std::vector<Csr>& matrices, std::span<const int64_t> rows) {
  std::vector<int64_t> starts{0};
  for (const Csr& matrix : matrices) starts.push_back(starts.back() + static_cast<int64_t>(matrix.rows()));
  CsrArrays taken;
  taken.offsets.reserve(rows.size() + 1);
  std::vector<RowEntries> found;
  found.reserve(rows.size());
  for (const int64_t row : rows) {
    check_row(row, starts.back());
    const auto part = std::ranges::upper_bound(starts, row) - starts.begin() - 1;
    const Csr& matrix = matrices[part];
    const int64_t own = row - starts[part];
    const int64_t begin = matrix.offsets[own], end = matrix.offsets[own + 1];
    if (begin < 0 || begin > end || end > static_cast<int64_t>(matrix.values.size()))
      throw InputError("feature matrix: the offsets of row " + std::to_string(row) + " are wrong");
    found.push_back({&matrix, begin, end});
    taken.offsets.push_back(taken.offsets.back() + end - begin);
  }
  taken.columns.reserve(static_cast<size_t>(taken.offsets.back()));
  taken.values.reserve(static_cast<size_t>(taken.offsets.back()));
  for (const auto& [matrix, begin, end] : found) {
    taken.columns.insert(taken.columns.end(), matrix->columns.begin() + begin, matrix->columns.begin() + end);
    taken.values.insert(taken.values.end(), matrix->values.begin() + begin, matrix->values.begin() + end);
  }
  return taken;
}

CsrArrays renumber(const Csr& matrix, std::span<const int32_t> columns, size_t filled) {
  if (columns.size() != matrix.width)
    throw InputError("expected new numbers for " + std::to_string(matrix.width) + " columns, found " +
                     std::to_string(columns.size()));
  CsrArrays result;
  result.offsets.reserve(matrix.rows() + 1);
  result.columns.reserve(matrix.columns.size());
  result.values.reserve(matrix.values.size());
  std::vector<double> first(filled);
  std::vector<std::pair<int32_t, double>> others;
  for (size_t row = 0; row < matrix.rows(); ++row) {
    std::fill(first.begin(), first.end(), 0.0);
    others.clear();
    for (int64_t k = matrix.offsets[row]; k < matrix.offsets[row + 1]; ++k) {
      const int32_t column = columns[static_cast<size_t>(matrix.columns[k])];
      if (column < 0) throw InputError("column " + std::to_string(matrix.columns[k]) + " has no new number");
      if (static_cast<size_t>(column) < filled)
        first[static_cast<size_t>(column)] = matrix.values[k];
      else
        others.emplace_back(column, matrix.values[k]);
    }
    const auto by_column = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::ranges::is_sorted(others, by_column)) std::ranges::sort(others, by_column);
    for (size_t column = 0; column < filled; ++column) result.columns.push_back(static_cast<int32_t>(column));
    result.values.insert(result.values.end(), first.begin(), first.end());
    for (const auto& [column, value] : others) {
      result.columns.push_back(column);
      result.values.push_back(value);
    }
    result.offsets.push_back(static_cast<int64_t>(result.values.size()));
  }
  return result;
}

}  // namespace tunesmith::candidates
