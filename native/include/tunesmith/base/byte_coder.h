// Entropy coding of bytes by how often each occurs (range variant of asymmetric numeral systems, Duda 2013).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/varint.h"

namespace tunesmith {

/// Appends `bytes`, coded where that is shorter: about their order-0 entropy, and a table of two or three
/// bytes for each byte that occurs. O(bytes).
void append_coded(std::span<const uint8_t> bytes, std::vector<uint8_t>& out);

/// Reads what `append_coded` wrote; damaged bytes are an InputError, or come out as other bytes: whoever
/// needs to know keeps a checksum. Never more than about 2^15 bytes for each byte that is read.
std::vector<uint8_t> read_coded(VarintReader& in);

}  // namespace tunesmith
