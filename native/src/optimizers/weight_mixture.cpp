#include "tunesmith/optimizers/weight_mixture.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <queue>
#include <unordered_set>
#include <utility>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/mapped_files.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/optimizers/mixture_sums.h"

namespace tunesmith::optimizers {

using weights::FeatureName;
using weights::WeightStore;

namespace {

constexpr size_t kWorthReleasing = size_t{64} << 20;  // bytes

/// What features are ranked by: the squared norm, then the order.
struct Rank {
  double squares;
  uint64_t first;

  bool is_higher_than(const Rank& other) const {
    return squares != other.squares ? squares > other.squares : first < other.first;
  }
};

Rank rank_of(const MixtureColumn& sums) { return {sums.squares, sums.first}; }

/// Which features stay, and with which means.
class Selector {
 public:
  Selector(const FeatureSelection& selection, MixingRule rule, double share)
      : kept_(selection.kept.begin(), selection.kept.end()),
        least_shards_(selection.least_shards),
        rule_(rule),
        share_(share) {}

  enum class Verdict { kKept, kRanked, kTooFewShards, kZero };
  Verdict verdict(const MixtureColumn& sums) const {
    if (kept_.contains(sums.key)) return Verdict::kKept;
    if (mean(sums, sums.last) == 0 && mean(sums, sums.average) == 0) return Verdict::kZero;
    return sums.start != 0 || sums.changed >= least_shards_ ? Verdict::kRanked : Verdict::kTooFewShards;
  }
  /// The mean of a feature whose weights, or averages, times shares add up to `sum`.
  double mean(const MixtureColumn& sums, double sum) const {
    const double changed = sums.changed_share;
    if (rule_ == MixingRule::kAll || changed == 0 || changed >= share_) return sum;
    // Shards that did not change a feature have its start weight: the sum of changes is over the others.
    return sums.start + (sum - share_ * sums.start) / changed;
  }

 private:
  std::unordered_set<uint64_t> kept_;
  size_t least_shards_;
  MixingRule rule_;
  double share_;  // of all shards
};

struct Chosen {
  uint64_t first, key;
  double last, average;
};

using Ranges = std::array<MixtureRange, kMixtureRanges>;

/// Counts what is dropped, and returns the lowest rank that stays; none if all do.
std::optional<Rank> lowest_rank(const Ranges& ranges, const Selector& selector, size_t top, int threads,
                                MixedWeights::Dropped& dropped) {
  std::array<std::vector<Rank>, kMixtureRanges> parts;
  std::array<size_t, kMixtureRanges> too_few{};
  parallel_chunks(kMixtureRanges, 1, threads, [&](size_t range, size_t, size_t) {
    for (size_t i = 0; i < ranges[range].size(); ++i) {
      const MixtureColumn& sums = ranges[range][i];
      const Selector::Verdict verdict = selector.verdict(sums);
      if (verdict == Selector::Verdict::kRanked && top > 0) parts[range].push_back(rank_of(sums));
      too_few[range] += verdict == Selector::Verdict::kTooFewShards;
    }
  });
  for (const size_t count : too_few) dropped.by_shards += count;
  size_t ranked = 0;
  for (const std::vector<Rank>& part : parts) ranked += part.size();
  if (top == 0 || ranked <= top) return std::nullopt;
  std::vector<Rank> ranks;
  ranks.reserve(ranked);
  for (const std::vector<Rank>& part : parts) ranks.insert(ranks.end(), part.begin(), part.end());
  dropped.by_top = ranks.size() - top;
  const auto lowest = ranks.begin() + static_cast<std::ptrdiff_t>(top - 1);
  std::nth_element(ranks.begin(), lowest, ranks.end(),
                   [](const Rank& a, const Rank& b) { return a.is_higher_than(b); });
  return *lowest;
}

/// The features of a range that stay, in their order.
std::vector<Chosen> chosen_of(const MixtureRange& range, const Selector& selector,
                              const std::optional<Rank>& lowest) {
  const auto stays = [&](const MixtureColumn& sums) {
    const Selector::Verdict verdict = selector.verdict(sums);
    return verdict == Selector::Verdict::kKept ||
           (verdict == Selector::Verdict::kRanked && !(lowest && lowest->is_higher_than(rank_of(sums))));
  };
  std::vector<Chosen> chosen;
  size_t count = 0;
  for (size_t i = 0; i < range.size(); ++i) count += stays(range[i]);
  chosen.reserve(count);
  for (size_t i = 0; i < range.size(); ++i) {
    const MixtureColumn& sums = range[i];
    if (stays(sums))
      chosen.push_back(
          {sums.first, sums.key, selector.mean(sums, sums.last), selector.mean(sums, sums.average)});
  }
  return chosen;
}

/// Merges the features of all ranges into one order, and reads their names.
void merge(std::span<const std::vector<Chosen>> parts, std::span<const MixtureSource> sources,
           MixedWeights& result) {
  constexpr size_t kBlock = 1 << 16;         // names after which their pages are given back
  using Next = std::pair<uint64_t, size_t>;  // the next feature of a range, the range
  std::priority_queue<Next, std::vector<Next>, std::greater<>> nexts;
  std::vector<size_t> places(parts.size());
  for (size_t range = 0; range < parts.size(); ++range)
    if (!parts[range].empty()) nexts.emplace(parts[range][0].first, range);
  while (!nexts.empty()) {
    const size_t range = nexts.top().second;
    nexts.pop();
    const Chosen& chosen = parts[range][places[range]];
    const std::string_view name = sources[chosen.first >> 32].name(static_cast<uint32_t>(chosen.first));
    result.last.set_weight(result.last.insert(FeatureName{{&name, 1}, chosen.key}), chosen.last);
    result.averages.push_back(chosen.average);
    if (++places[range] < parts[range].size()) nexts.emplace(parts[range][places[range]].first, range);
    if (result.last.size() % kBlock == 0) sources[chosen.first >> 32].release();
  }
}

}  // namespace

MixedWeights mix_weights(const WeightSource& start, std::span<const MixedShard> shards,
                         const FeatureSelection& selection, MixingRule rule, int threads,
                         const std::function<void()>& poll) {
  std::vector<MixtureSource> sources;
  sources.emplace_back(start);
  std::vector<SourceUse> uses;
  double share = 0;
  for (const MixedShard& shard : shards) {
    if (!(shard.share >= 0) || shard.steps < 0)
      throw InputError("a shard's share and steps must be at least 0");
    sources.emplace_back(shard.weights);
    uses.push_back({shard.share, shard.steps});
    share += shard.share;
  }
  MixtureSums sums;
  sums.add_all(sources, uses, threads, poll);
  Ranges& ranges = sums.ranges();

  MixedWeights result;
  const Selector selector(selection, rule, share);
  const auto lowest = lowest_rank(ranges, selector, selection.top, threads, result.dropped);
  size_t all = 0, name_bytes = 0, features = 0;
  for (const MixtureRange& range : ranges) all += range.size(), name_bytes += range.name_bytes();
  std::array<std::vector<Chosen>, kMixtureRanges> chosen;
  parallel_chunks(kMixtureRanges, 1, threads, [&](size_t range, size_t, size_t) {
    chosen[range] = chosen_of(ranges[range], selector, lowest);
    ranges[range].clear();
  });
  // So that the memory of sums and result does not add up.
  if (all * sizeof(MixtureColumn) >= kWorthReleasing) release_idle_memory();
  for (const std::vector<Chosen>& part : chosen) features += part.size();
  result.last.reserve(features, 2 * features > all ? name_bytes : 0);
  result.averages.reserve(features);
  merge(chosen, sources, result);
  return result;
}

void add_to_mean(WeightStore& mean, const WeightStore& newest, int64_t count) {
  if (count < 1) throw InputError("a mean is over at least one vector");
  if (count == 1) mean = WeightStore();
  for (uint32_t number = 0; number < newest.size(); ++number) mean.insert(newest.name(number));
  for (uint32_t number = 0; number < mean.size(); ++number) {
    const uint32_t there = newest.find(mean.key(number));
    const double value = there == WeightStore::kNone ? 0.0 : newest.weight(there);
    const double before = mean.weight(number);
    mean.set_weight(number, count == 1 ? value : before + (value - before) / static_cast<double>(count));
  }
}

}  // namespace tunesmith::optimizers
