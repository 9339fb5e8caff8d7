// Non-owning view of a pool's candidate lists and features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tunesmith/base/csr.h"
#include "tunesmith/base/matrix.h"
#include "tunesmith/base/texts.h"

namespace tunesmith::candidates {

/// Candidate lists: list g is the rows [offsets[g], offsets[g + 1]) of the feature matrix.
struct CandidateLists {
  std::span<const int64_t> offsets;
  Csr features;

  size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
};

}  // namespace tunesmith::candidates
