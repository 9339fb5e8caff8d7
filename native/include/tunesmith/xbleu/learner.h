// Stochastic gradient ascent on lists: the weights of a reordering model.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tunesmith/xbleu/dense_weights.h"
#include "tunesmith/xbleu/forest_posteriors.h"
#include "tunesmith/xbleu/list_posteriors.h"

namespace tunesmith::xbleu {

struct LearnerOptions {
  ListObjective objective = ListObjective::kExpectedGain;
  double gamma = 1;      // scale of scores in posteriors
  double rate = 0.1;     // step per list
  double l2 = 0;         // penalty l2 / 2 |w|^2 per list, as decay of the weights
  size_t batch = 1;      // lists per step, whose gradients are averaged
  bool adagrad = false;  // steps divided by the root of the sum of squared gradients (Duchi et al. 2011)
  bool average = false;  // the result of an epoch is the mean of the weights after its steps
  size_t threads = 1;    // more share the weights without locks (hogwild.h), and the result depends on timing
};

/// One pass over the lists.
struct Epoch {
  size_t lists = 0;
  double objective = 0;  // mean over lists, each under the weights before its own step
};

/// w <- (1 - rate * l2) w + rate * gradient, one step per list or batch (Auli, Galley and Gao 2014, Figure 2,
/// with the sign of ascent). A step is O(features + uses of its lists): decay is a common factor of the
/// weights, and the mean of all weights is kept as sums that change with single weights. Sequential with one
/// thread: the same options and seed give the same bits.
class Learner {
 public:
  /// With `dense` the decoder's weights are learned, too; lists must have values of its features.
  Learner(const LearnerOptions& options, size_t features, DenseWeights dense = {});

  const LearnerOptions& options() const { return options_; }
  /// One pass over at most `most` lists. The order is drawn from (seed, number of the epoch): of blocks, and
  /// of the lists within each. Another thread reads the next block ahead. `poll`, called every 100 lists,
  /// may throw, which ends the pass.
  Epoch pass(const TrainingSet& set, uint64_t seed, uint64_t epoch, size_t most,
             const std::function<void()>& poll);
  /// The same over forests: with one thread, and without dense weights, else an InputError.
  Epoch pass(const ForestSet& set, uint64_t seed, uint64_t epoch, size_t most,
             const std::function<void()>& poll);

  /// The current weights, and the mean over the last pass if averaging.
  std::vector<float> weights() const;
  std::vector<float> averages() const;
  /// Sums of squared gradients; empty without AdaGrad.
  const std::vector<float>& squares() const { return squares_; }
  const DenseWeights& dense() const { return dense_; }
  DenseWeights& dense() { return dense_; }
  void set_state(std::vector<float> weights, std::vector<float> squares);

 private:
  template <class Number, class Set>
  Epoch pass_over(const Set& set, uint64_t seed, uint64_t epoch, size_t most,
                  const std::function<void()>& poll);
  // Of a list or a forest.
  template <class List, class Posteriors>
  double differentiate(const List& list, Posteriors& posteriors) const;
  template <class List, class Posteriors>
  double learn_directly(const List& list, Posteriors& posteriors);
  template <class List, class Posteriors>
  double collect(const List& list, Posteriors& posteriors);
  void apply_batch(size_t lists);
  void decay();
  /// Multiplies the scale into the values: a pass that follows begins as one from stored weights.
  void settle();
  void count_step();
  void begin_average();

  LearnerOptions options_;
  std::vector<float> values_;  // the weights are scale_ times these
  double scale_ = 1;
  std::vector<float> squares_;
  // The sum of the weights over steps 1..t is summed_scale_ * values - lag, where a change d of a value at
  // step t adds (sum of scales before t) * d to its lag. `settle` begins a new sum of scales.
  std::vector<double> lags_;
  double summed_scale_ = 0;
  uint64_t steps_ = 0;
  DenseWeights dense_;
  // The gradient of a batch: sums, and the features that have one.
  std::vector<float> gradient_;
  std::vector<uint8_t> is_touched_;
  std::vector<uint32_t> touched_;
};

}  // namespace tunesmith::xbleu
