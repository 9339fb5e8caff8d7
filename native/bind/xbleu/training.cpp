// Training of reordering models: lists compiled for a feature set, the learner, and evaluation.
#include <nanobind/stl/function.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include "bind/bind.h"
#include "bind/signals.h"
#include "bind/xbleu/marks.h"
#include "tunesmith/xbleu/evaluate.h"
#include "tunesmith/xbleu/learner.h"

namespace tunesmith::bind {

namespace {

using xbleu::EventFeatures;
using xbleu::Learner;
using xbleu::ListFile;
using xbleu::ListObjective;
using xbleu::TrainingSet;

constexpr size_t kListsPerCheck = 256;

/// Compiles the lists of a file: marks are 0 for the first set, 1 for the second, 2 for none.
void compile(const ListFile& file, const Vector<float>& gains, const Vector<uint8_t>& held_out,
             EventFeatures& features, TrainingSet& training, TrainingSet& evaluation) {
  if (gains.size() != file.candidate_count() || held_out.size() != file.size())
    throw InputError("there are " + std::to_string(gains.size()) + " gains and " +
                     std::to_string(held_out.size()) + " marks for " +
                     std::to_string(file.candidate_count()) + " candidates of " +
                     std::to_string(file.size()) + " lists");
  for (const TrainingSet* set : {&training, &evaluation})
    if (set->dense_features() > 0 && set->dense_features() != file.dense_names().size())
      throw InputError("the lists have values of " + std::to_string(file.dense_names().size()) +
                       " dense features; expected " + std::to_string(set->dense_features()));
  without_gil([&] {
    features.open(file);
    size_t first = 0;
    for (size_t i = 0; i < file.size(); ++i) {
      if (i % kListsPerCheck == 0) check_signals();
      const xbleu::ListView list = file[i];
      const auto of_list = view(gains).subspan(first, list.size());
      first += list.size();
      const uint8_t mark = view(held_out)[i];
      if (mark == kNoSet) continue;
      TrainingSet& set = mark != 0 ? evaluation : training;
      set.add(list, of_list, features, set.dense_features() > 0 ? file.dense(i) : xbleu::DenseValues());
    }
  });
}

void check_weights(size_t expected, size_t found) {
  if (found != expected)
    throw InputError("there are " + std::to_string(found) + " weights for " + std::to_string(expected) +
                     " features");
}

template <size_t N>
std::vector<double> listed(const std::array<double, N>& values) {
  return {values.begin(), values.end()};
}

void bind_sets(nb::module_& m) {
  nb::class_<EventFeatures>(m, "EventFeatures", "Numbers of the features of events, for one template.")
      .def(
          "__init__",
          [](EventFeatures* self, std::shared_ptr<decode::features::SparseReorderingFeature> feature) {
            new (self) EventFeatures(std::move(feature));
          },
          "feature"_a)
      .def("__len__", &EventFeatures::size)
      .def_prop_ro("is_small", &EventFeatures::is_small)
      .def_prop_ro("possible",
                   [](const EventFeatures& self) {
                     return std::vector<uint64_t>(self.possible().begin(), self.possible().end());
                   })
      .def_prop_ro("seen",
                   [](const EventFeatures& self) {
                     return std::vector<uint64_t>(self.seen().begin(), self.seen().end());
                   })
      .def("collisions", [](const EventFeatures& self) { return self.collisions().all(); })
      .def(
          "names",
          [](const EventFeatures& self, size_t begin, size_t end) {
            std::vector<std::string_view> names;
            for (size_t i = begin; i < std::min(end, self.size()); ++i)
              names.push_back(self.name(static_cast<uint32_t>(i)));
            return names;
          },
          "begin"_a, "end"_a)
      .def(
          "weighted",
          [](const EventFeatures& self, const Vector<float>& weights) {
            check_weights(self.size(), weights.size());
            return std::make_shared<weights::WeightStore>(
                without_gil([&] { return self.weighted(view(weights)); }));
          },
          "weights"_a, "A store of the features whose weights are not 0.");
  nb::class_<TrainingSet>(m, "TrainingSet", "Lists compiled for a feature set, in a scratch file.")
      .def(nb::init<const std::string&, bool, bool, size_t>(), "folder"_a, "small"_a, "matches"_a,
           "dense"_a = 0)
      .def_static(
          "open", [](const std::string& path) { return without_gil([&] { return new TrainingSet(path); }); },
          "path"_a, nb::rv_policy::take_ownership, "Map the lists of a file.")
      .def(
          "write",
          [](const TrainingSet& self, const std::string& path, size_t begin, size_t end) {
            without_gil([&] { self.write(path, begin, end); });
          },
          "path"_a, "begin"_a, "end"_a, "Write a range of lists to a file, for learners in other processes.")
      .def("__len__", &TrainingSet::size)
      .def("seal", &TrainingSet::seal, "Map the file; nothing may be added after it.")
      .def_prop_ro("bytes", &TrainingSet::bytes)
      .def(
          "dense_deviations", [](const TrainingSet& self) { return to_numpy(self.dense_deviations()); },
          "Standard deviation of each dense feature within lists.")
      .def_prop_ro("candidates", [](const TrainingSet& self) { return self.counts().candidates; })
      .def_prop_ro("events", [](const TrainingSet& self) { return self.counts().events; })
      .def_prop_ro("groups", [](const TrainingSet& self) { return self.counts().groups; })
      .def_prop_ro("uses", [](const TrainingSet& self) { return self.counts().uses; })
      .def_prop_ro("features", [](const TrainingSet& self) { return self.counts().features; });
  m.def("compile_lists", &compile, "file"_a, "gains"_a, "held_out"_a, "features"_a, "training"_a,
        "evaluation"_a,
        "Compile the lists of a file; those marked 1 by `held_out` go to `evaluation`, those marked 2 "
        "nowhere.");
}

void bind_learner(nb::module_& m) {
  nb::enum_<ListObjective>(m, "ListObjective")
      .value("EXPECTED_GAIN", ListObjective::kExpectedGain)
      .value("LIKELIHOOD", ListObjective::kLikelihood);
  nb::class_<Learner>(m, "ReorderingLearner", "Stochastic gradient ascent on lists.")
      .def(
          "__init__",
          [](Learner* self, size_t features, ListObjective objective, double gamma, double rate, double l2,
             size_t batch, bool adagrad, bool average, size_t threads, const std::vector<double>& dense_rates,
             double dense_decay) {
            new (self) Learner({objective, gamma, rate, l2, batch, adagrad, average, threads}, features,
                               xbleu::DenseWeights({dense_rates, dense_decay, adagrad, average}));
          },
          "features"_a, nb::kw_only(), "objective"_a, "gamma"_a, "rate"_a, "l2"_a = 0.0, "batch"_a = 1,
          "adagrad"_a = false, "average"_a = false, "threads"_a = 1, "dense_rates"_a = std::vector<double>(),
          "dense_decay"_a = 0.0)
      .def(
          "learn",
          [](Learner& self, const TrainingSet& set, uint64_t seed, uint64_t epoch, size_t most) {
            const xbleu::Epoch done =
                without_gil([&] { return self.pass(set, seed, epoch, most, check_signals); });
            return std::make_pair(done.lists, done.objective);
          },
          "lists"_a, "seed"_a, "epoch"_a, "most"_a = SIZE_MAX,
          "One pass over at most `most` lists: their number, and the mean of the objective.")
      .def(
          "learn",
          [](Learner& self, const xbleu::ForestSet& set, uint64_t seed, uint64_t epoch, size_t most) {
            const xbleu::Epoch done =
                without_gil([&] { return self.pass(set, seed, epoch, most, check_signals); });
            return std::make_pair(done.lists, done.objective);
          },
          "forests"_a, "seed"_a, "epoch"_a, "most"_a = SIZE_MAX, "The same over forests.")
      .def("weights", [](const Learner& self) { return to_numpy(self.weights()); })
      .def("averages", [](const Learner& self) { return to_numpy(self.averages()); })
      .def("squares", [](const Learner& self) { return to_numpy(std::vector<float>(self.squares())); })
      .def(
          "set_state",
          [](Learner& self, const Vector<float>& weights, const Vector<float>& squares) {
            self.set_state({view(weights).begin(), view(weights).end()},
                           {view(squares).begin(), view(squares).end()});
          },
          "weights"_a, "squares"_a)
      .def(
          "dense_changes",
          [](const Learner& self) {
            const auto changes = self.dense().changes();
            return to_numpy(std::vector<double>(changes.begin(), changes.end()));
          },
          "Changes of the decoder's weights.")
      .def("dense_averages", [](const Learner& self) { return to_numpy(self.dense().averages()); })
      .def("dense_squares",
           [](const Learner& self) {
             const auto squares = self.dense().squares();
             return to_numpy(std::vector<double>(squares.begin(), squares.end()));
           })
      .def(
          "set_dense_state",
          [](Learner& self, const std::vector<double>& changes, const std::vector<double>& squares) {
            self.dense().set_state(changes, squares);
          },
          "changes"_a, "squares"_a);
}

void bind_evaluation(nb::module_& m) {
  nb::class_<xbleu::Evaluation>(m, "ListEvaluation", "Means over lists, and sums of statistics.")
      .def_ro("lists", &xbleu::Evaluation::lists)
      .def_ro("gain", &xbleu::Evaluation::gain)
      .def_ro("likelihood", &xbleu::Evaluation::likelihood)
      .def_ro("entropy", &xbleu::Evaluation::entropy)
      .def_ro("best_gain", &xbleu::Evaluation::best_gain)
      .def_ro("oracle_gain", &xbleu::Evaluation::oracle_gain)
      .def_prop_ro(
          "expected", [](const xbleu::Evaluation& self) { return to_numpy(listed(self.expected)); },
          nb::rv_policy::move)
      .def_prop_ro(
          "best", [](const xbleu::Evaluation& self) { return to_numpy(listed(self.best)); },
          nb::rv_policy::move);
  m.def(
      "evaluate_lists",
      [](const TrainingSet& set, const Vector<float>& weights, double gamma,
         const std::vector<double>& changes) {
        return without_gil([&] { return xbleu::evaluate(set, view(weights), gamma, changes); });
      },
      "lists"_a, "weights"_a, "gamma"_a, "changes"_a = std::vector<double>());
  m.def(
      "list_gradient",
      [](const TrainingSet& set, const Vector<float>& weights, ListObjective objective, double gamma) {
        std::vector<double> gradient(weights.size());
        const double value =
            without_gil([&] { return xbleu::gradient_of(set, view(weights), objective, gamma, gradient); });
        return std::make_pair(value, to_numpy(std::move(gradient)));
      },
      "lists"_a, "weights"_a, "objective"_a, "gamma"_a,
      "The mean of the objective over the lists, and its gradient.");
  m.def(
      "joint_gradient",
      [](const TrainingSet& set, const Vector<float>& weights, const std::vector<double>& changes,
         ListObjective objective, double gamma) {
        std::vector<double> gradient(weights.size()), dense(set.dense_features());
        const double value = without_gil([&] {
          return xbleu::gradient_of(set, view(weights), objective, gamma, gradient, changes, dense);
        });
        return std::make_tuple(value, to_numpy(std::move(gradient)), to_numpy(std::move(dense)));
      },
      "lists"_a, "weights"_a, "changes"_a, "objective"_a, "gamma"_a,
      "The mean of the objective, and its gradients by the weights and by the decoder's.");
}

}  // namespace

void bind_xbleu_training(nb::module_& m) {
  bind_sets(m);
  bind_learner(m);
  bind_evaluation(m);
}

}  // namespace tunesmith::bind
