#include "tunesmith/objectives/expected_gain.h"

#include <algorithm>
#include <vector>

#include "tunesmith/base/parallel.h"
#include "tunesmith/base/softmax.h"

namespace tunesmith::objectives {

void ExpectedGain::check(std::span<const int64_t> lists) const { check_gains(gains_, lists); }

double ExpectedGain::at(size_t, size_t first, std::span<const double> scores,
                        std::span<double> slopes) const {
  const auto gains = gains_.subspan(first, scores.size());
  softmax(scores, scale_, slopes);
  double expected = 0;
  for (size_t i = 0; i < gains.size(); ++i) expected += slopes[i] * gains[i];
  for (size_t i = 0; i < gains.size(); ++i) slopes[i] *= -scale_ * (gains[i] - expected);
  return -expected;
}

void expected_stats(const candidates::CandidateLists& lists, std::span<const double> weights, double scale,
                    const MatrixView& stats, int threads, std::span<double> out) {
  constexpr size_t kListsPerChunk = 32;
  threads = useful_threads(lists.features, threads);
  std::vector<std::vector<double>> partials(chunk_count(lists.size(), kListsPerChunk));
  parallel_chunks(lists.size(), kListsPerChunk, threads, [&](size_t chunk, size_t begin, size_t end) {
    std::vector<double>& partial = partials[chunk];
    partial.assign(stats.width, 0.0);
    std::vector<double> scores, p;
    for (size_t list = begin; list < end; ++list) {
      const size_t first = lists.offsets[list], size = lists.offsets[list + 1] - first;
      if (size == 0) continue;
      scores.resize(size);
      p.resize(size);
      for (size_t i = 0; i < size; ++i) scores[i] = lists.features.dot(first + i, weights.data());
      softmax(scores, scale, p);
      for (size_t i = 0; i < size; ++i)
        for (size_t k = 0; k < stats.width; ++k) partial[k] += p[i] * stats.row(first + i)[k];
    }
  });
  std::fill(out.begin(), out.end(), 0.0);
  for (const auto& partial : partials)
    for (size_t k = 0; k < out.size(); ++k) out[k] += partial[k];
}

}  // namespace tunesmith::objectives
