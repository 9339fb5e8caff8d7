#include "tunesmith/align/ibm4_tables.h"

#include <algorithm>
#include <cmath>

namespace tunesmith::align {

namespace {

/// Number of observations that the distribution of fewer conditions counts as. GIZA++ uses 4 for
/// fertilities.
constexpr double kPrior = 4;
constexpr double kBandSizes[] = {5, 10, 25, 50};

using Distribution = std::vector<double>;

Distribution even(size_t size) { return Distribution(size, 1.0 / static_cast<double>(size)); }

/// (c + kPrior * prior) / (sum c + kPrior).
Distribution smoothed(const Distribution& counts, const Distribution& prior) {
  double sum = kPrior;
  for (const double each : counts) sum += each;
  Distribution result(counts.size());
  for (size_t k = 0; k < counts.size(); ++k) result[k] = (counts[k] + kPrior * prior[k]) / sum;
  return result;
}

Distribution read(const std::vector<int64_t>& counts, size_t first, size_t size, double unit) {
  Distribution result(size);
  for (size_t k = 0; k < size; ++k)
    result[k] = static_cast<double>(std::max<int64_t>(counts[first + k], 0)) * unit;
  return result;
}

void add(Distribution& sum, const Distribution& counts) {
  for (size_t k = 0; k < sum.size(); ++k) sum[k] += counts[k];
}

/// Number of widths in the class of an absolute width; the last class counts as 50.
double band(size_t width_class) {
  return width_class <= JumpWidths::kExact ? 1 : kBandSizes[width_class - JumpWidths::kExact - 1];
}

size_t absolute(size_t head_class) {
  constexpr size_t kMiddle = JumpWidths::kClasses - 1;
  return head_class < kMiddle ? kMiddle - head_class : head_class - kMiddle;
}

}  // namespace

Ibm4Tables estimate_ibm4(const Ibm4Layout& layout, const Ibm4Counts& counts, double unit) {
  constexpr size_t kHeads = Ibm4Layout::kHeads, kLater = Ibm4Layout::kLater;
  constexpr size_t kFertilities = Ibm4Layout::kMostFertility + 1;
  Ibm4Tables tables{std::vector<float>(layout.distortions()), std::vector<float>(layout.fertilities())};

  const auto head_counts = [&](size_t a, size_t b) {
    return read(counts.distortion, (a * layout.made() + b) * kHeads, kHeads, unit);
  };
  std::vector<Distribution> by_made(layout.made(), Distribution(kHeads));
  Distribution all(kHeads);
  for (size_t b = 0; b < layout.made(); ++b) {
    for (size_t a = 0; a < layout.making(); ++a) add(by_made[b], head_counts(a, b));
    add(all, by_made[b]);
  }
  const Distribution any = smoothed(all, even(kHeads));
  for (size_t b = 0; b < layout.made(); ++b) {
    const Distribution prior = smoothed(by_made[b], any);
    for (size_t a = 0; a < layout.making(); ++a) {
      const Distribution p = smoothed(head_counts(a, b), prior);
      for (size_t c = 0; c < kHeads; ++c)
        tables.distortion[(a * layout.made() + b) * kHeads + c] =
            static_cast<float>(std::log(p[c] / band(absolute(c))));
    }
  }

  const size_t first_later = layout.making() * layout.made() * kHeads;
  const auto later_counts = [&](size_t b) {
    return read(counts.distortion, first_later + b * kLater, kLater, unit);
  };
  Distribution later(kLater);
  for (size_t b = 0; b < layout.made(); ++b) add(later, later_counts(b));
  const Distribution any_later = smoothed(later, even(kLater));
  for (size_t b = 0; b < layout.made(); ++b) {
    const Distribution p = smoothed(later_counts(b), any_later);
    for (size_t c = 0; c < kLater; ++c)
      tables.distortion[first_later + b * kLater + c] = static_cast<float>(std::log(p[c] / band(c)));
  }

  const auto fertility_counts = [&](size_t word) {
    return read(counts.fertility, word * kFertilities, kFertilities, unit);
  };
  Distribution fertilities(kFertilities);
  for (size_t word = 0; word <= layout.words(); ++word) add(fertilities, fertility_counts(word));
  const Distribution any_word = smoothed(fertilities, even(kFertilities));
  for (size_t word = 0; word <= layout.words(); ++word) {
    const Distribution p = smoothed(fertility_counts(word), any_word);
    for (size_t phi = 0; phi < kFertilities; ++phi)
      tables.fertility[word * kFertilities + phi] = static_cast<float>(std::log(p[phi]));
  }
  return tables;
}

}  // namespace tunesmith::align
