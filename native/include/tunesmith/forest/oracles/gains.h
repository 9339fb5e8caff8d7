// Gains of the items of an oracle search, as whole or as partial yields.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "tunesmith/forest/oracles/bleu_oracle.h"
#include "tunesmith/forest/oracles/candidates.h"
#include "tunesmith/forest/oracles/statistics.h"

namespace tunesmith::forest::oracles {

/// gain(background + statistics), multiplied by the size of both if `scaled`. All arguments are kept by
/// reference.
class OracleGains {
 public:
  OracleGains(const ReferenceNgrams& references, const OracleStatistics& statistics,
              const metrics::Scorer& scorer, const BleuOracleOptions& options)
      : references_(references),
        statistics_(statistics),
        scorer_(scorer),
        ranking_(references.order(), metrics::BleuSmoothing::add, 1.0),
        options_(options),
        has_background_(std::ranges::any_of(options.background, [](double value) { return value != 0; })) {}

  /// Both are valid until the next call.
  const std::vector<double>& whole(const OracleCandidates& candidates) {
    return gains(candidates, 1.0, scorer_);
  }
  /// With the reference length times the share of the partial yields in whole ones; without a background,
  /// those of add-one BLEU.
  const std::vector<double>& partial(const OracleCandidates& candidates, double share) {
    return gains(candidates, share, has_background_ ? scorer_ : ranking_);
  }

  /// Statistics of a whole yield, without the background.
  std::vector<double> stats(std::span<const int32_t> row) const {
    std::vector<double> result(scorer_.width());
    set_stats(row, 1.0, result.data());
    return result;
  }
  /// The gain of such statistics.
  double whole(std::vector<double> stats) const {
    double result = 0;
    add_background(stats.data(), 1);
    scorer_.gain(stats.data(), 1, &result);
    return options_.scaled ? result * scorer_.size(stats.data()) : result;
  }

  /// Estimates what a difference between gains of partial yields of `words` words, a share of whole ones,
  /// takes from the objective: a match among more words adds less to BLEU. Always more than 0, so that the
  /// better one of two yields comes first even if their gains are equal.
  double loss(double difference, double words, double share) const {
    constexpr double kLeast = 1e-30;
    const double background = options_.background[1];
    const double all = background + (share > 0 ? words / share : 0.0);
    const double factor = options_.scaled || all <= 0 ? 1.0 : (background + words) / all;
    return std::max(kLeast, std::abs(options_.metric_weight * difference) * factor);
  }

 private:
  const std::vector<double>& gains(const OracleCandidates& candidates, double share,
                                   const metrics::Scorer& scorer) {
    const size_t width = scorer.width(), count = candidates.items.size();
    stats_.resize(count * width);
    gains_.resize(count);
    for (uint32_t i = 0; i < count; ++i) set_stats(candidates.keys[i].subspan(1), share, &stats_[i * width]);
    add_background(stats_.data(), count);
    scorer.gain(stats_.data(), count, gains_.data());
    if (options_.scaled)
      for (size_t i = 0; i < count; ++i) gains_[i] *= scorer.size(&stats_[i * width]);
    return gains_;
  }

  void set_stats(std::span<const int32_t> row, double share, double* stats) const {
    const double words = OracleStatistics::words(row);
    const double length =
        share > 0 ? share * references_.length(options_.reference_length, words / share) : 0.0;
    statistics_.bleu(row, length, stats);
  }

  void add_background(double* stats, size_t rows) const {
    const size_t width = options_.background.size();
    for (size_t row = 0; row < rows; ++row, stats += width)
      for (size_t s = 0; s < width; ++s) stats[s] += options_.background[s];
  }

  const ReferenceNgrams& references_;
  const OracleStatistics& statistics_;
  const metrics::Scorer& scorer_;
  metrics::BleuScorer ranking_;
  const BleuOracleOptions& options_;
  bool has_background_;
  std::vector<double> stats_, gains_;
};

}  // namespace tunesmith::forest::oracles
