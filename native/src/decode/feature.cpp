#include "tunesmith/decode/feature.h"

#include <algorithm>

namespace tunesmith::decode {

void SparseWeights::set(std::string_view name, float weight) {
  const auto number = static_cast<size_t>(names_.intern(name));
  values_.resize(std::max(values_.size(), number + 1));
  values_[number] = weight;
}

}  // namespace tunesmith::decode
