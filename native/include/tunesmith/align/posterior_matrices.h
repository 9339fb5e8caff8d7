// Storage of link posteriors: the concatenated matrices of all sentence pairs.
#pragma once

#include <string>
#include <vector>

#include "tunesmith/align/pair_table.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::align {

/// n * m values per pair, source-major; a pair with too many cells is an InputError.
struct PosteriorMatrices {
  PosteriorMatrices(const corpus::Sentences& source, const corpus::Sentences& target)
      : offsets(source.size() + 1) {
    for (size_t pair = 0; pair < source.size(); ++pair) {
      const auto cells = static_cast<int64_t>(source[pair].size() * target[pair].size());
      if (cells > kMostCells)
        throw InputError("the pair has " + std::to_string(cells) + " cells; the limit for posteriors is " +
                             std::to_string(kMostCells) + ": split the sentences",
                         static_cast<int64_t>(pair) + 1);
      offsets[pair + 1] = offsets[pair] + cells;
    }
    values.resize(static_cast<size_t>(offsets.back()));
  }
  float* matrix(size_t pair) { return values.data() + offsets[pair]; }

  std::vector<int64_t> offsets;
  std::vector<float> values;
};

}  // namespace tunesmith::align
