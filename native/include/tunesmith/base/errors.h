// What the library throws. Bindings turn these into tunesmith.errors.InputError.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tunesmith {

/// Input that is not what it must be; `line` counts from 1, or is 0 where no line is to blame. `path` is the
/// file to blame where that is known here; what reads another file must not put its own name or line before
/// it.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message, int64_t line = 0)
      : std::runtime_error(message), line_(line) {}
  InputError(const std::string& message, const std::string& path)
      : std::runtime_error(path + ": " + message), path_(path) {}
  int64_t line() const { return line_; }
  const std::string& path() const { return path_; }
  /// What is wrong, without the path.
  std::string message() const { return what() + (path_.empty() ? 0 : path_.size() + 2); }

 private:
  int64_t line_ = 0;
  std::string path_;
};

}  // namespace tunesmith
