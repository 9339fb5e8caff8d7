#include "tunesmith/optimizers/weight_mixture.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "tunesmith/base/errors.h"

namespace tunesmith::optimizers {

using weights::WeightRecord;
using weights::WeightStore;

WeightMixture::WeightMixture(const WeightStore& start) : start_(start), columns_(start.size()) {
  for (uint32_t number = 0; number < start.size(); ++number) features_.insert(start.name(number));
}

void WeightMixture::add(const WeightStore& shard, double share, int64_t steps) {
  if (!(share >= 0) || steps < 0) throw InputError("a shard's share and steps must be at least 0");
  share_ += share;
  for (uint32_t number = 0; number < shard.size(); ++number) {
    const WeightRecord& record = shard.record(number);
    const uint32_t column = features_.insert(shard.name(number));
    if (column == columns_.size()) columns_.emplace_back();
    Column& sums = columns_[column];
    sums.last += share * record.weight;
    sums.average += share * (record.weight - record.drift / static_cast<double>(std::max<int64_t>(steps, 1)));
    sums.squares += record.weight * record.weight;
    const bool is_changed = record.weight != start_weight(shard.key(number));
    sums.changed += is_changed;
    if (is_changed) sums.changed_share += share;
  }
}

double WeightMixture::start_weight(uint64_t key) const {
  const uint32_t there = start_.find(key);
  return there == WeightStore::kNone ? 0.0 : start_.weight(there);
}

double WeightMixture::mean(uint32_t column, double sum, MixingRule rule) const {
  const double changed = columns_[column].changed_share;
  if (rule == MixingRule::kAll || changed == 0 || changed >= share_) return sum;
  // Shards that did not change a feature have its start weight: the sum of changes is over the others.
  const double start = start_weight(features_.key(column));
  return start + (sum - share_ * start) / changed;
}

WeightMixture::Mixed WeightMixture::mixed(const FeatureSelection& selection, MixingRule rule) const {
  const std::unordered_set<uint64_t> kept(selection.kept.begin(), selection.kept.end());
  std::vector<uint32_t> chosen, others;
  Mixed result;
  for (uint32_t column = 0; column < columns_.size(); ++column) {
    const Column& sums = columns_[column];
    const uint64_t key = features_.key(column);
    if (kept.contains(key)) {
      chosen.push_back(column);
    } else if (mean(column, sums.last, rule) != 0 || mean(column, sums.average, rule) != 0) {
      if (start_weight(key) != 0 || sums.changed >= selection.least_shards)
        others.push_back(column);
      else
        ++result.dropped.by_shards;
    }
  }
  if (selection.top > 0 && others.size() > selection.top) {
    const auto ranks_higher = [&](uint32_t a, uint32_t b) {
      const double x = columns_[a].squares, y = columns_[b].squares;
      return x != y ? x > y : a < b;
    };
    std::nth_element(others.begin(), others.begin() + static_cast<int64_t>(selection.top), others.end(),
                     ranks_higher);
    result.dropped.by_top = others.size() - selection.top;
    others.resize(selection.top);
  }
  chosen.insert(chosen.end(), others.begin(), others.end());
  std::sort(chosen.begin(), chosen.end());
  for (const uint32_t column : chosen) {
    const Column& sums = columns_[column];
    result.last.set(features_.name(column), mean(column, sums.last, rule));
    result.average.set(features_.name(column), mean(column, sums.average, rule));
  }
  return result;
}

void add_to_mean(WeightStore& mean, const WeightStore& newest, int64_t count) {
  if (count < 1) throw InputError("a mean is over at least one vector");
  WeightStore result;
  for (uint32_t number = 0; number < newest.size(); ++number) {
    const uint32_t there = mean.find(newest.key(number));
    const double before = there == WeightStore::kNone ? 0.0 : mean.weight(there);
    const double value = newest.weight(number);
    result.set(newest.name(number),
               count == 1 ? value : before + (value - before) / static_cast<double>(count));
  }
  mean = std::move(result);
}

}  // namespace tunesmith::optimizers
