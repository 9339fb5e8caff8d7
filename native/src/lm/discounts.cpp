#include "tunesmith/lm/discounts.h"

#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::lm {

namespace {

/// Estimates the discounts; returns why that is impossible, or "".
std::string estimate(const OrderStatistics& statistics, Discounts& discounts) {
  const auto& t = statistics.of_count;
  for (int j = 1; j <= 3; ++j)
    if (t[j] == 0) return "no n-gram has the adjusted count " + std::to_string(j);
  const double y = static_cast<double>(t[1]) / static_cast<double>(t[1] + 2 * t[2]);
  for (int j = 1; j <= 3; ++j) {
    const double amount = j - (j + 1) * y * static_cast<double>(t[j + 1]) / static_cast<double>(t[j]);
    if (amount < 0 || amount > j)
      return "the discount of adjusted count " + std::to_string(j) + " would be " + std::to_string(amount);
    discounts.amount[j] = amount;
  }
  return "";
}

}  // namespace

Discounts kneser_ney_discounts(const OrderStatistics& statistics, int order,
                               const std::optional<Discounts>& fallback) {
  Discounts discounts;
  const std::string reason = estimate(statistics, discounts);
  if (reason.empty()) return discounts;
  if (fallback) return *fallback;
  throw InputError("cannot estimate Kneser-Ney discounts for order " + std::to_string(order) + ": " + reason +
                   ", as happens with little text, repeated text or few classes; remove repeated"
                   " lines, lower the order, or allow fallback discounts (--discount-fallback)");
}

}  // namespace tunesmith::lm
