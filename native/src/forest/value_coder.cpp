#include "tunesmith/forest/value_coder.h"

#include <bit>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"

namespace tunesmith::forest {

void ValueEncoder::add(std::span<const FeatureValue> row) {
  add_shape(row);
  for (const FeatureValue& feature : row) add_value(feature);
}

void ValueEncoder::add_shape(std::span<const FeatureValue> row) {
  shape_.clear();
  for (const FeatureValue& feature : row)
    shape_.append(reinterpret_cast<const char*>(&feature.column), sizeof(feature.column));
  if (last_number_ == 0 || shape_ != last_shape_) {
    const auto [found, is_new] = shapes_.try_emplace(shape_, shapes_.size() + 1);
    last_shape_ = shape_;
    last_number_ = found->second;
    if (is_new) {
      append_varint(0, streams_.shapes);
      append_varint(row.size(), streams_.lists);
      int64_t next = 0;
      for (const FeatureValue& feature : row) {
        append_varint(to_zigzag(feature.column - next), streams_.lists);
        next = int64_t{feature.column} + 1;
      }
      return;
    }
  }
  append_varint(last_number_, streams_.shapes);
}

void ValueEncoder::add_value(const FeatureValue& feature) {
  const auto bits = std::bit_cast<uint32_t>(feature.value);
  const uint64_t key = uint64_t{feature.column} << 32 | bits;
  Known& known = slot(key);
  if (known.number > 0) {
    append_varint(known.number, streams_.repeats);
    return;
  }
  known = {key, ++counts_[feature.column]};
  if (2 * ++known_count_ > known_.size()) grow();
  append_varint(0, streams_.repeats);
  for (unsigned i = 0; i < 4; ++i) streams_.planes[i].push_back(static_cast<uint8_t>(bits >> (24 - 8 * i)));
}

ValueEncoder::Known& ValueEncoder::slot(uint64_t key) {
  size_t at = mix(0, key) & (known_.size() - 1);
  while (known_[at].number > 0 && known_[at].key != key) at = (at + 1) & (known_.size() - 1);
  return known_[at];
}

void ValueEncoder::grow() {
  std::vector<Known> old(2 * known_.size());
  old.swap(known_);
  for (const Known& known : old)
    if (known.number > 0) slot(known.key) = known;
}

ValueDecoder::ValueDecoder(const ValueStreams& streams, size_t columns)
    : streams_(streams),
      shapes_(streams.shapes),
      lists_(streams.lists),
      repeats_(streams.repeats),
      values_(columns) {
  for (const auto& plane : streams.planes)
    if (plane.size() != streams.planes[0].size()) throw InputError("the values of a block are damaged");
}

void ValueDecoder::read(size_t rows, Rows<FeatureValue>& out) {
  for (size_t i = 0; i < rows; ++i) {
    for (const uint32_t column : known_shapes_[next_shape()])
      out.values.push_back({column, next_value(column)});
    out.close();
  }
}

size_t ValueDecoder::next_shape() {
  const uint64_t number = shapes_.next();
  if (number > known_shapes_.size()) throw InputError("a list of columns of a block is damaged");
  if (number > 0) return number - 1;
  int64_t next = 0;
  for (uint64_t left = lists_.next(); left > 0; --left) {
    const int64_t column = next + lists_.next_difference();
    if (column < 0 || static_cast<uint64_t>(column) >= values_.size())
      throw InputError("a column of a block is damaged");
    known_shapes_.values.push_back(static_cast<uint32_t>(column));
    next = column + 1;
  }
  known_shapes_.close();
  return known_shapes_.size() - 1;
}

float ValueDecoder::next_value(uint32_t column) {
  std::vector<float>& known = values_[column];
  const uint64_t number = repeats_.next();
  if (number > known.size()) throw InputError("a value of a block is damaged");
  if (number > 0) return known[number - 1];
  if (plane_at_ == streams_.planes[0].size()) throw InputError("the values of a block end too early");
  uint32_t bits = 0;
  for (const auto& plane : streams_.planes) bits = bits << 8 | plane[plane_at_];
  ++plane_at_;
  known.push_back(std::bit_cast<float>(bits));
  return known.back();
}

void ValueDecoder::finish() const {
  if (shapes_.left() + lists_.left() + repeats_.left() > 0 || plane_at_ != streams_.planes[0].size())
    throw InputError("a block has unread values after its last row");
}

}  // namespace tunesmith::forest
