#include "tunesmith/xbleu/hogwild.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "tunesmith/base/interruption.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/xbleu/read_ahead.h"
#include "tunesmith/xbleu/shared_values.h"

namespace tunesmith::xbleu {

namespace {

constexpr size_t kTaken = 16;  // lists that a thread takes at once

/// Asks for the block after that of the list at a place of the order, if the list is the first of its block.
void read_next_block(const TrainingSet& set, std::span<const uint32_t> order, size_t at, ReadAhead& ahead) {
  const size_t block = order[at] / TrainingSet::kBlock;
  if (at > 0 && order[at - 1] / TrainingSet::kBlock == block) return;
  const size_t lists = std::min(TrainingSet::kBlock, set.size() - block * TrainingSet::kBlock);
  if (at + lists < order.size()) ahead.ask(set.block(order[at + lists] / TrainingSet::kBlock));
}

struct SharedDense {
  SharedValues<double> changes;
  std::span<const double> rates;
};

template <class Number>
double learn(const TrainingList<Number>& list, const LearnerOptions& options,
             const SharedValues<float>& weights, const SharedDense& dense, ListPosteriors& posteriors) {
  posteriors.score(list, weights, 1);
  if (!dense.rates.empty()) posteriors.add_dense(list, dense.changes);
  const double value = posteriors.differentiate(list, options.objective, options.gamma);
  posteriors.for_each_event(list, [&](double slope, const Number* features, size_t count) {
    const auto change = static_cast<float>(options.rate * slope);
    for (size_t i = 0; i < count; ++i) weights.add(features[i], change);
  });
  if (!dense.rates.empty())
    posteriors.for_each_dense(
        list, [&](uint16_t k, double slope) { dense.changes.add(k, dense.rates[k] * slope); });
  return value;
}

template <class Number>
Epoch pass_over(const TrainingSet& set, const LearnerOptions& options, std::span<const uint32_t> order,
                std::span<float> weights, DenseWeights& dense, std::function<void()> poll) {
  const SharedValues<float> shared(weights);
  const SharedDense shared_dense{SharedValues<double>(dense.changes()), dense.rates()};
  const size_t workers = std::min(options.threads, std::max<size_t>(chunk_count(order.size(), kTaken), 1));
  std::vector<double> sums(workers);
  std::atomic<size_t> next{0};
  ReadAhead ahead;
  Interruption interruption(std::move(poll));
  parallel_chunks(workers, 1, static_cast<int>(workers), [&](size_t worker, size_t, size_t) {
    const Interruption::Stay stay(interruption);
    ListPosteriors posteriors(set.widest());
    double sum = 0;
    try {
      for (size_t begin = next.fetch_add(kTaken); begin < order.size(); begin = next.fetch_add(kTaken)) {
        interruption.check();
        for (size_t at = begin; at < std::min(begin + kTaken, order.size()); ++at) {
          read_next_block(set, order, at, ahead);
          sum += learn(set.list<Number>(order[at]), options, shared, shared_dense, posteriors);
        }
      }
      interruption.wait_for_others();
    } catch (const Interruption::Stopped&) {
    }
    sums[worker] = sum;
  });
  interruption.rethrow();
  Epoch result{order.size(), 0};
  for (const double sum : sums) result.objective += sum / static_cast<double>(order.size());
  return result;
}

}  // namespace

Epoch hogwild_pass(const TrainingSet& set, const LearnerOptions& options, std::span<const uint32_t> order,
                   std::span<float> weights, DenseWeights& dense, std::function<void()> poll) {
  if (order.empty()) return {};
  if (poll) poll();  // as an `Interruption` first does so after a while
  return set.is_small() ? pass_over<uint16_t>(set, options, order, weights, dense, std::move(poll))
                        : pass_over<uint32_t>(set, options, order, weights, dense, std::move(poll));
}

}  // namespace tunesmith::xbleu
