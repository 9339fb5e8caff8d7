// Rows of texts and of feature matrices, chosen in any order, or with other columns.
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

/// The chosen texts. A row outside is an InputError. O(bytes taken).
TextColumn take_texts(const Texts& texts, std::span<const int64_t> rows);

/// The chosen rows of well-formed matrices laid one after another. A row outside is an InputError.
/// O(entries taken).
CsrArrays take_rows(const std::vector<Csr>& matrices, std::span<const int64_t> rows);

/// The rows with column c as `columns[c]`, rising; no two columns may go to the same one. The first
/// `filled` columns are in every row, zeros too. O(entries log entries of a row).
CsrArrays renumber(const Csr& matrix, std::span<const int32_t> columns, size_t filled);

}  // namespace tunesmith::candidates
