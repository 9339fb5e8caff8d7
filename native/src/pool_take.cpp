#include "tunesmith/pool_take.h"

#include <string>

#include "tunesmith/errors.h"

namespace tunesmith {

namespace {

/// Checks the rows and adds up their lengths.
size_t total_length(std::span<const int64_t> offsets, std::span<const int64_t> rows) {
  const auto size = static_cast<int64_t>(offsets.size()) - 1;
  size_t total = 0;
  for (const int64_t row : rows) {
    if (row < 0 || row >= size)
      throw InputError("row " + std::to_string(row) + " is outside 0.." + std::to_string(size));
    total += static_cast<size_t>(offsets[row + 1] - offsets[row]);
  }
  return total;
}

}  // namespace

TextColumn take_texts(const Texts& texts, std::span<const int64_t> rows) {
  TextColumn taken;
  taken.blob.reserve(total_length(texts.offsets, rows));
  taken.offsets.reserve(rows.size() + 1);
  for (const int64_t row : rows) taken.add(texts[static_cast<size_t>(row)]);
  return taken;
}

CsrArrays take_rows(const Csr& matrix, std::span<const int64_t> rows) {
  CsrArrays taken;
  const size_t entries = total_length(matrix.offsets, rows);
  taken.columns.reserve(entries);
  taken.values.reserve(entries);
  taken.offsets.reserve(rows.size() + 1);
  for (const int64_t row : rows) {
    const int64_t begin = matrix.offsets[row], end = matrix.offsets[row + 1];
    taken.columns.insert(taken.columns.end(), matrix.columns.begin() + begin, matrix.columns.begin() + end);
    taken.values.insert(taken.values.end(), matrix.values.begin() + begin, matrix.values.begin() + end);
    taken.offsets.push_back(static_cast<int64_t>(taken.values.size()));
  }
  return taken;
}

}  // namespace tunesmith
