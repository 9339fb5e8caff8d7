// The values of the decoder's dense features in a list, and how they are packed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::xbleu {

/// Values of the features that differ within a list, less those of its first candidate: what all candidates
/// share changes no posterior.
struct DenseValues {
  std::vector<uint16_t> columns;  // features that vary, ascending
  std::vector<float> values;      // one row per column, with a value per candidate; that of the first is 0

  std::span<const float> row(size_t i, size_t candidates) const {
    return std::span(values).subspan(i * candidates, candidates);
  }
};

/// From the values of each candidate, one after the other. Differences that may be those of rounding, as
/// values are sums over phrases, are 0.
DenseValues dense_differences(std::span<const double> values, size_t features);

/// Appends packed values. Each row is either its different values and a byte per candidate, or all values,
/// whichever is shorter: candidates of a list share most of their phrases, so that few values differ.
void append_packed(const DenseValues& dense, size_t candidates, std::vector<uint8_t>& bytes);
/// Reads them back; bytes that do not fit the number of candidates and features are an InputError.
DenseValues unpacked(std::span<const uint8_t> bytes, size_t candidates, size_t features);

}  // namespace tunesmith::xbleu
