// Discounting of phrase pair counts (Foster, Kuhn and Johnson 2006), with Moses' conventions.
#pragma once

#include <array>
#include <cstdint>

namespace tunesmith::extract::phrases {

enum class PhraseSmoothing : uint8_t { kNone, kGoodTuring, kKneserNey };

/// counts[c] = n_c, the number of distinct phrase pairs seen c times, c = 1 to 10.
struct CountsOfCounts {
  static constexpr int kMost = 10;
  std::array<uint64_t, kMost + 1> counts{};
  uint64_t pairs = 0;

  void add(uint64_t count) {
    ++pairs;
    if (count <= kMost) ++counts[count];
  }
  void add(const CountsOfCounts& other) {
    pairs += other.pairs;
    for (int i = 0; i <= kMost; ++i) counts[i] += other.counts[i];
  }
};

class PhraseDiscounts {
 public:
  /// Good-Turing: c* = c * min(1, (c+1)/c * (n_{c+1}+0.1)/(n_c+0.1)) for c up to 8, where the factor may not
  /// fall as c grows. Kneser-Ney: D_c = c - (c+1) * n_1/(n_1+2n_2) * n_{c+1}/n_c for c = 1, 2 and 3 or more;
  /// D_c = c/2 if n_c = 0.
  PhraseDiscounts(PhraseSmoothing smoothing, const CountsOfCounts& counts);

  /// The discounted joint count, used in both directions: c* for Good-Turing; c - D + D n(f) n(e) / N for
  /// Kneser-Ney, where n(x) is the number of distinct partners of a phrase, and N of distinct pairs. A
  /// fractional count c is discounted like `rounded`, c rounded up, as in Moses, and by at most c.
  double adjusted(double count, uint64_t rounded, uint64_t source_partners, uint64_t target_partners) const;

 private:
  PhraseSmoothing smoothing_;
  std::array<double, CountsOfCounts::kMost> good_turing_{};
  std::array<double, 4> kneser_ney_{};
  double pairs_;
};

}  // namespace tunesmith::extract::phrases
