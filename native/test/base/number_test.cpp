#include "tunesmith/base/number.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "check.h"

namespace tunesmith::number_test {

TEST(a_double_survives_writing_and_reading) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    double value;
    const uint64_t bits = random();
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    std::string text;
    append_number(value, text);
    const auto read = parse_number(text);
    CHECK(read && std::memcmp(&*read, &value, sizeof value) == 0);
  }
}

TEST(short_decimals_are_read_as_the_c_library_reads_them) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    std::string text = i % 2 == 0 ? "-" : "";
    const size_t digits = 1 + random() % 17, point = random() % (digits + 1);
    for (size_t k = 0; k < digits; ++k) {
      if (k == point) text += '.';
      text += static_cast<char>('0' + random() % 10);
    }
    const auto read = parse_number(text);
    CHECK(read && *read == std::strtod(text.c_str(), nullptr));
  }
}

TEST(numbers_outside_the_doubles_are_infinite_or_zero) {
  CHECK(*parse_number("1e400") == std::numeric_limits<double>::infinity());
  CHECK(*parse_number("-1e400") == -std::numeric_limits<double>::infinity());
  CHECK(*parse_number("1e-400") == 0);
  CHECK(std::signbit(*parse_number("-1e-400")));
  CHECK(*parse_number("4.9406564584124654e-324") > 0);
  CHECK(std::isnan(*parse_number("nan")));
}

TEST(text_that_is_not_a_number_is_rejected) {
  for (const char* text : {"", " ", "-", "+", ".", "e1", "1e", "1 ", " 1", "1x", "0x1", "1,0", "+-1", "--1"})
    CHECK(!parse_number(text));
}

}  // namespace tunesmith::number_test
