// Rows of different lengths in two flat arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith {

/// Rows of different lengths, side by side: row i is values[offsets[i], offsets[i + 1]).
template <class T>
struct Rows {
  std::vector<uint32_t> offsets{0};
  std::vector<T> values;

  size_t size() const { return offsets.size() - 1; }
  std::span<const T> operator[](size_t i) const {
    return {values.data() + offsets[i], values.data() + offsets[i + 1]};
  }
  /// Ends the row that was appended to `values`.
  void close() { offsets.push_back(static_cast<uint32_t>(values.size())); }
  void add(std::span<const T> row) {
    values.insert(values.end(), row.begin(), row.end());
    close();
  }
};

/// Rows that lie elsewhere.
template <class T>
struct RowsView {
  std::span<const uint32_t> offsets;
  std::span<const T> values;

  size_t size() const { return offsets.size() - 1; }
  std::span<const T> operator[](size_t i) const {
    return {values.data() + offsets[i], values.data() + offsets[i + 1]};
  }
};

/// A feature's column among some names, and its value.
struct FeatureValue {
  uint32_t column;
  float value;

  friend bool operator==(const FeatureValue&, const FeatureValue&) = default;
};

}  // namespace tunesmith
