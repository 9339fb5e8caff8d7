// Fields of Moses tables: `source ||| target ||| numbers ||| ...`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tunesmith::corpus {

/// Splits a line at `|||` and trims blanks.
void split_fields(std::string_view line, std::vector<std::string_view>& fields);

/// Appends the numbers of a field; anything but a finite number >= 0 is an InputError.
void parse_probabilities(std::string_view field, std::vector<float>& values);

/// Appends a word, with `|` (the separator of fields and factors) escaped as `&#124;`.
void append_escaped(std::string_view word, std::string& text);

/// Appends a number as Moses prints it, with up to `digits` significant digits.
void append_rounded(float value, int digits, std::string& text);

}  // namespace tunesmith::corpus
