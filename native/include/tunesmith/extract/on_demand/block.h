// A per-sentence grammar as a compressed block of bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/extract/on_demand/format.h"
#include "tunesmith/extract/on_demand/grammar.h"

namespace tunesmith::extract::on_demand {

/// Numbers of variable length, coded by their order-0 entropy (base/byte_coder.h); a lexical cost is stored
/// once per sentence. Counts that the rules of a source side share are stored once. Lossless. Throws
/// InputError if counts are not whole, or not shared by the rules of a side. O(symbols).
std::vector<uint8_t> packed_grammar(const GrammarView& grammar);

/// Reads what `packed_grammar` wrote. Damage is an InputError, or gives another grammar (the file has
/// checksums).
Grammar unpacked_grammar(std::span<const uint8_t> bytes);

}  // namespace tunesmith::extract::on_demand
