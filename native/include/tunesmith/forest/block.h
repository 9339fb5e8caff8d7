// A forest as a block of bytes, a tenth of its arrays or less, that gives the same arrays back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// The arrays of a forest as bytes; `words` and `features` give the numbers that are written for those of the
/// arrays. Each kind of number is a stream of differences from what is likely (a tail from its head, a rule
/// from the next new one, a span from the rule's last, a value from the earlier ones of its feature), and
/// each stream is coded by how often its bytes occur. Values come back bit for bit. O(arrays).
std::vector<uint8_t> encode_forest(const ForestArrays& arrays, std::span<const uint32_t> words,
                                   std::span<const uint32_t> features);

/// Reads what `encode_forest` wrote. Bytes that it cannot have written are an InputError; whether the
/// arrays are a forest is for the constructor of Forest to check.
ForestArrays decode_forest(std::span<const uint8_t> block);

}  // namespace tunesmith::forest
