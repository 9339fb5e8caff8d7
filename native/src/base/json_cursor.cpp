#include "tunesmith/base/json_cursor.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/base/number.h"
#include "tunesmith/base/quote.h"

namespace tunesmith {

namespace {

void append_utf8(char32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

}  // namespace

void JsonCursor::fail(const std::string& expected) {
  size_t length = 1;  // show a whole character
  while (at_ + length < text_.size() && (static_cast<unsigned char>(text_[at_ + length]) & 0xc0) == 0x80)
    ++length;
  const std::string found = at_ < text_.size() ? quoted(text_.substr(at_, length)) : "the end of the line";
  throw InputError("unexpected JSON: expected " + expected + " at byte " + std::to_string(at_ + 1) +
                   ", found " + found);
}

void JsonCursor::skip_blanks() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n'))
    ++at_;
}

bool JsonCursor::accept(char c) {
  skip_blanks();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void JsonCursor::expect(char c, const char* what) {
  if (!accept(c)) fail(what);
}

void JsonCursor::finish() {
  skip_blanks();
  if (at_ < text_.size()) fail("nothing more");
}

std::string_view JsonCursor::string(std::string& scratch) {
  expect('"', "a string");
  const size_t begin = at_;
  bool escapes = false;
  for (;; ++at_) {
    if (at_ >= text_.size()) fail("a closing quote");
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte == '"') break;
    if (byte < 0x20) fail("an escape instead of a control character");
    if (byte == '\\') {
      if (!escapes) scratch.assign(text_, begin, at_ - begin);
      escapes = true;
      unescape(scratch);
    } else if (escapes) {
      scratch += text_[at_];
    }
  }
  ++at_;
  return escapes ? std::string_view(scratch) : text_.substr(begin, at_ - 1 - begin);
}

/// Reads the escape at the cursor and stops on its last byte.
void JsonCursor::unescape(std::string& scratch) {
  constexpr std::string_view kShort = "\"\\/bfnrt", kMeaning = "\"\\/\b\f\n\r\t";
  ++at_;
  if (at_ < text_.size() && text_[at_] == 'u') {
    char32_t c = hex4();
    if (c >= 0xd800 && c < 0xdc00) {
      if (text_.substr(at_ + 1, 2) != "\\u") fail("the second half of a surrogate pair");
      at_ += 2;
      const char32_t low = hex4();
      if (low < 0xdc00 || low > 0xdfff) fail("the second half of a surrogate pair");
      c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    } else if (c >= 0xdc00 && c <= 0xdfff) {
      fail("a character instead of half a surrogate pair");
    }
    append_utf8(c, scratch);
    return;
  }
  const size_t which = at_ < text_.size() ? kShort.find(text_[at_]) : std::string_view::npos;
  if (which == std::string_view::npos) fail("one of \"\\/bfnrtu");
  scratch += kMeaning[which];
}

/// Reads the four digits after the `u` at the cursor and stops on the last one.
char32_t JsonCursor::hex4() {
  char32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    ++at_;
    const char c = at_ < text_.size() ? text_[at_] : ' ';
    if (c >= '0' && c <= '9')
      value = value * 16 + static_cast<char32_t>(c - '0');
    else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
      value = value * 16 + static_cast<char32_t>((c | 0x20) - 'a' + 10);
    else
      fail("a hexadecimal digit");
  }
  return value;
}

bool JsonCursor::digits() {
  const size_t begin = at_;
  while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
  return at_ > begin;
}

std::string_view JsonCursor::number_text() {
  skip_blanks();
  const size_t begin = at_;
  const auto next = [&](char c) { return at_ < text_.size() && text_[at_] == c && ++at_; };
  next('-');
  if (!next('0') && !digits()) fail("a finite number");
  if (next('.') && !digits()) fail("a digit");
  if (next('e') || next('E')) {
    if (!next('+')) next('-');
    if (!digits()) fail("a digit");
  }
  return text_.substr(begin, at_ - begin);
}

double JsonCursor::number() { return *parse_number(number_text()); }

bool JsonCursor::null() {
  skip_blanks();
  if (!text_.substr(at_).starts_with("null")) return false;
  at_ += 4;
  return true;
}

std::string_view JsonCursor::string_or_integer(std::string& scratch) {
  skip_blanks();
  if (at_ < text_.size() && text_[at_] == '"') return string(scratch);
  const size_t begin = at_;
  const std::string_view text = number_text();
  if (text.find_first_of(".eE") != std::string_view::npos || text == "-0") {
    at_ = begin;
    fail("a string or a whole number");
  }
  return text;
}

}  // namespace tunesmith
