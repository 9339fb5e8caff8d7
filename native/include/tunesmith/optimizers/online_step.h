// Steps of online learners: weights in a store are changed in place, by the features of one sentence.
#pragma once

#include <cstdint>
#include <span>

#include "tunesmith/weights/feature_vector.h"
#include "tunesmith/weights/store.h"

namespace tunesmith::optimizers {

/// How a step changes weights.
struct OnlineStep {
  double rate = 1;      // eta
  double adaptive = 0;  // lambda of the rates per feature; 0: a single rate
  int64_t number = 0;   // number of the step from 0, for averages and lazy penalties
};

/// w_i += eta alpha d_i / sqrt(s_i) with s_i += lambda d_i^2 before the division (Eidelman et al. 2013,
/// section 3.2, with the squared feature difference, as AROW). s_i begins with what `begin_pass` says: from 1
/// the first steps of a feature are nearly those of a single rate; from 0, as in Mr. MIRA, the first is eta
/// alpha sign(d_i) / sqrt(lambda), whatever the size of d_i. Without `adaptive` there is no division, and the
/// rates stay. O(entries of d), in their order; features that are new get a record.
void move_weights(weights::WeightStore& store, const weights::FeatureVector& direction, double alpha,
                  const OnlineStep& step);

/// PA-I (Crammer et al. 2006): alpha = min(aggressiveness, loss / |d|^2), with the plain norm under adaptive
/// rates, too. Returns alpha; 0 if d is 0.
double passive_aggressive_step(weights::WeightStore& store, const weights::FeatureVector& difference,
                               double loss, double aggressiveness, const OnlineStep& step);

/// AdaGrad with an L1 penalty by forward-backward splitting (Duchi et al. 2011; FOBOS: Duchi and Singer
/// 2009): s_i += d_i^2, w_i = soft(w_i + eta d_i / sqrt(s_i), eta l1 / sqrt(s_i)), s_i from what `begin_pass`
/// says. The penalties of the steps in which a feature had no value are applied, all at once, when it next
/// has one, or by `settle_penalties`; while s_i is 0 there are none, as they would have no limit. `direction`
/// is of ascent; `adaptive` is not used.
void adagrad_step(weights::WeightStore& store, const weights::FeatureVector& direction, double l1,
                  const OnlineStep& step);
/// Applies the penalties that are due before step `number` to all features. O(features).
void settle_penalties(weights::WeightStore& store, double l1, double rate, int64_t number);

/// w = start + factor (w - start), for all features: the L2 penalty towards start weights. O(features).
void pull_towards(weights::WeightStore& store, const weights::WeightStore& start, double factor);

/// Begins a pass: drift and last step 0, and rates `first`, also of features that are added later, or those
/// of another store, whose features with other rates are added with weight 0. O(features).
void begin_pass(weights::WeightStore& store, const weights::WeightStore* rates, double first);

/// Sets the weights of some features to those of another store, 0 if it has none, with no drift: as if no
/// step had touched them. Features that the store does not have are left out.
void restore_weights(weights::WeightStore& store, const weights::WeightStore& from,
                     std::span<const uint64_t> keys);

}  // namespace tunesmith::optimizers
