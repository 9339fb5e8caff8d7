// What the library throws. Bindings turn these into tunesmith.errors.InputError.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tunesmith {

/// Input that is not what it must be; `line` counts from 1, or is 0 where no line is to blame.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message, int64_t line = 0)
      : std::runtime_error(message), line_(line) {}
  int64_t line() const { return line_; }

 private:
  int64_t line_;
};

}  // namespace tunesmith
