// Stochastic descent on list losses, a mini-batch of lists a step, at the cost of the features that fire.
#pragma once

#include <vector>

#include "tunesmith/objectives/list_loss.h"

namespace tunesmith::optimizers {

/// The box and the penalty l1 |w|_1 + l2 / 2 |w|_2^2 of the weights that may move.
struct DescentSpace {
  std::span<const double> lower;
  std::span<const double> upper;
  std::span<const uint8_t> free;
  double l1 = 0;
  double l2 = 0;
};

/// The lists in the order of their visits, cut into batches, and the learning rate of each batch (the
/// same for all of them if squared gradients are kept).
struct DescentPlan {
  std::span<const int64_t> order;
  size_t batch = 1;
  std::span<const double> rates;
  /// What the loss is a mean over, in units a list: 1, or the average number of pairs.
  double units = 1;
};

struct DescentState {
  std::vector<double> weights;
  /// The sum of squared gradients of each weight (AdaGrad); empty for plain SGD.
  std::vector<double> squares;
  /// The mean of the weights during the epoch.
  std::vector<double> average;
};

/// Takes one step a batch: g = gradient of the mean loss of the batch, then for each weight
///   w <- clip(shrink(w - eta * g)), shrink(w) = sign(w) * max(|w| - eta * l1, 0) / (1 + eta * l2),
/// the proximal step of the penalty, with eta = rate of the batch, over the root of `squares` if
/// these are kept (Duchi et al. 2011; a weight that never had a gradient stays where it is).
///
/// Weights whose features do not fire only shrink, by closed forms, when they are next needed: a step
/// is O(nonzeros of the batch). Every so many steps, chosen from the data so that it at most doubles
/// the cost, all weights are brought up to date and enter the average. Sequential, hence deterministic.
void descend(const candidates::CandidateLists& lists, const objectives::ListLoss& loss,
             const DescentPlan& plan, const DescentSpace& space, DescentState& state);

}  // namespace tunesmith::optimizers
