// The file of a weight store: a container (base/container.h) of its columns and names.
#pragma once

#include <string>
#include <string_view>

#include "tunesmith/weights/store.h"

namespace tunesmith::weights {

inline constexpr std::string_view kWeightsKind = "weights";
inline constexpr uint32_t kWeightsVersion = 1;

/// A store and what is recorded of how it was made: JSON, which only the caller reads.
struct WeightFile {
  WeightStore store;
  std::string about;
};

/// Writes keys, weights, rates, drifts, last steps, names and `about`, atomically.
void write_weights(const WeightStore& store, std::string_view about, const std::string& path);

/// Reads it back to the bit, in the same order. Verified as other containers are; a key that is not that of
/// its name, a name that is repeated or not UTF-8, and a number that is not finite are errors, too.
WeightFile read_weights(const std::string& path);

}  // namespace tunesmith::weights
