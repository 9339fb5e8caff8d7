// Coding of feature rows as streams of bytes, for compression.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tunesmith/base/varint.h"
#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Dense rows repeat the columns of an earlier row, and many values repeat an earlier one of their column. A
/// row thus refers to an earlier list of columns or defines a new one; a value refers to an earlier value of
/// its column, or its four bytes go to four streams, from the sign down to the last bits.
struct ValueStreams {
  std::vector<uint8_t> shapes;   // per row: number of its list of columns; 0 for a new one
  std::vector<uint8_t> lists;    // per new list: its length, then differences of columns
  std::vector<uint8_t> repeats;  // per value: number among those of its column; 0 for a new one
  std::array<std::vector<uint8_t>, 4> planes;
};

/// Writes rows whose columns are below `columns`.
class ValueEncoder {
 public:
  explicit ValueEncoder(size_t columns) : counts_(columns), known_(64) {}

  void add(std::span<const FeatureValue> row);
  ValueStreams take() { return std::move(streams_); }

 private:
  struct Known {
    uint64_t key;     // column and bits of a value
    uint64_t number;  // from 1 within the column; 0 for a free slot
  };

  void add_shape(std::span<const FeatureValue> row);
  void add_value(const FeatureValue& feature);
  Known& slot(uint64_t key);
  void grow();

  ValueStreams streams_;
  std::string shape_, last_shape_;
  uint64_t last_number_ = 0;
  std::unordered_map<std::string, uint64_t> shapes_;
  std::vector<uint64_t> counts_;  // distinct values by column
  std::vector<Known> known_;      // open addressing; a power of two, at most half full
  size_t known_count_ = 0;
};

/// Reads rows whose columns are below `columns`; throws InputError for malformed streams. Refers to them.
class ValueDecoder {
 public:
  ValueDecoder(const ValueStreams& streams, size_t columns);

  void read(size_t rows, Rows<FeatureValue>& out);
  /// Throws InputError unless all bytes were read.
  void finish() const;

 private:
  size_t next_shape();
  float next_value(uint32_t column);

  const ValueStreams& streams_;
  VarintReader shapes_, lists_, repeats_;
  size_t plane_at_ = 0;
  Rows<uint32_t> known_shapes_;
  std::vector<std::vector<float>> values_;  // distinct ones by column
};

}  // namespace tunesmith::forest
