// Chosen rows of texts and of feature matrices, in any order, by plain copying.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/name_table.h"
#include "tunesmith/pool.h"

namespace tunesmith {

struct CsrArrays {
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> columns;
  std::vector<double> values;
};

/// The chosen texts. A row outside is an InputError. O(bytes taken).
TextColumn take_texts(const Texts& texts, std::span<const int64_t> rows);

/// The chosen rows of a well-formed matrix. A row outside is an InputError. O(entries taken).
CsrArrays take_rows(const Csr& matrix, std::span<const int64_t> rows);

}  // namespace tunesmith
