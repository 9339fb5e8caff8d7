// Marks of lists and forests: into which set they are compiled.
#pragma once

#include <cstdint>

namespace tunesmith::bind {

/// 0 is for the first set, that of training, and 1 for the second; what has this mark goes nowhere.
inline constexpr uint8_t kNoSet = 2;

}  // namespace tunesmith::bind
