#include "tunesmith/weights/mapped.h"

#include <bit>
#include <vector>

#include "tunesmith/base/errors.h"

namespace tunesmith::weights {

MappedWeights::MappedWeights(const std::string& path)
    : container_(path, kKind, kVersion), slots_(container_.section<Slot>("slots")) {
  const auto size = container_.section<uint64_t>("size");
  if (size.size() != 1 || !std::has_single_bit(slots_.size()) || size[0] > slots_.size())
    throw InputError("is damaged: the size of its table is wrong", path);
  size_ = size[0];
}

void write_mapped_weights(const WeightStore& store, const std::string& path) {
  uint64_t size = 0;
  for (uint32_t i = 0; i < store.size(); ++i) size += store.weight_of(store.key(i)) != 0;
  std::vector<MappedWeights::Slot> slots(std::bit_ceil(size + size / 3 + 2));
  for (uint32_t i = 0; i < store.size(); ++i) {
    const uint64_t key = store.key(i);
    const float weight = store.weight_of(key);
    if (weight == 0) continue;
    size_t at = key & (slots.size() - 1);
    while (slots[at].key != 0) at = (at + 1) & (slots.size() - 1);
    slots[at] = {key, weight};
  }
  ContainerWriter writer(path, MappedWeights::kKind, MappedWeights::kVersion);
  writer.add("size", std::vector<uint64_t>{size});
  writer.add("slots", slots);
  writer.finish();
}

}  // namespace tunesmith::weights
