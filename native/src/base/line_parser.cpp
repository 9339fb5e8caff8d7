#include "tunesmith/base/line_parser.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/base/text.h"

namespace tunesmith {

namespace {

/// In bytes: candidate lists may have a list per line. A small compressed file must not take all memory.
constexpr size_t kLongestLine = size_t{1} << 30;

void check_length(size_t bytes, int64_t line) {
  if (bytes > kLongestLine)
    throw InputError(
        "a line of more than " + std::to_string(kLongestLine) + " bytes; are its line ends missing?", line);
}

}  // namespace

void LineParser::feed(std::string_view chunk) {
  if (closed_) throw InputError("this parser has ended; make a new one");
  closed_ = true;  // remains closed if a line throws
  size_t start = 0;
  for (size_t end; (end = chunk.find('\n', start)) != std::string_view::npos; start = end + 1) {
    const std::string_view piece = chunk.substr(start, end - start);
    if (rest_.empty()) {
      take_line(piece);
    } else {
      check_length(rest_.size() + piece.size(), line_ + 1);
      rest_.append(piece);
      take_line(rest_);
      rest_.clear();
    }
  }
  check_length(rest_.size() + chunk.size() - start, line_ + 1);
  rest_.append(chunk.substr(start));
  closed_ = false;
}

void LineParser::finish() {
  if (closed_) throw InputError("this parser has ended; make a new one");
  closed_ = true;
  if (!rest_.empty()) take_line(rest_);
  if (line_ == 0 && !may_be_empty()) throw InputError("the file is empty");
  end();
}

void LineParser::take_line(std::string_view line) {
  ++line_;
  if (line_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const size_t invalid = find_invalid_utf8(line);
  if (invalid != std::string_view::npos)
    throw InputError(
        "not UTF-8: " + quoted(line.substr(invalid, 1)) + " at byte " + std::to_string(invalid + 1), line_);
  try {
    parse_line(line);
  } catch (const InputError& error) {
    if (!error.path().empty()) throw;  // the error is in another file
    throw InputError(error.what(), line_);
  }
}

}  // namespace tunesmith
