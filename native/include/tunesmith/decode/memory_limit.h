// The limit of the memory that the search of one sentence may hold.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tunesmith::decode {

/// Throws InputError if `bytes` exceeds the limit; 0: no limit. `smaller` names the options that make the
/// search smaller, such as "the pop limit or the stack size".
void check_memory(size_t bytes, size_t limit, uint32_t columns, bool is_sentence, const char* smaller);

}  // namespace tunesmith::decode
