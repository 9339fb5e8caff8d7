#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include "bind/bind.h"
#include "tunesmith/decode/features/bilingual.h"
#include "tunesmith/decode/features/context.h"
#include "tunesmith/decode/features/length_group.h"
#include "tunesmith/decode/features/lm.h"
#include "tunesmith/decode/features/phrase_length.h"
#include "tunesmith/decode/features/reordering.h"
#include "tunesmith/decode/target_constraint.h"
#include "tunesmith/decode/translation.h"
#include "tunesmith/decode/weight_names.h"
#include "tunesmith/decode/weighted_model.h"

namespace tunesmith::bind {

namespace {

void add_grammar_limits(nb::module_& m) {
  nb::class_<grammar::GrammarLimits>(m, "GrammarLimits", "How the decoder restricts a grammar.")
      .def(
          "__init__",
          [](grammar::GrammarLimits* self, size_t rules, uint32_t span, bool is_counted, size_t breadth,
             const std::string& direct, bool direct_is_cost) {
            new (self) grammar::GrammarLimits{rules, span, is_counted, breadth, direct, direct_is_cost};
          },
          "rules"_a, "span"_a, "is_counted"_a, "breadth"_a = 0, "direct"_a = "", "direct_is_cost"_a = false)
      .def_ro("rules", &grammar::GrammarLimits::rules)
      .def_ro("span", &grammar::GrammarLimits::span)
      .def_ro("is_counted", &grammar::GrammarLimits::is_counted)
      .def_ro("breadth", &grammar::GrammarLimits::breadth);
}

void add_decoder_model(nb::module_& m) {
  nb::enum_<decode::Penalty>(m, "Penalty")
      .value("WORD", decode::Penalty::kWord)
      .value("PHRASE", decode::Penalty::kPhrase)
      .value("UNKNOWN_WORD", decode::Penalty::kUnknownWord)
      .value("DISTORTION", decode::Penalty::kDistortion)
      .value("INPUT", decode::Penalty::kInput)
      .value("SOURCE_WORD", decode::Penalty::kSourceWord)
      .value("PASS_THROUGH", decode::Penalty::kPassThrough)
      .value("ARITY_0", decode::Penalty::kArity0)
      .value("ARITY_1", decode::Penalty::kArity1)
      .value("ARITY_2", decode::Penalty::kArity2);
  nb::class_<decode::StatefulFeature>(m, "StatefulFeature",
                                      "A feature whose value depends on the context of an option.");
  nb::class_<decode::PairFeature>(m, "PairFeature", "A feature of phrase pairs alone.");
  nb::class_<decode::PlacedFeature>(m, "PlacedFeature", "A feature of an option and its place in the input.");
  nb::class_<decode::ScoreFeature>(
      m, "ScoreFeature", "A feature that is a function of the scores and lengths of a phrase pair.");
  nb::enum_<decode::features::GroupedSides>(m, "GroupedSides")
      .value("SOURCE", decode::features::GroupedSides::kSource)
      .value("TARGET", decode::features::GroupedSides::kTarget)
      .value("PRODUCT", decode::features::GroupedSides::kProduct);
  nb::class_<decode::features::LengthGroupFeature, decode::ScoreFeature>(
      m, "LengthGroupFeature", "The scores of a pair, once per range of lengths that contains its own.")
      .def(
          "__init__",
          [](decode::features::LengthGroupFeature* self, std::string name, std::vector<std::string> scores,
             decode::features::GroupedSides sides, size_t longest, bool needs_all) {
            new (self) decode::features::LengthGroupFeature(
                {std::move(name), std::move(scores), sides, longest, needs_all});
          },
          "name"_a, "scores"_a, "sides"_a, "longest"_a, "needs_all"_a,
          "With `needs_all` the model must have all of the scores; otherwise missing ones are left out.");
  nb::class_<decode::features::PhraseLengthFeature, decode::PairFeature>(
      m, "PhraseLengthFeature", "Indicators of the lengths of a pair.")
      .def(nb::init<std::string>(), "name"_a);
  nb::class_<decode::DecoderModel>(m, "DecoderModel",
                                   "Tables, grammars and features of a decoder, and their columns.")
      .def(nb::init<>())
      .def("add_table", &decode::DecoderModel::add_table, "table"_a, "name"_a, "limit"_a, "breadth"_a,
           nb::keep_alive<1, 2>())
      .def(
          "add_grammar",
          [](decode::DecoderModel& self, std::shared_ptr<grammar::RuleTrie> trie,
             const grammar::GrammarLimits& limits, const std::vector<std::string>& names,
             const std::vector<std::string>& dense) {
            self.add_grammar(std::move(trie), limits, names, dense);
          },
          "trie"_a, "limits"_a, "names"_a, "dense"_a,
          "Adds a grammar. Its features get `names`; the `dense` ones are columns.")
      .def("add_rule_columns", &decode::DecoderModel::add_rule_columns, "names"_a,
           "Adds the missing columns for features of rules that come with requests.")
      .def("add_penalty", &decode::DecoderModel::add_penalty, "penalty"_a, "name"_a)
      .def(
          "set_early_distortion",
          [](decode::DecoderModel& self) { self.set_distortion_cost(decode::DistortionCost::kEarly); },
          "Lets Distortion be paid when words are skipped (Moore and Quirk 2007).")
      .def("add_arc_feature", &decode::DecoderModel::add_arc_feature, "name"_a)
      .def(
          "add_lm",
          [](decode::DecoderModel& self, const lm::NgramLm& lm, const std::string& name) {
            self.add_feature(std::make_shared<decode::features::LmFeature>(lm, name, self.words()));
          },
          "lm"_a, "name"_a, nb::keep_alive<1, 2>())
      .def(
          "add_lm_unknown",
          [](decode::DecoderModel& self, const lm::NgramLm& lm, const std::string& name) {
            self.add_pair_feature(std::make_shared<decode::features::LmUnknownFeature>(lm, name));
          },
          "lm"_a, "name"_a, nb::keep_alive<1, 2>(), "Counts words that are unknown to the language model.")
      .def(
          "add_bilingual_lm",
          [](decode::DecoderModel& self, const lm::NgramLm& lm, const std::string& name,
             const std::string& joiner) {
            self.add_feature(std::make_shared<decode::features::BilingualFeature>(lm, name, self, joiner));
          },
          "lm"_a, "name"_a, "joiner"_a, nb::keep_alive<1, 2>())
      .def(
          "add_context",
          [](decode::DecoderModel& self, size_t size) {
            self.add_feature(std::make_shared<decode::features::ContextFeature>(size));
          },
          "size"_a)
      .def(
          "add_feature",
          [](decode::DecoderModel& self, std::shared_ptr<decode::StatefulFeature> feature) {
            feature->attach(self);
            self.add_feature(std::move(feature));
          },
          "feature"_a)
      .def(
          "add_pair_feature",
          [](decode::DecoderModel& self, std::shared_ptr<decode::PairFeature> feature) {
            feature->attach(self.words());
            self.add_pair_feature(std::move(feature));
          },
          "feature"_a)
      .def(
          "add_placed_feature",
          [](decode::DecoderModel& self, std::shared_ptr<decode::PlacedFeature> feature) {
            feature->attach(self.words());
            self.add_placed_feature(std::move(feature));
          },
          "feature"_a)
      .def(
          "add_score_feature",
          [](decode::DecoderModel& self, std::shared_ptr<decode::ScoreFeature> feature) {
            self.add_score_feature(std::move(feature));
          },
          "feature"_a)
      .def(
          "add_reordering",
          [](decode::DecoderModel& self, const tables::ReorderingModel& model, const std::string& name,
             size_t first_column) {
            self.require_reordering(first_column, static_cast<size_t>(tables::column_count(model)));
            self.add_feature(
                std::make_shared<decode::features::ReorderingFeature>(model, name, first_column));
          },
          "model"_a, "name"_a, "first_column"_a)
      .def(
          "require_reordering",
          [](decode::DecoderModel& self, const tables::ReorderingModel& model, size_t first_column) {
            self.require_reordering(first_column, static_cast<size_t>(tables::column_count(model)));
          },
          "model"_a, "first_column"_a,
          "Check that tables have the probabilities of a reordering model, or none at all.")
      .def(
          "add_target_constraint",
          [](decode::DecoderModel& self) {
            self.add_feature(std::make_shared<decode::TargetConstraint>(self));
          },
          "Lets requests require a target.")
      .def_prop_ro("names", &decode::DecoderModel::names, nb::rv_policy::copy);
  nb::class_<decode::WeightedModel>(m, "WeightedModel", "A model with weights.")
      .def(
          "__init__",
          [](decode::WeightedModel* self, std::shared_ptr<decode::DecoderModel> model,
             const Vector<double>& weights, const std::vector<std::pair<std::string, double>>& sparse) {
            auto named = std::make_shared<weights::WeightStore>();
            for (const auto& [name, weight] : sparse) named->set(name, weight);
            std::vector<float> dense;
            for (const double weight : view(weights)) dense.push_back(static_cast<float>(weight));
            new (self) decode::WeightedModel(std::move(model), std::move(dense), std::move(named));
          },
          "model"_a, "weights"_a, "sparse"_a, nb::keep_alive<1, 2>())
      .def(
          "__init__",
          [](decode::WeightedModel* self, std::shared_ptr<decode::DecoderModel> model,
             std::shared_ptr<weights::WeightStore> store) {
            new (self) decode::WeightedModel(std::move(model), std::move(store));
          },
          "model"_a, "store"_a, nb::keep_alive<1, 2>())
      .def("refresh", &decode::WeightedModel::refresh, nb::call_guard<GilReleased>(),
           "Read weights that were changed in the store; no search may be at work.")
      .def("drop_lists", &decode::WeightedModel::drop_lists, nb::call_guard<GilReleased>(),
           "Drop the lists of scored options; they are scored again when needed.");
  m.def("foreign_weights", &decode::foreign_names, "model"_a, "store"_a, "templates"_a, "most"_a,
        nb::call_guard<GilReleased>(), "Names of weights that neither the model nor templates have.");
  m.def(
      "first_weight_above",
      [](const weights::WeightStore& store, double size) -> std::optional<std::string> {
        const uint32_t found = decode::first_above(store, size);
        if (found == weights::WeightStore::kNone) return std::nullopt;
        return std::string(store.name(found));
      },
      "store"_a, "size"_a, "The name of the first weight that is larger in size, if any.");
}

using Given = std::tuple<uint32_t, uint32_t, std::string, float>;

void set_phrases(decode::PhraseConstraints& constraints, const std::vector<Given>& given, bool is_exclusive) {
  constraints.phrases.clear();
  for (const auto& [begin, end, target, probability] : given)
    constraints.phrases.push_back({{begin, end}, target, probability});
  constraints.is_exclusive = is_exclusive;
}

extract::phrases::LeaveOneOut leave_one_out(const Matrix<int32_t>& links, int max_length, float singleton,
                                            bool by_length, size_t inverse_column, size_t direct_column) {
  if (links.shape(1) != 2) throw InputError("links must be rows of two word positions");
  extract::phrases::LeaveOneOut options{{}, max_length, singleton, by_length, inverse_column, direct_column};
  for (size_t i = 0; i < links.shape(0); ++i)
    options.alignment.push_back({links.data()[2 * i], links.data()[2 * i + 1]});
  return options;
}

void add_sentence_options(nb::module_& m) {
  nb::class_<extract::phrases::LeaveOneOut>(m, "LeaveOneOut",
                                            "How to subtract a sentence pair from the counts of a table.")
      .def(
          "__init__",
          [](extract::phrases::LeaveOneOut* self, const Matrix<int32_t>& links, int max_length,
             float singleton, bool by_length, size_t inverse_column, size_t direct_column) {
            new (self) extract::phrases::LeaveOneOut(
                leave_one_out(links, max_length, singleton, by_length, inverse_column, direct_column));
          },
          "links"_a, "max_length"_a, "singleton"_a, "by_length"_a, "inverse_column"_a, "direct_column"_a);
  nb::class_<decode::PhraseConstraints>(m, "PhraseConstraints", "Constraints of a request on its phrases.")
      .def(nb::init<>())
      .def("set_phrases", &set_phrases, "phrases"_a, "is_exclusive"_a,
           "Gives translations (begin, end, target, probability) of source words.")
      .def_rw("leave_one_out", &decode::PhraseConstraints::leave_one_out, nb::arg().none())
      .def_rw("table_limit", &decode::PhraseConstraints::table_limit, nb::arg().none())
      .def_rw("drops_words", &decode::PhraseConstraints::drops_words);
}

}  // namespace

void bind_decode_model(nb::module_& m) {
  add_grammar_limits(m);
  add_decoder_model(m);
  add_sentence_options(m);
}

}  // namespace tunesmith::bind
