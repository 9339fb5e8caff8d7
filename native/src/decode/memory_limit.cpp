#include "tunesmith/decode/memory_limit.h"

#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::decode {

void check_memory(size_t bytes, size_t limit, uint32_t columns, bool is_sentence, const char* smaller) {
  if (limit == 0 || bytes <= limit) return;
  const bool is_small = limit < size_t{1} << 20;
  throw InputError("the sentence has " + std::to_string(columns) + (is_sentence ? " words" : " columns") +
                   " and needs more than " + std::to_string(is_small ? limit >> 10 : limit >> 20) +
                   (is_small ? " kB" : " MB") + "; lower " + smaller +
                   ", raise the memory limit, or split it");
}

}  // namespace tunesmith::decode
