#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include "bind/bind.h"
#include "bind/candidates/lists.h"
#include "bind/signals.h"
#include "tunesmith/candidates/store_scores.h"
#include "tunesmith/optimizers/feature_counts.h"
#include "tunesmith/optimizers/online_step.h"
#include "tunesmith/optimizers/weight_mixture.h"

namespace tunesmith::bind {

namespace {

using optimizers::OnlineStep;
using weights::FeatureVector;
using weights::WeightStore;

void add_steps(nb::module_& m) {
  m.def(
      "move_weights",
      [](WeightStore& store, const FeatureVector& direction, double alpha, double rate, double adaptive,
         int64_t number) { optimizers::move_weights(store, direction, alpha, {rate, adaptive, number}); },
      "store"_a, "direction"_a, "alpha"_a, "rate"_a, "adaptive"_a, "number"_a,
      "w_i += rate * alpha * d_i / sqrt(s_i), s_i += adaptive * d_i^2.");
  m.def(
      "passive_aggressive_step",
      [](WeightStore& store, const FeatureVector& difference, double loss, double aggressiveness, double rate,
         double adaptive, int64_t number) {
        return optimizers::passive_aggressive_step(store, difference, loss, aggressiveness,
                                                   {rate, adaptive, number});
      },
      "store"_a, "difference"_a, "loss"_a, "aggressiveness"_a, "rate"_a, "adaptive"_a, "number"_a,
      "A step of alpha = min(aggressiveness, loss / |d|^2), which is returned.");
  m.def(
      "adagrad_step",
      [](WeightStore& store, const FeatureVector& direction, double l1, double rate, int64_t number) {
        optimizers::adagrad_step(store, direction, l1, {rate, 0.0, number});
      },
      "store"_a, "direction"_a, "l1"_a, "rate"_a, "number"_a,
      "A step of AdaGrad; L1 penalties of skipped steps are applied to the features of the direction only.");
  m.def("settle_penalties", &optimizers::settle_penalties, "store"_a, "l1"_a, "rate"_a, "number"_a,
        "Apply the L1 penalties that are due before a step to all features.");
  m.def("pull_towards", &optimizers::pull_towards, "store"_a, "start"_a, "factor"_a,
        "w = start + factor * (w - start).");
  m.def("begin_pass", &optimizers::begin_pass, "store"_a, "rates"_a.none(), "first"_a,
        "Reset what steps remember; the rates become `first`, or those of another store.");
  m.def(
      "restore_weights",
      [](WeightStore& store, const WeightStore& from, const std::vector<std::string>& names) {
        std::vector<uint64_t> keys;
        for (const std::string& name : names) keys.push_back(weights::key_of(name));
        optimizers::restore_weights(store, from, keys);
      },
      "store"_a, "from_"_a, "names"_a,
      "Set the weights of some features to those of another store, as if no step had touched them.");
  m.def(
      "store_scores",
      [](Vector<int64_t> offsets, Vector<int32_t> columns, Vector<double> values, int64_t begin, int64_t end,
         Vector<uint32_t> numbers, const WeightStore& store) {
        const Csr features{view(offsets), view(columns), view(values), numbers.size()};
        return to_numpy(without_gil(
            [&] { return candidates::store_scores(features, begin, end, view(numbers), store); }));
      },
      "offsets"_a, "columns"_a, "values"_a, "begin"_a, "end"_a, "numbers"_a, "store"_a,
      "Model scores of candidates under the weights of a store.");
}

/// A store, or the path of a file.
using GivenWeights = std::variant<std::shared_ptr<WeightStore>, std::string>;

optimizers::WeightSource source(const GivenWeights& given) {
  const auto* store = std::get_if<std::shared_ptr<WeightStore>>(&given);
  if (store == nullptr) return std::get<std::string>(given);
  if (*store == nullptr) throw InputError("weights are None; expected a store, or the path of a file");
  return store->get();
}

void add_mixture(nb::module_& m) {
  m.def(
      "mix_weights",
      [](const GivenWeights& start, const std::vector<std::tuple<GivenWeights, double, int64_t>>& shards,
         const std::vector<std::string>& kept, size_t top, size_t least_shards, bool changed, int threads) {
        optimizers::FeatureSelection selection{{}, top, least_shards};
        const auto rule = changed ? optimizers::MixingRule::kChanged : optimizers::MixingRule::kAll;
        for (const std::string& name : kept) selection.kept.push_back(weights::key_of(name));
        std::vector<optimizers::MixedShard> mixed;
        for (const auto& [weights, share, steps] : shards) mixed.push_back({source(weights), share, steps});
        optimizers::MixedWeights result = without_gil([&] {
          return optimizers::mix_weights(source(start), mixed, selection, rule, threads, check_signals);
        });
        return std::make_tuple(std::make_shared<WeightStore>(std::move(result.last)),
                               to_numpy(std::move(result.averages)), result.dropped.by_top,
                               result.dropped.by_shards);
      },
      "start"_a, "shards"_a, "kept"_a, "top"_a, "least_shards"_a, "changed"_a, "threads"_a,
      "The mean of the weights of shards (store or path, share, steps): (last weights, averages over steps "
      "of "
      "the same features, features dropped by top k, features dropped by shards).");
  m.def("count_by_template", &optimizers::count_by_template, "store"_a, "templates"_a,
        "Numbers of features with a weight by template; last, of those of none.");
  m.def("add_to_mean", &optimizers::add_to_mean, "mean"_a, "newest"_a, "count"_a,
        "The running mean over iterations.");
}

}  // namespace

void bind_optimizers_online(nb::module_& m) {
  add_steps(m);
  add_mixture(m);
}

}  // namespace tunesmith::bind
