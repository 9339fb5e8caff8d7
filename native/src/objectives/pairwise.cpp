#include "tunesmith/objectives/pairwise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/base/splitmix.h"

namespace tunesmith::objectives {

namespace {

struct Drawn {
  double difference;
  uint32_t draw;
  uint32_t better;
  uint32_t worse;

  bool operator<(const Drawn& other) const {
    return difference != other.difference ? difference > other.difference : draw < other.draw;
  }
};

/// The pairs of one list, by position in the list instead of row.
std::vector<Drawn> draw(std::span<const double> gains, size_t list, const PairSampling& sampling) {
  SplitMix random(sampling.seed, list);
  std::vector<Drawn> drawn;
  if (gains.size() < 2) return drawn;
  for (uint32_t i = 0; i < sampling.samples; ++i) {
    const auto bound = static_cast<uint32_t>(gains.size());
    uint32_t a = random.below(bound), b = random.below(bound);
    if (gains[a] < gains[b]) std::swap(a, b);
    const double difference = gains[a] - gains[b];
    if (difference > 0 && difference >= sampling.difference) drawn.push_back({difference, i, a, b});
  }
  const size_t kept = std::min(sampling.kept, drawn.size());
  std::partial_sort(drawn.begin(), drawn.begin() + kept, drawn.end());
  drawn.resize(kept);
  return drawn;
}

}  // namespace

Pairs sample_pairs(std::span<const int64_t> lists, std::span<const double> gains,
                   const PairSampling& sampling, int threads) {
  check_offsets(lists, gains.size(), "candidate lists");
  if (sampling.samples > std::numeric_limits<uint32_t>::max())
    throw InputError("cannot draw " + std::to_string(sampling.samples) + " pairs from a list");
  constexpr size_t kListsPerChunk = 16;
  std::vector<std::vector<Drawn>> drawn(lists.size() - 1);
  parallel_chunks(drawn.size(), kListsPerChunk, threads, [&](size_t, size_t begin, size_t end) {
    for (size_t list = begin; list < end; ++list)
      drawn[list] = draw(gains.subspan(lists[list], lists[list + 1] - lists[list]), list, sampling);
  });
  Pairs pairs;
  pairs.offsets.push_back(0);
  for (size_t list = 0; list < drawn.size(); ++list) {
    for (const Drawn& pair : drawn[list]) {
      pairs.better.push_back(lists[list] + pair.better);
      pairs.worse.push_back(lists[list] + pair.worse);
    }
    pairs.offsets.push_back(static_cast<int64_t>(pairs.better.size()));
  }
  return pairs;
}

void PairwiseLogistic::check(std::span<const int64_t> lists) const {
  check_offsets(offsets_, better_.size(), "pairs");
  if (worse_.size() != better_.size()) throw InputError("every pair needs two candidates");
  if (offsets_.size() != lists.size())
    throw InputError("pairs of " + std::to_string(offsets_.size() - 1) + " lists for " +
                     std::to_string(lists.size() - 1) + " lists");
  for (size_t list = 0; list + 1 < lists.size(); ++list)
    for (int64_t pair = offsets_[list]; pair < offsets_[list + 1]; ++pair)
      for (int64_t row : {better_[pair], worse_[pair]})
        if (row < lists[list] || row >= lists[list + 1])
          throw InputError("a pair of list " + std::to_string(list) + " has a candidate of another list");
}

double PairwiseLogistic::at(size_t list, size_t first, std::span<const double> scores,
                            std::span<double> slopes) const {
  std::fill(slopes.begin(), slopes.end(), 0.0);
  double loss = 0;
  for (int64_t pair = offsets_[list]; pair < offsets_[list + 1]; ++pair) {
    const size_t better = better_[pair] - first, worse = worse_[pair] - first;
    const double margin = scores[better] - scores[worse];
    // exp of a nonpositive number: accurate on both sides, without overflow.
    const double small = std::exp(-std::abs(margin));
    loss += std::max(-margin, 0.0) + std::log1p(small);
    const double wrong = (margin > 0 ? small : 1.0) / (1 + small);
    slopes[better] -= wrong;
    slopes[worse] += wrong;
  }
  return loss;
}

}  // namespace tunesmith::objectives
