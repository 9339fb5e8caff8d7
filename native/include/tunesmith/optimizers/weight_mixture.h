// Mixing the weights that shards learned in one iteration, and selecting features across them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tunesmith/optimizers/mixture_source.h"
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

/// Weights of a shard that made `steps` steps; `share` is its part of all sentences.
struct MixedShard {
  WeightSource weights;
  double share = 0;
  int64_t steps = 0;
};

struct MixedWeights {
  weights::WeightStore last;     // means of the weights after the last step
  std::vector<double> averages;  // means of the weights over all steps, of the same features
  /// Features that the selection leaves out.
  struct Dropped {
    size_t by_top = 0, by_shards = 0;
  };
  Dropped dropped;
};

/// Weighted mean of weights by feature: mean_i = sum over shards z of share_z w_zi (McDonald et al. 2010).
/// The column of a feature is its weights in all shards; its l2 norm ranks features (Simianer et al. 2012,
/// algorithm 4). Means of the selected features are returned, by the rule; zeros are left out, unless they
/// are in `kept`. Features are in the order of the start, then of shards. Of features with equal norms the
/// earlier is kept. Of names with equal keys the first is kept.
///
/// `start` are the weights that all shards began with. Keys are cut into ranges, whose sums are added up on
/// up to `threads` threads, in each range in the order of shards, which is part of the result, down to the
/// last bit; the number of threads is not. Files are read once, block by block, without a table of their own.
/// O(features) per shard; 80 bytes of memory per feature of the mixture, 110 with a top k, beside the result.
/// `poll` is called on the calling thread from time to time, and may throw.
MixedWeights mix_weights(const WeightSource& start, std::span<const MixedShard> shards,
                         const FeatureSelection& selection, MixingRule rule = MixingRule::kAll,
                         int threads = 1, const std::function<void()>& poll = {});

/// mean += (newest - mean) / count over the features of both, of which one that a vector does not have has
/// the weight 0 there: the running mean over iterations. With a count of 1 it is `newest` itself.
void add_to_mean(weights::WeightStore& mean, const weights::WeightStore& newest, int64_t count);

}  // namespace tunesmith::optimizers
