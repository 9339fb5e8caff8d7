// A matrix of link posteriors for each sentence pair, one after the other.
#pragma once

#include <string>
#include <vector>

#include "tunesmith/align/pair_table.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::align {

/// Room for n * m values a pair, source-major; pairs of too many cells are an InputError.
struct PosteriorMatrices {
  PosteriorMatrices(const corpus::Sentences& source, const corpus::Sentences& target)
      : offsets(source.size() + 1) {
    for (size_t pair = 0; pair < source.size(); ++pair) {
      const auto cells = static_cast<int64_t>(source[pair].size() * target[pair].size());
      if (cells > kMostCells)
        throw InputError("the pair has " + std::to_string(cells) + " cells; posteriors are given up to " +
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
