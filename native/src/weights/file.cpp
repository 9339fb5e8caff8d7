#include "tunesmith/weights/file.h"

#include <algorithm>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/weights/columns.h"

namespace tunesmith::weights {

namespace {

/// Writes one field of all records as a section, in blocks: the whole column is never in memory.
template <class T>
void write_column(ContainerWriter& writer, std::string_view name, const WeightStore& store,
                  T WeightRecord::* field) {
  constexpr size_t kBlock = 1 << 16;
  std::vector<T> block;
  block.reserve(kBlock);
  writer.open<T>(name);
  for (size_t begin = 0; begin < store.size(); begin += kBlock) {
    block.clear();
    for (size_t i = begin; i < std::min(begin + kBlock, store.size()); ++i)
      block.push_back(store.record(static_cast<uint32_t>(i)).*field);
    writer.append(std::span<const T>(block));
  }
}

}  // namespace

void write_weights(const WeightStore& store, std::string_view about, const std::string& path) {
  ContainerWriter writer(path, kWeightsKind, kWeightsVersion);
  writer.add("keys", store.keys());
  write_column(writer, "weights", store, &WeightRecord::weight);
  write_column(writer, "rates", store, &WeightRecord::rate);
  write_column(writer, "drifts", store, &WeightRecord::drift);
  write_column(writer, "last_steps", store, &WeightRecord::last);
  writer.add("names", store.names().blob);
  writer.add("name_offsets", store.names().offsets);
  writer.add("about", std::span<const char>(about));
  writer.finish();
}

WeightFile read_weights(const std::string& path) {
  constexpr size_t kBlock = 1 << 16;
  const WeightColumns columns(path);
  WeightFile read{{}, std::string(columns.about())};
  read.store.reserve(columns.size(), columns.name_bytes());
  for (size_t begin = 0; begin < columns.size(); begin += kBlock) {
    const size_t end = std::min(begin + kBlock, columns.size());
    columns.check(begin, end);
    for (size_t i = begin; i < end; ++i) {
      const std::string_view name = columns.name(i);
      const uint32_t number = read.store.insert(FeatureName{{&name, 1}, columns.key(i)});
      if (number != i) throw columns.repeated(i);
      const WeightRecord record = columns.record(i);
      read.store.set_weight(number, record.weight);
      read.store.set_memory(number, record.rate, record.drift, record.last);
    }
    columns.release();  // pages that were read would add to the memory of the store
  }
  return read;
}

}  // namespace tunesmith::weights
