#include "tunesmith/base/name_table.h"

#include <algorithm>
#include <limits>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"

namespace tunesmith {

size_t NameTable::slot(std::string_view name, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (slots_[at] != kUnknown) {
    const auto number = static_cast<size_t>(slots_[at]);
    if (hashes_[number] == hash && names_[number] == name) break;
    at = (at + 1) & mask;
  }
  return at;
}

int32_t NameTable::find(std::string_view name) const {
  return slots_.empty() ? kUnknown : slots_[slot(name, hash_bytes(name))];
}

int32_t NameTable::intern(std::string_view name) {
  if (2 * (size() + 1) > slots_.size()) grow();
  const uint64_t hash = hash_bytes(name);
  int32_t& number = slots_[slot(name, hash)];
  if (number == kUnknown) {
    if (size() >= static_cast<size_t>(std::numeric_limits<int32_t>::max()))
      throw InputError("too many different names: a table holds at most 2^31 - 1");
    number = static_cast<int32_t>(size());
    names_.add(name);
    hashes_.push_back(hash);
  }
  return number;
}

void NameTable::grow() {
  slots_.assign(std::max<size_t>(16, 2 * slots_.size()), kUnknown);
  const size_t mask = slots_.size() - 1;
  for (size_t number = 0; number < size(); ++number) {
    size_t at = hashes_[number] & mask;
    while (slots_[at] != kUnknown) at = (at + 1) & mask;
    slots_[at] = static_cast<int32_t>(number);
  }
}

}  // namespace tunesmith
