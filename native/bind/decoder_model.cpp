#include <nanobind/stl/shared_ptr.h>

#include "bind.h"
#include "tunesmith/bilingual_feature.h"
#include "tunesmith/context_feature.h"
#include "tunesmith/length_group_feature.h"
#include "tunesmith/lm_feature.h"
#include "tunesmith/phrase_length_feature.h"
#include "tunesmith/reordering_feature.h"
#include "tunesmith/target_constraint.h"
#include "tunesmith/weighted_model.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  nb::enum_<Penalty>(m, "Penalty")
      .value("WORD", Penalty::kWord)
      .value("PHRASE", Penalty::kPhrase)
      .value("UNKNOWN_WORD", Penalty::kUnknownWord)
      .value("DISTORTION", Penalty::kDistortion)
      .value("INPUT", Penalty::kInput)
      .value("SOURCE_WORD", Penalty::kSourceWord)
      .value("PASS_THROUGH", Penalty::kPassThrough)
      .value("ARITY_0", Penalty::kArity0)
      .value("ARITY_1", Penalty::kArity1)
      .value("ARITY_2", Penalty::kArity2);
  nb::class_<StatefulFeature>(m, "StatefulFeature",
                              "A feature whose value depends on what is around an option.");
  nb::class_<PairFeature>(m, "PairFeature", "A feature of phrase pairs alone.");
  nb::class_<ScoreFeature>(m, "ScoreFeature", "A feature that follows from the scores of a phrase pair.");
  nb::enum_<GroupedSides>(m, "GroupedSides")
      .value("SOURCE", GroupedSides::kSource)
      .value("TARGET", GroupedSides::kTarget)
      .value("PRODUCT", GroupedSides::kProduct);
  nb::class_<LengthGroupFeature, ScoreFeature>(m, "LengthGroupFeature",
                                               "The scores of a pair, once for each range of its length.")
      .def(
          "__init__",
          [](LengthGroupFeature* self, std::string name, std::vector<std::string> scores, GroupedSides sides,
             size_t longest, bool needs_all) {
            new (self) LengthGroupFeature({std::move(name), std::move(scores), sides, longest, needs_all});
          },
          "name"_a, "scores"_a, "sides"_a, "longest"_a, "needs_all"_a,
          "With `needs_all` each of the scores must be one of the model; otherwise those that it has count.");
  nb::class_<PhraseLengthFeature, PairFeature>(m, "PhraseLengthFeature",
                                               "How long the phrases of a pair are.")
      .def(nb::init<std::string>(), "name"_a);
  nb::class_<DecoderModel>(m, "DecoderModel",
                           "Tables, grammars and features of a decoder, and their columns.")
      .def(nb::init<>())
      .def("add_table", &DecoderModel::add_table, "table"_a, "name"_a, "limit"_a, nb::keep_alive<1, 2>())
      .def(
          "add_grammar",
          [](DecoderModel& self, std::shared_ptr<RuleTrie> trie, size_t rules, uint32_t span, bool is_counted,
             const std::vector<std::string>& names, const std::vector<std::string>& dense) {
            self.add_grammar(std::move(trie), {rules, span, is_counted}, names, dense);
          },
          "trie"_a, "rules"_a, "span"_a, "is_counted"_a, "names"_a, "dense"_a,
          "Adds a grammar; see GrammarLimits. Its features get `names`, of which the `dense` ones are "
          "columns.")
      .def("add_rule_columns", &DecoderModel::add_rule_columns, "names"_a,
           "Adds columns for features of rules that come with requests, where they are not there yet.")
      .def("add_penalty", &DecoderModel::add_penalty, "penalty"_a, "name"_a)
      .def("add_arc_feature", &DecoderModel::add_arc_feature, "name"_a)
      .def(
          "add_lm",
          [](DecoderModel& self, const NgramLm& lm, const std::string& name) {
            self.add_feature(std::make_shared<LmFeature>(lm, name, self.words()));
          },
          "lm"_a, "name"_a, nb::keep_alive<1, 2>())
      .def(
          "add_lm_unknown",
          [](DecoderModel& self, const NgramLm& lm, const std::string& name) {
            self.add_pair_feature(std::make_shared<LmUnknownFeature>(lm, name));
          },
          "lm"_a, "name"_a, nb::keep_alive<1, 2>(), "Counts words that the language model does not know.")
      .def(
          "add_bilingual_lm",
          [](DecoderModel& self, const NgramLm& lm, const std::string& name, const std::string& joiner) {
            self.add_feature(std::make_shared<BilingualFeature>(lm, name, self, joiner));
          },
          "lm"_a, "name"_a, "joiner"_a, nb::keep_alive<1, 2>())
      .def(
          "add_context",
          [](DecoderModel& self, size_t size) { self.add_feature(std::make_shared<ContextFeature>(size)); },
          "size"_a)
      .def(
          "add_feature",
          [](DecoderModel& self, std::shared_ptr<StatefulFeature> feature) {
            self.add_feature(std::move(feature));
          },
          "feature"_a)
      .def(
          "add_pair_feature",
          [](DecoderModel& self, std::shared_ptr<PairFeature> feature) {
            self.add_pair_feature(std::move(feature));
          },
          "feature"_a)
      .def(
          "add_score_feature",
          [](DecoderModel& self, std::shared_ptr<ScoreFeature> feature) {
            self.add_score_feature(std::move(feature));
          },
          "feature"_a)
      .def(
          "add_reordering",
          [](DecoderModel& self, const ReorderingModel& model, const std::string& name, size_t first_column) {
            self.require_reordering(first_column + static_cast<size_t>(column_count(model)));
            self.add_feature(std::make_shared<ReorderingFeature>(model, name, first_column));
          },
          "model"_a, "name"_a, "first_column"_a)
      .def(
          "add_target_constraint",
          [](DecoderModel& self) { self.add_feature(std::make_shared<TargetConstraint>(self)); },
          "Lets requests require a target.")
      .def_prop_ro("names", &DecoderModel::names, nb::rv_policy::copy);
  nb::class_<WeightedModel>(m, "WeightedModel", "A model with weights.")
      .def(
          "__init__",
          [](WeightedModel* self, std::shared_ptr<DecoderModel> model, const Vector<double>& weights,
             const std::vector<std::pair<std::string, double>>& sparse) {
            SparseWeights named;
            for (const auto& [name, weight] : sparse) named.set(name, static_cast<float>(weight));
            std::vector<float> dense;
            for (const double weight : view(weights)) dense.push_back(static_cast<float>(weight));
            new (self) WeightedModel(std::move(model), std::move(dense), std::move(named));
          },
          "model"_a, "weights"_a, "sparse"_a, nb::keep_alive<1, 2>());
});

}  // namespace tunesmith::bind
