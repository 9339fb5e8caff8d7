// Order-0 entropy coding of bytes: range asymmetric numeral systems, rANS (Duda 2013).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/varint.h"

namespace tunesmith {

/// Appends `bytes`, coded if that is shorter: about their order-0 entropy, plus a table of two or three bytes
/// per distinct byte. O(bytes).
void append_coded(std::span<const uint8_t> bytes, std::vector<uint8_t>& out);

/// Reads what `append_coded` wrote. Damage is either an InputError or undetected (wrong bytes): callers that
/// must detect it keep a checksum. Returns at most about 2^15 bytes per byte read.
std::vector<uint8_t> read_coded(VarintReader& in);

}  // namespace tunesmith
