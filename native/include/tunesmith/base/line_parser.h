// Push parser base class: takes chunks of bytes, split anywhere, and passes on whole lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tunesmith {

/// Buffers an incomplete line until the rest arrives. LF ends a line; a CR before it and a byte order mark
/// before the first line are dropped. A line that is not UTF-8 is an InputError. Errors of the derived class
/// get the line number; after an error the parser accepts no more input.
class LineParser {
 public:
  virtual ~LineParser() = default;

  void feed(std::string_view chunk);
  /// The last line may lack its line end. An empty file is an InputError unless `may_be_empty`.
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
