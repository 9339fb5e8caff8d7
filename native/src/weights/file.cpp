#include "tunesmith/weights/file.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/base/text.h"

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

template <class T>
std::span<const T> column(const Container& file, std::string_view name, size_t size) {
  const auto values = file.section<T>(name);
  if (values.size() != size)
    throw InputError("is damaged: its section " + quoted(name) + " has " + std::to_string(values.size()) +
                         " values for " + std::to_string(size) + " features",
                     file.path());
  return values;
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
  const Container file(path, kWeightsKind, kWeightsVersion);
  file.release();  // pages that verification touched would add to the memory of the store
  const auto keys = file.section<uint64_t>("keys");
  const auto weights = column<double>(file, "weights", keys.size());
  const auto rates = column<double>(file, "rates", keys.size());
  const auto drifts = column<double>(file, "drifts", keys.size());
  const auto last_steps = column<int64_t>(file, "last_steps", keys.size());
  const auto offsets = column<int64_t>(file, "name_offsets", keys.size() + 1);
  const auto blob = file.section<char>("names");
  const auto damaged = [&](const std::string& what) -> InputError { return {"is damaged: " + what, path}; };
  try {
    check_offsets(offsets, blob.size(), "names");
  } catch (const InputError& error) {
    throw damaged(error.message());
  }

  const Texts names{blob, offsets};
  const auto about = file.section<char>("about");
  WeightFile read{{}, {about.begin(), about.end()}};
  read.store.reserve(keys.size(), blob.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    const std::string_view name = names[i];
    if (find_invalid_utf8(name) != std::string_view::npos)
      throw damaged("the name of feature " + std::to_string(i) + " is not UTF-8");
    if (key_of(name) != keys[i]) throw damaged("the key of " + quoted(name) + " is not that of its name");
    if (read.store.insert(FeatureName{{&name, 1}, keys[i]}) != i)
      throw damaged("the feature " + quoted(name) + " is repeated");
    const double numbers[] = {weights[i], rates[i], drifts[i]};
    if (!std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); }) || rates[i] < 0 ||
        last_steps[i] < 0)
      throw damaged("the weight of " + quoted(name) + " or its rate, drift or last step is not possible");
    read.store.set_weight(static_cast<uint32_t>(i), weights[i]);
    read.store.set_memory(static_cast<uint32_t>(i), rates[i], drifts[i], last_steps[i]);
    constexpr size_t kBlock = 1 << 18;
    if (i % kBlock == kBlock - 1) file.release();
  }
  return read;
}

}  // namespace tunesmith::weights
