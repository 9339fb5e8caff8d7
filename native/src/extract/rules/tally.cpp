#include "tunesmith/extract/rules/tally.h"

#include <cstring>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"

namespace tunesmith::extract::rules {

namespace {

constexpr size_t kFirstSlots = 1024;

struct Saved {
  uint64_t weight;
  uint64_t occurrences;
  uint64_t length;
};

}  // namespace

void TallyTable::add(std::string_view key, const Tally& tally) {
  if (slots_.size() < 2 * (entries_.size() + 1)) grow();
  const auto hash = static_cast<uint32_t>(hash_bytes(key));
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash != hash || entry.length != key.size() ||
        std::memcmp(keys_.data() + entry.begin, key.data(), key.size()) != 0)
      continue;
    entry.weight += tally.weight;
    entry.occurrences += tally.occurrences;
    return;
  }
  if (entries_.size() >= UINT32_MAX - 1)
    throw InputError("a part of the rule counts has 2^32 - 2 entries; extract from less text or fewer rules");
  entries_.push_back(
      {keys_.size(), tally.weight, static_cast<uint32_t>(key.size()), hash, tally.occurrences});
  keys_.insert(keys_.end(), key.begin(), key.end());
  slots_[slot] = static_cast<uint32_t>(entries_.size());
}

void TallyTable::grow() {
  slots_.assign(slots_.empty() ? kFirstSlots : 2 * slots_.size(), 0);
  const size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < entries_.size(); ++i) {
    size_t slot = entries_[i].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<uint32_t>(i + 1);
  }
}

size_t TallyTable::bytes() const {
  return keys_.capacity() + entries_.capacity() * sizeof(Entry) + slots_.capacity() * sizeof(uint32_t);
}

void TallyTable::clear() { *this = TallyTable(); }

void TallyTable::save(Scratch& scratch) const {
  for (size_t i = 0; i < size(); ++i) {
    const Saved saved{entries_[i].weight, entries_[i].occurrences, entries_[i].length};
    scratch.append({reinterpret_cast<const char*>(&saved), sizeof(saved)});
    scratch.append(key(i));
  }
}

void TallyTable::load(std::string_view bytes) {
  while (!bytes.empty()) {
    Saved saved;
    std::memcpy(&saved, bytes.data(), sizeof(saved));
    add(bytes.substr(sizeof(saved), saved.length), {saved.weight, saved.occurrences});
    bytes.remove_prefix(sizeof(saved) + saved.length);
  }
}

}  // namespace tunesmith::extract::rules
