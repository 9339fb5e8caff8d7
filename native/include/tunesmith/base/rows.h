// Rows of different lengths (ragged arrays) in two flat arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith {

/// Row i is values[offsets[i], offsets[i + 1]).
template <class T>
struct Rows {
  std::vector<uint32_t> offsets{0};
  std::vector<T> values;

  size_t size() const { return offsets.size() - 1; }
  std::span<const T> operator[](size_t i) const {
    return {values.data() + offsets[i], values.data() + offsets[i + 1]};
  }
  /// Ends the row whose entries were appended to `values`.
  void close() { offsets.push_back(static_cast<uint32_t>(values.size())); }
  void add(std::span<const T> row) {
    values.insert(values.end(), row.begin(), row.end());
    close();
  }
};

/// Non-owning view of such rows.
template <class T>
struct RowsView {
  std::span<const uint32_t> offsets;
  std::span<const T> values;

  size_t size() const { return offsets.size() - 1; }
  std::span<const T> operator[](size_t i) const {
    return {values.data() + offsets[i], values.data() + offsets[i + 1]};
  }
};

/// A feature's column (index of its name) and value.
struct FeatureValue {
  uint32_t column;
  float value;

  friend bool operator==(const FeatureValue&, const FeatureValue&) = default;
};

}  // namespace tunesmith
