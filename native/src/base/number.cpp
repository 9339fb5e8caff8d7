#include "tunesmith/base/number.h"

#include <charconv>
#include <cstdint>
#include <limits>

namespace tunesmith {

namespace {

/// Whether a decimal outside the range of doubles underflows rather than overflows: the sign of the power of
/// ten of its first nonzero digit.
bool too_small(std::string_view text) {
  const size_t exponent_at = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, exponent_at);
  const size_t point = std::min(digits.find('.'), digits.size());
  const size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  const double place =
      first < point ? static_cast<double>(point - first) : -static_cast<double>(first - point);
  if (exponent_at == std::string_view::npos) return place < 0;
  std::string_view power = text.substr(exponent_at + 1);
  if (!power.empty() && power.front() == '+') power.remove_prefix(1);
  long long exponent = 0;
  const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
  if (error == std::errc::result_out_of_range) return power.front() == '-';
  return place + static_cast<double>(exponent) < 0;
}

/// Fast path for short decimals, which most numbers of candidate lists are. The digits as an integer below
/// 2^53 and the power of ten up to 10^15 are both exact doubles, so that their quotient is the nearest double
/// (Clinger 1990), at a third of the cost of the general case.
std::optional<double> parse_short_decimal(std::string_view text) {
  constexpr size_t kDigits = 15;
  static constexpr double kPowers[kDigits + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > kDigits + 1) return std::nullopt;
  int64_t digits = 0;
  size_t count = 0, point = text.size();
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] >= '0' && text[i] <= '9') {
      digits = 10 * digits + (text[i] - '0');
      ++count;
    } else if (text[i] == '.' && point == text.size()) {
      point = i;
    } else {
      return std::nullopt;
    }
  }
  if (count == 0 || count > kDigits) return std::nullopt;
  const size_t places = point == text.size() ? 0 : text.size() - 1 - point;
  const double value = static_cast<double>(digits) / kPowers[places];
  return negative ? -value : value;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  if (const auto value = parse_short_decimal(text)) return value;
  double value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    const double size = too_small(text) ? 0.0 : std::numeric_limits<double>::infinity();
    return text.front() == '-' ? -size : size;
  }
  return value;
}

void append_number(double value, std::string& out) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end);
}

}  // namespace tunesmith
