// Posteriors of the derivations of a compiled forest, and what they say about its events.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "tunesmith/xbleu/forest_set.h"
#include "tunesmith/xbleu/list_posteriors.h"

namespace tunesmith::xbleu {

/// Computes on one forest at a time. Memory is reused.
///
/// p(d) = exp(gamma * score(d)) / Z. The first-order expectation semiring (Li and Eisner 2009) on a lattice,
/// by p(e | head) with one exp per edge, as every edge has at most one tail: log Z and the mean gain of the
/// derivations below each node, then the probability and the mean gain above each node.
class EventForestPosteriors {
 public:
  explicit EventForestPosteriors(size_t widest)
      : scores_(widest),
        shares_(widest),
        event_sums_(widest),
        log_below_(widest),
        gain_below_(widest),
        reach_(widest),
        gain_above_(widest) {}

  /// Scores of edges under weights of `scale` * values: base + the weights of the event's features.
  /// O(edges + features).
  template <class Number>
  void score(const TrainingForest<Number>& forest, const float* values, double scale) {
    const Number* feature = forest.features;
    for (size_t event = 0; event < forest.event_count(); ++event) {
      event_sums_[event] = scale * gathered_sum(values, feature, forest.feature_counts[event]);
      feature += forest.feature_counts[event];
    }
    for (size_t edge = 0; edge < forest.edge_count(); ++edge) {
      const uint32_t event = forest.events[edge];
      const double sum = event == TrainingForest<Number>::kNone ? 0 : event_sums_[event];
      scores_[edge] = static_cast<double>(forest.base[edge]) + sum;
    }
  }

  /// Inside: log Z and p(e | head), after `score`. Returns the expected gain of edges.
  template <class Number>
  double normalize(const TrainingForest<Number>& forest, double gamma) {
    for (uint32_t node = 0; node < forest.node_count(); ++node) {
      const uint32_t first = forest.first_edge(node), last = forest.last_edge(node);
      double largest = -std::numeric_limits<double>::infinity();
      for (uint32_t edge = first; edge < last; ++edge) {
        const uint32_t tail = forest.edge_tails[edge];
        shares_[edge] = gamma * scores_[edge] + (is_none(tail) ? 0 : log_below_[tail]);
        if (shares_[edge] > largest) largest = shares_[edge];
      }
      double sum = 0, gain = 0;
      for (uint32_t edge = first; edge < last; ++edge) {
        const uint32_t tail = forest.edge_tails[edge];
        const double odds = exp_of_negative(shares_[edge] - largest);
        shares_[edge] = odds;
        sum += odds;
        gain += odds * (static_cast<double>(forest.gains[edge]) + (is_none(tail) ? 0 : gain_below_[tail]));
      }
      const double part = 1 / sum;
      for (uint32_t edge = first; edge < last; ++edge) shares_[edge] *= part;
      log_below_[node] = largest + std::log(sum);
      gain_below_[node] = gain * part;
    }
    return gain_below_[forest.node_count() - 1];
  }

  /// Outside, after `normalize`: calls use(edge, posterior, mean gain of the derivations with the edge).
  template <class Number, class Use>
  void for_each_posterior(const TrainingForest<Number>& forest, Use use) {
    const size_t nodes = forest.node_count();
    std::fill_n(reach_.begin(), nodes, 0);
    std::fill_n(gain_above_.begin(), nodes, 0);  // times the probability of the node
    reach_[nodes - 1] = 1;
    for (auto node = static_cast<uint32_t>(nodes); node-- > 0;) {
      const double reach = reach_[node], above = reach > 0 ? gain_above_[node] / reach : 0;
      for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
        const uint32_t tail = forest.edge_tails[edge];
        const double posterior = reach * shares_[edge];
        const double gain = above + static_cast<double>(forest.gains[edge]);
        use(edge, posterior, gain + (is_none(tail) ? 0 : gain_below_[tail]));
        if (is_none(tail)) continue;
        reach_[tail] += posterior;
        gain_above_[tail] += posterior * gain;
      }
    }
  }

  /// The value of an objective and its derivatives by the scores of events, after `score`:
  /// gamma * sum over edges of the event of p(edge) (E[gain | edge] - E[gain]), the covariance; or
  /// gamma * (uses in the best derivation - expected uses).
  template <class Number>
  double differentiate(const TrainingForest<Number>& forest, ListObjective objective, double gamma) {
    const double expected = normalize(forest, gamma);
    std::fill_n(event_sums_.begin(), forest.event_count(), 0);
    const auto add = [&](uint32_t edge, double slope) {
      const uint32_t event = forest.events[edge];
      if (event != TrainingForest<Number>::kNone) event_sums_[event] += slope;
    };
    if (objective == ListObjective::kExpectedGain) {
      for_each_posterior(forest, [&](uint32_t edge, double posterior, double gain) {
        add(edge, gamma * posterior * (gain - expected));
      });
      drop_rounding(forest.event_count(), gamma);
      return forest.constant + expected;
    }
    if (forest.is_even) return 0;
    for_each_posterior(forest,
                       [&](uint32_t edge, double posterior, double) { add(edge, -gamma * posterior); });
    for (const uint32_t edge : forest.best) add(edge, gamma);
    drop_rounding(forest.event_count(), gamma);
    return log_posterior(forest, forest.best, gamma);
  }

  /// log p(d) of a derivation, after `normalize`.
  template <class Number>
  double log_posterior(const TrainingForest<Number>& forest, std::span<const uint32_t> edges,
                       double gamma) const {
    double sum = 0;
    for (const uint32_t edge : edges) sum += scores_[edge];
    return gamma * sum - log_below_[forest.node_count() - 1];
  }
  /// log Z, after `normalize`.
  template <class Number>
  double log_partition(const TrainingForest<Number>& forest) const {
    return log_below_[forest.node_count() - 1];
  }

  /// Calls use(slope, features, count) for each event, after `differentiate`.
  template <class Number, class Use>
  void for_each_event(const TrainingForest<Number>& forest, Use use) const {
    const Number* feature = forest.features;
    for (size_t event = 0; event < forest.event_count(); ++event) {
      use(event_sums_[event], feature, size_t{forest.feature_counts[event]});
      feature += forest.feature_counts[event];
    }
  }

  /// By edge.
  const std::vector<double>& scores() const { return scores_; }

 private:
  /// Sets slopes to 0 that are nothing but rounding, as those of events that all derivations have: AdaGrad
  /// would divide them by themselves.
  void drop_rounding(size_t events, double gamma) {
    constexpr double kRounding = 1e-13;
    for (size_t event = 0; event < events; ++event)
      if (std::abs(event_sums_[event]) < kRounding * gamma) event_sums_[event] = 0;
  }
  static bool is_none(uint32_t tail) { return tail == ForestEdge::kNone; }

  std::vector<double> scores_, shares_;                              // by edge; shares are p(e | head)
  std::vector<double> event_sums_;                                   // scores of events, then slopes
  std::vector<double> log_below_, gain_below_, reach_, gain_above_;  // by node
};

}  // namespace tunesmith::xbleu
