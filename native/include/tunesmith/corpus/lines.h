// Raw lines of text: read in chunks, stripped of control characters, counted, joined.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/base/name_table.h"

namespace tunesmith::corpus {

/// Buffers lines until they are taken, so that a long file can be processed in blocks.
class LineCollector : public LineParser {
 public:
  size_t size() const { return lines_.size() - taken_; }
  /// Removes and returns the first lines, at most `most`. O(bytes taken).
  TextColumn take(size_t most);

 protected:
  void parse_line(std::string_view line) override { lines_.add(line); }

 private:
  TextColumn lines_;
  size_t taken_ = 0;  // of lines_
};

/// Lines with one space between tokens and none at the ends. White space of any kind (tabs, U+2028, U+00A0)
/// separates tokens; other control characters (U+0000 to U+001F, U+007F to U+009F) are removed, and
/// `controls[i]` is 1 if line i had one. The text must be UTF-8.
struct SpacedLines {
  TextColumn lines;
  std::vector<uint8_t> controls;
};
SpacedLines space_lines(const Texts& lines);

/// The number of tokens per line; tokens are separated by ASCII spaces.
std::vector<int64_t> count_tokens(const Texts& lines);

/// All lines as one text, each followed by a line end.
std::string join_lines(const Texts& lines);

}  // namespace tunesmith::corpus
