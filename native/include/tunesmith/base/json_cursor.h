// Strict JSON pull parser (RFC 8259) for callers that know the expected structure. No tree is built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tunesmith {

/// Reads one text from start to end; every mismatch is an InputError with the byte position. The text must be
/// valid UTF-8 and outlive the cursor.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text) : text_(text) {}

  /// Calls field(key) for every key of an object, with the cursor on the value; field must read it.
  template <class Field>
  void object(Field field) {
    std::string scratch;
    expect('{', "an object");
    if (accept('}')) return;
    do {
      const std::string_view key = string(scratch);
      expect(':', "':'");
      field(key);
    } while (accept(','));
    expect('}', "',' or '}'");
  }

  /// Calls item() for every item of an array, with the cursor on it; item must read it.
  template <class Item>
  void array(Item item) {
    expect('[', "an array");
    if (accept(']')) return;
    do {
      item();
    } while (accept(','));
    expect(']', "',' or ']'");
  }

  /// The text of a string: a view of the input, or of `scratch` if it has escapes. A lone surrogate is an
  /// error, since UTF-8 cannot encode it.
  std::string_view string(std::string& scratch);

  double number();
  /// Whether the next value is null, which is then read.
  bool null();
  /// The digits of a whole number, or the text of a string.
  std::string_view string_or_integer(std::string& scratch);

  /// Expects the end of the text.
  void finish();

  [[noreturn]] void fail(const std::string& expected);

 private:
  void skip_blanks();
  bool accept(char c);
  void expect(char c, const char* what);
  void unescape(std::string& scratch);
  char32_t hex4();
  std::string_view number_text();
  bool digits();

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace tunesmith
