// Stochastic gradient descent on list losses by mini-batches of lists, with lazy sparse updates.
#pragma once

#include <vector>

#include "tunesmith/objectives/list_loss.h"

namespace tunesmith::optimizers {

/// Bounds of the weights, which of them are free, and the penalty l1 |w|_1 + l2 / 2 |w|_2^2 of these.
struct DescentSpace {
  std::span<const double> lower;
  std::span<const double> upper;
  std::span<const uint8_t> free;
  double l1 = 0;
  double l2 = 0;
};

/// The lists in the order of their visits, split into batches, and the learning rate of each batch (the same
/// for all with AdaGrad).
struct DescentPlan {
  std::span<const int64_t> order;
  size_t batch = 1;
  std::span<const double> rates;
  /// Units per list over which the loss is a mean: 1, or the average number of pairs.
  double units = 1;
};

struct DescentState {
  std::vector<double> weights;
  /// Sum of squared gradients per weight (AdaGrad); empty for plain SGD.
  std::vector<double> squares;
  /// Mean of the weights over the epoch.
  std::vector<double> average;
};

/// One step per batch: g = gradient of the mean loss of the batch, then for each weight
///   w <- clip(shrink(w - eta * g)), shrink(w) = sign(w) * max(|w| - eta * l1, 0) / (1 + eta * l2),
/// the proximal step of the penalty, with eta = rate of the batch, divided by the root of `squares` with
/// AdaGrad (Duchi et al. 2011; a weight that never had a gradient does not change).
///
/// Weights whose features do not fire only shrink, in closed form, when they are next needed: a step is
/// O(nonzeros of the batch). At intervals, chosen from the data so that this at most doubles the cost, all
/// weights are brought up to date and added to the average. Sequential, hence deterministic.
void descend(const candidates::CandidateLists& lists, const objectives::ListLoss& loss,
             const DescentPlan& plan, const DescentSpace& space, DescentState& state);

}  // namespace tunesmith::optimizers
