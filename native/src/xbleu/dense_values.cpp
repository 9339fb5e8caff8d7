#include "tunesmith/xbleu/dense_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/varint.h"

namespace tunesmith::xbleu {

namespace {

constexpr size_t kMostDifferent = 256;  // values that a byte can number
constexpr double kNoise = 0x1p-40;      // of sums in double precision, relative to their terms

void append_floats(std::span<const float> values, std::vector<uint8_t>& bytes) {
  const auto* begin = reinterpret_cast<const uint8_t*>(values.data());
  bytes.insert(bytes.end(), begin, begin + values.size_bytes());
}

std::vector<float> read_floats(VarintReader& reader, uint64_t count) {
  const auto bytes = reader.take(count * sizeof(float));
  std::vector<float> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
    throw InputError("a value of a feature is not finite");
  return values;
}

}  // namespace

DenseValues dense_differences(std::span<const double> values, size_t features) {
  DenseValues dense;
  const size_t candidates = features == 0 ? 0 : values.size() / features;
  std::vector<float> row(candidates);
  for (size_t column = 0; column < features; ++column) {
    const double first = values[column];
    for (size_t e = 0; e < candidates; ++e) {
      const double value = values[e * features + column], difference = value - first;
      const bool is_noise = std::abs(difference) <= kNoise * std::max(std::abs(value), std::abs(first));
      row[e] = is_noise ? 0 : static_cast<float>(difference);
    }
    if (std::ranges::all_of(row, [](float value) { return value == 0; })) continue;
    dense.columns.push_back(static_cast<uint16_t>(column));
    dense.values.insert(dense.values.end(), row.begin(), row.end());
  }
  return dense;
}

void append_packed(const DenseValues& dense, size_t candidates, std::vector<uint8_t>& bytes) {
  append_varint(dense.columns.size(), bytes);
  for (size_t i = 0; i < dense.columns.size(); ++i) {
    const auto row = dense.row(i, candidates).subspan(1);
    std::vector<float> different(row.begin(), row.end());
    std::ranges::sort(different);
    different.erase(std::unique(different.begin(), different.end()), different.end());
    const bool has_bytes = different.size() <= kMostDifferent &&
                           different.size() * sizeof(float) + row.size() < row.size_bytes();
    append_varint(dense.columns[i], bytes);
    append_varint(has_bytes ? different.size() : 0, bytes);
    append_floats(has_bytes ? std::span<const float>(different) : row, bytes);
    if (!has_bytes) continue;
    for (const float value : row)
      bytes.push_back(static_cast<uint8_t>(std::ranges::lower_bound(different, value) - different.begin()));
  }
}

DenseValues unpacked(std::span<const uint8_t> bytes, size_t candidates, size_t features) {
  VarintReader reader(bytes);
  DenseValues dense;
  const uint64_t columns = reader.next();
  if (columns > features || (columns > 0 && candidates == 0))
    throw InputError("a list has too many features");
  for (uint64_t i = 0; i < columns; ++i) {
    const uint64_t column = reader.next(), different = reader.next();
    if (column >= features || (i > 0 && column <= dense.columns.back()) || different > kMostDifferent)
      throw InputError("the features of a list are not in order");
    dense.columns.push_back(static_cast<uint16_t>(column));
    dense.values.push_back(0);
    const std::vector<float> values = read_floats(reader, different == 0 ? candidates - 1 : different);
    if (different == 0) {
      dense.values.insert(dense.values.end(), values.begin(), values.end());
      continue;
    }
    for (const uint8_t number : reader.take(candidates - 1)) {
      if (number >= different) throw InputError("a value of a feature has a number that is too large");
      dense.values.push_back(values[number]);
    }
  }
  if (reader.left() > 0) throw InputError("a block of values is too long");
  return dense;
}

}  // namespace tunesmith::xbleu
