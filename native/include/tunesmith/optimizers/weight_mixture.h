// Mixing the weights that shards learned in one iteration, and selecting features across them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tunesmith/weights/store.h"

namespace tunesmith::optimizers {

/// How the weights of a feature in all shards become one.
enum class MixingRule {
  kAll,     // their mean over all shards (McDonald et al. 2010)
  kChanged  // their mean over the shards that changed it (ours): what few shards learn is not diluted by
            // others
};

/// Which features an iteration keeps. Those named in `kept`, the dense ones, always stay.
struct FeatureSelection {
  std::vector<uint64_t> kept;  // keys
  size_t top = 0;              // at most this many others, by their l2 norm over shards; 0: all
  size_t least_shards = 0;     // others must have been changed by this many shards, or have had a weight
};

/// Weighted mean of weights by feature, added shard by shard: mean_i = sum over shards z of share_z w_zi
/// (McDonald et al. 2010). The column of a feature is its weights in all shards; its l2 norm ranks features
/// (Simianer et al. 2012, algorithm 4). The order of shards is part of the result, down to the last bit.
/// O(features) per shard and in memory.
class WeightMixture {
 public:
  /// `start`: the weights that all shards began with; it must outlive the mixture.
  explicit WeightMixture(const weights::WeightStore& start);

  /// Adds a shard that made `steps` steps.
  void add(const weights::WeightStore& shard, double share, int64_t steps);

  /// Features that the selection leaves out.
  struct Dropped {
    size_t by_top = 0, by_shards = 0;
  };
  struct Mixed {
    weights::WeightStore last;     // means of the weights after the last step
    weights::WeightStore average;  // means of the weights over all steps
    Dropped dropped;
  };
  /// The means of the selected features, by the rule; zeros are left out, unless they are in `kept`. Features
  /// are in the order of the start, then of shards. Of features with equal norms the earlier is kept.
  Mixed mixed(const FeatureSelection& selection, MixingRule rule = MixingRule::kAll) const;

 private:
  struct Column {
    double last = 0, average = 0, squares = 0;
    double changed_share = 0;  // of the shards that changed it
    uint32_t changed = 0;
  };
  double start_weight(uint64_t key) const;
  /// The mean of a feature whose weights, or averages, times shares add up to `sum`.
  double mean(uint32_t column, double sum, MixingRule rule) const;

  const weights::WeightStore& start_;
  weights::WeightStore features_;  // names; the weights are in columns_
  std::vector<Column> columns_;
  double share_ = 0;  // of all shards
};

/// mean += (newest - mean) / count over the features of `newest`, which the mean is reduced to: the running
/// mean over iterations. With a count of 1 it is `newest` itself.
void add_to_mean(weights::WeightStore& mean, const weights::WeightStore& newest, int64_t count);

}  // namespace tunesmith::optimizers
