#include "tunesmith/align/diagonal.h"

#include <algorithm>

#include "tunesmith/align/pair_table.h"
#include "tunesmith/base/parallel.h"

namespace tunesmith::align {

namespace {

constexpr double kRate = 20, kLeast = 0.1, kMost = 14;
constexpr size_t kLengths = 16;

/// Sum of first * ratio^k over k < terms. If negative, fast_align's unsigned `terms` wraps around, which
/// amounts to infinity.
double geometric(double first, double ratio, double terms) {
  return first * (1 - (terms < 0 ? 0 : std::pow(ratio, terms))) / (1 - ratio);
}

/// sum_{k=1..m} exp(-tension * |k/m - j/n|): fast_align's normalizer, instead of the sum over |i/n - j/m|.
double exchanged_normalizer(double j, double n, double m, double tension) {
  const double ratio = std::exp(-tension / m), below = std::floor(j * m / n);
  const auto weight = [&](double k) { return std::exp(-tension * std::abs(k / m - j / n)); };
  return (m == below ? 0 : geometric(weight(below + 1), ratio, m - below)) +
         (below == 0 ? 0 : geometric(weight(below), ratio, below));
}

/// sum_j E[-|i/n - j/m|] with n states and m words.
double expected_features(size_t n, size_t m, const DiagonalFactors& factors, TensionGradient gradient,
                         std::vector<float>& above, std::vector<float>& beside) {
  const auto x = factors.side(n, above), y = factors.side(m, beside);
  double sum = 0;
  for (size_t j = 0; j < m; ++j) {
    double weights = 0, features = 0;
    for (size_t i = 0; i < n; ++i) {
      const double weight = std::min(x.up[i] * y.down[j], x.down[i] * y.up[j]);
      weights += weight;
      features -= weight * off_diagonal(i, n, j, m);
    }
    if (gradient == TensionGradient::kFastAlign)
      weights = exchanged_normalizer(static_cast<double>(j + 1), static_cast<double>(n),
                                     static_cast<double>(m), factors.tension());
    sum += features / weights;
  }
  return sum;
}

}  // namespace

DiagonalFactors::DiagonalFactors(double tension) : tension_(tension), kept_(kKept * (kKept + 1)) {
  for (size_t n = 1; n <= kKept; ++n) compute(tension, n, kept_.data() + n * (n - 1));
}

void DiagonalFactors::compute(double tension, size_t n, float* up) {
  for (size_t i = 0; i < n; ++i) {
    const double x = tension * static_cast<double>(i + 1) / static_cast<double>(n);
    up[i] = static_cast<float>(std::exp(x));
    up[n + i] = static_cast<float>(std::exp(-x));
  }
}

DiagonalFactors::Side DiagonalFactors::side(size_t n, std::vector<float>& scratch) const {
  if (n <= kKept) return {kept_.data() + n * (n - 1), kept_.data() + n * n};
  scratch.resize(2 * n);
  compute(tension_, n, scratch.data());
  return {scratch.data(), scratch.data() + n};
}

std::vector<LengthPair> length_pairs(const corpus::Sentences& source, const corpus::Sentences& target) {
  std::vector<LengthPair> all;
  for (size_t pair = 0; pair < source.size(); ++pair)
    if (has_cells(source, target, pair))
      all.push_back(
          {static_cast<int32_t>(source[pair].size()), static_cast<int32_t>(target[pair].size()), 1});
  std::sort(all.begin(), all.end(), [](const LengthPair& a, const LengthPair& b) {
    return std::pair(a.source, a.target) < std::pair(b.source, b.target);
  });
  size_t kept = 0;
  for (const LengthPair& each : all) {
    if (kept > 0 && all[kept - 1].source == each.source && all[kept - 1].target == each.target)
      ++all[kept - 1].count;
    else
      all[kept++] = each;
  }
  all.resize(kept);
  return all;
}

double expected_feature(std::span<const LengthPair> lengths, double tension, TensionGradient gradient,
                        bool reverse, int threads) {
  const DiagonalFactors factors(tension);
  std::vector<double> sums(chunk_count(lengths.size(), kLengths));
  parallel_chunks(lengths.size(), kLengths, threads, [&](size_t chunk, size_t begin, size_t end) {
    std::vector<float> above, beside;
    for (size_t k = begin; k < end; ++k) {
      const auto n = static_cast<size_t>(reverse ? lengths[k].target : lengths[k].source);
      const auto m = static_cast<size_t>(reverse ? lengths[k].source : lengths[k].target);
      sums[chunk] +=
          static_cast<double>(lengths[k].count) * expected_features(n, m, factors, gradient, above, beside);
    }
  });
  double sum = 0, words = 0;
  for (const double each : sums) sum += each;
  for (const LengthPair& each : lengths)
    words += static_cast<double>(each.count) * (reverse ? each.source : each.target);
  return words > 0 ? sum / words : 0;
}

double update_tension(std::span<const LengthPair> lengths, double tension, double observed,
                      TensionGradient gradient, bool reverse, int steps, int threads) {
  for (int step = 0; step < steps; ++step)
    tension = std::clamp(
        tension + kRate * (observed - expected_feature(lengths, tension, gradient, reverse, threads)), kLeast,
        kMost);
  return tension;
}

}  // namespace tunesmith::align
