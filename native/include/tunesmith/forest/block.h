// Lossless compression of a forest into a block of bytes, a tenth of its arrays or less.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Compresses the arrays of a forest; `words` and `features` map its word and feature numbers to those to be
/// written. Each kind of number is a stream of differences from a prediction (a tail from its head, a rule
/// from the next new one, a span from the rule's last, a value from earlier ones of its feature), and each
/// stream is entropy-coded by byte frequencies. Values are restored bit for bit. O(arrays).
std::vector<uint8_t> encode_forest(const ForestArrays& arrays, std::span<const uint32_t> words,
                                   std::span<const uint32_t> features);

/// Inverse of `encode_forest`. Throws InputError for malformed bytes; whether the arrays are a valid forest
/// is checked by the constructor of Forest.
ForestArrays decode_forest(std::span<const uint8_t> block);

}  // namespace tunesmith::forest
