// Selection of rows of texts and feature matrices, and renumbering of columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/csr.h"
#include "tunesmith/base/name_table.h"
#include "tunesmith/base/texts.h"

namespace tunesmith::candidates {

struct CsrArrays {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;
  std::vector<double> values;
};

/// The chosen texts. A row out of range is an InputError. O(bytes taken).
TextColumn take_texts(const Texts& texts, std::span<const int64_t> rows);

/// The chosen rows of the vertical concatenation of well-formed matrices. A row out of range is an
/// InputError. O(entries taken).
CsrArrays take_rows(const std::vector<Csr>& matrices, std::span<const int64_t> rows);

/// The matrix with column c renumbered as `columns[c]`, columns rising in each row; no two may get the same
/// number. The first `filled` columns are stored in every row, including zeros. O(entries log entries per
/// row).
CsrArrays renumber(const Csr& matrix, std::span<const int32_t> columns, size_t filled);

}  // namespace tunesmith::candidates
