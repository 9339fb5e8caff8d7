#include "tunesmith/base/quote.h"

#include <algorithm>
#include <cstdio>

#include "tunesmith/base/text.h"

namespace tunesmith {

std::string quoted(std::string_view text) {
  constexpr size_t kLongest = 60;
  size_t end = std::min(text.size(), kLongest);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  const std::string_view shown = text.substr(0, end);
  const bool valid = find_invalid_utf8(shown) == std::string_view::npos;
  std::string result = "'";
  for (const char c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !valid)) {
      char escape[5];
      std::snprintf(escape, sizeof escape, "\\x%02x", byte);
      result += escape;
    } else {
      result += c;
    }
  }
  return result + (end < text.size() ? "...'" : "'");
}

}  // namespace tunesmith
