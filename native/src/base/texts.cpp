#include "tunesmith/base/texts.h"

#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith {

void check_offsets(std::span<const int64_t> offsets, size_t total, std::string_view what) {
  const std::string name(what);
  if (offsets.empty() || offsets.front() != 0) throw InputError(name + ": offsets must start with 0");
  for (size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] < offsets[i - 1]) throw InputError(name + ": offsets fall at index " + std::to_string(i));
  if (static_cast<size_t>(offsets.back()) != total)
    throw InputError(name + ": offsets end at " + std::to_string(offsets.back()) + ", expected " +
                     std::to_string(total));
}

}  // namespace tunesmith
