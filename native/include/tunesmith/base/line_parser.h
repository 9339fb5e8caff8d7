// Push parsing of lines: chunks of bytes in, whole lines out, wherever the chunks are cut.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tunesmith {

/// Keeps an incomplete last line until its rest comes. LF ends a line, a CR before it is dropped, as
/// is a byte order mark before the first line. Lines that are not UTF-8 are an InputError. Whatever a
/// derived class throws gets the number of the line; after that the parser refuses to go on.
class LineParser {
 public:
  virtual ~LineParser() = default;

  void feed(std::string_view chunk);
  /// The last line may lack its end. A file without lines is an InputError, unless it may be empty.
  void finish();

 protected:
  virtual void parse_line(std::string_view line) = 0;
  /// Called after the last line.
  virtual void end() {}
  virtual bool may_be_empty() const { return false; }

 private:
  void take_line(std::string_view line);

  std::string rest_;
  int64_t line_ = 0;
  bool closed_ = false;
};

}  // namespace tunesmith
