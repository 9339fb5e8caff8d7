// Views of a pool of candidates. The memory belongs to the caller; nothing is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tunesmith/csr.h"
#include "tunesmith/matrix.h"
#include "tunesmith/texts.h"

namespace tunesmith {

/// Candidate lists: list g is the rows [offsets[g], offsets[g + 1]) of the feature matrix.
struct Lists {
  std::span<const int64_t> offsets;
  Csr features;

  size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
};

}  // namespace tunesmith
