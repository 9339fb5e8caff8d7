// The library's exception type. Bindings translate it into tunesmith.errors.InputError.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tunesmith {

/// Invalid input. `line` counts from 1; 0 if the error is not about a line. `path` is the faulty file if it
/// is known here; then callers that read another file must not prefix that file's name or line.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message, int64_t line = 0)
      : std::runtime_error(message), line_(line) {}
  InputError(const std::string& message, const std::string& path)
      : std::runtime_error(path + ": " + message), path_(path) {}
  int64_t line() const { return line_; }
  const std::string& path() const { return path_; }
  /// The message without the path.
  std::string message() const { return what() + (path_.empty() ? 0 : path_.size() + 2); }

 private:
  int64_t line_ = 0;
  std::string path_;
};

}  // namespace tunesmith
