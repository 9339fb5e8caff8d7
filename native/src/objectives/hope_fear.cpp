#include "tunesmith/objectives/hope_fear.h"

#include <algorithm>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/objectives/hope_fear_choice.h"

namespace tunesmith::objectives {

namespace {

/// Difference of two sparse rows with increasing columns.
struct Difference {
  std::vector<int32_t> columns;
  std::vector<double> values;
  double norm2 = 0;

  void set(const Csr& features, size_t plus, size_t minus) {
    columns.clear();
    values.clear();
    norm2 = 0;
    int64_t p = features.offsets[plus], m = features.offsets[minus];
    const int64_t p_end = features.offsets[plus + 1], m_end = features.offsets[minus + 1];
    while (p < p_end || m < m_end) {
      const bool take_p = m == m_end || (p < p_end && features.columns[p] <= features.columns[m]);
      const bool take_m = p == p_end || (m < m_end && features.columns[m] <= features.columns[p]);
      const int32_t column = take_p ? features.columns[p] : features.columns[m];
      const double value = (take_p ? features.values[p++] : 0.0) - (take_m ? features.values[m++] : 0.0);
      if (value == 0) continue;
      columns.push_back(column);
      values.push_back(value);
      norm2 += value * value;
    }
  }
};

}  // namespace

void hope_fear_pass(const candidates::CandidateLists& lists, const MatrixView& stats,
                    const metrics::Scorer& scorer, std::span<const int64_t> order, double aggressiveness,
                    double decay, const Box& box, HopeFearState& state) {
  const Csr& features = lists.features;
  if (stats.rows() != features.rows() || stats.width != scorer.width() ||
      state.background.size() != stats.width)
    throw InputError("the statistics do not fit the candidates or the metric");
  if (state.weights.size() != features.width || state.drift.size() != features.width ||
      box.lower.size() != features.width || box.upper.size() != features.width)
    throw InputError("expected " + std::to_string(features.width) + " weights");

  std::vector<double> scores;
  DocumentGains document;
  Difference difference;
  for (int64_t list : order) {
    if (list < 0 || static_cast<size_t>(list) >= lists.size())
      throw InputError("no such list: " + std::to_string(list));
    const int64_t begin = lists.offsets[list], end = lists.offsets[list + 1];
    const std::span<const double> gains = document.of(stats, begin, end, scorer, state.background);
    const size_t size = end - begin;
    scores.resize(size);
    for (size_t i = 0; i < size; ++i) scores[i] = features.dot(begin + i, state.weights.data());
    const HopeFearChoice choice = choose_hope_fear(scores, gains);

    ++state.steps;
    if (choice.violated) {
      difference.set(features, begin + choice.hope, begin + choice.fear);
      if (difference.norm2 > 0) {
        const double rate = std::min(aggressiveness, choice.loss / difference.norm2);
        for (size_t k = 0; k < difference.columns.size(); ++k) {
          const int32_t column = difference.columns[k];
          const double old = state.weights[column];
          const double moved =
              std::clamp(old + rate * difference.values[k], box.lower[column], box.upper[column]);
          state.weights[column] = moved;
          state.drift[column] += static_cast<double>(state.steps - 1) * (moved - old);
        }
        ++state.updates;
      }
    }
    for (size_t s = 0; s < stats.width; ++s)
      state.background[s] = decay * state.background[s] + stats.row(begin + choice.hope)[s];
  }
}

}  // namespace tunesmith::objectives
