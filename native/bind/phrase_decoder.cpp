#include "tunesmith/phrase_decoder.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include "bind.h"
#include "signals.h"
#include "tunesmith/replay.h"

namespace tunesmith::bind {

namespace {

using Phrase = std::tuple<uint32_t, uint32_t, std::string, std::optional<int64_t>, float>;
using NamedRow = std::vector<std::pair<std::string, float>>;

/// Rows with the names of their columns.
std::vector<NamedRow> named(const DecoderModel& model, const Rows<FeatureValue>& rows) {
  std::vector<NamedRow> result;
  for (size_t i = 0; i < rows.size(); ++i) {
    NamedRow& row = result.emplace_back();
    for (const FeatureValue& value : rows[i]) row.emplace_back(model.column_name(value.column), value.value);
  }
  return result;
}

std::vector<Translation> translate(const WeightedModel& model, const DecoderSettings& settings,
                                   const std::vector<DecoderRequest>& requests, int threads) {
  nb::gil_scoped_release release;
  const auto maker = [&] { return std::make_unique<PhraseDecoder>(model, settings); };
  return translate_all(maker, requests, threads, check_signals);
}

std::vector<NamedRow> replay_texts(const WeightedModel& model, const WordLattice& input,
                                   const std::vector<Phrase>& phrases) {
  std::vector<GivenPhrase> given;
  for (const auto& [begin, end, target, rule, probability] : phrases)
    given.push_back({{begin, end}, target, rule, probability});
  nb::gil_scoped_release release;
  return named(model.model(), replay_phrases(model, input, given));
}

void bind_settings(nb::module_& m) {
  nb::enum_<UnknownWords>(m, "UnknownWords")
      .value("PASS", UnknownWords::kPass)
      .value("DROP", UnknownWords::kDrop);
  nb::class_<SearchSettings>(m, "SearchSettings")
      .def(nb::init<>())
      .def_rw("pop_limit", &SearchSettings::pop_limit)
      .def_rw("stack_size", &SearchSettings::stack_size)
      .def_rw("beam_threshold", &SearchSettings::beam_threshold)
      .def_rw("distortion_limit", &SearchSettings::distortion_limit)
      .def_rw("early_discard", &SearchSettings::early_discard)
      .def_rw("keep_all", &SearchSettings::keep_all);
  nb::class_<DecoderSettings>(m, "DecoderSettings")
      .def(nb::init<>())
      .def_rw("search", &DecoderSettings::search)
      .def_rw("unknown_words", &DecoderSettings::unknown_words)
      .def_rw("make_forest", &DecoderSettings::make_forest);
}

void bind_input(nb::module_& m) {
  nb::class_<WordLattice>(m, "WordLattice", "A sentence, or a lattice of words.")
      .def_static("sentence", &WordLattice::sentence, "text"_a)
      .def(
          "__init__",
          [](WordLattice* self,
             const std::vector<std::vector<std::tuple<std::string, float, uint32_t>>>& nodes) {
            std::vector<std::vector<LatticeArc>> arcs;
            for (const auto& node : nodes) {
              auto& row = arcs.emplace_back();
              for (const auto& [word, score, end] : node) row.push_back({end, word, score});
            }
            new (self) WordLattice(std::move(arcs));
          },
          "arcs"_a, "For each node its arcs (word, log of its value, node that it leads to).")
      .def_prop_ro("columns", &WordLattice::columns)
      .def_prop_ro("has_scores", &WordLattice::has_scores)
      .def_prop_ro("feature_names", &WordLattice::feature_names, nb::rv_policy::copy)
      .def(
          "arcs",
          [](const WordLattice& self, uint32_t node) {
            if (node >= self.columns()) throw InputError("the lattice has no such node");
            std::vector<std::pair<std::string, uint32_t>> arcs;
            for (const LatticeArc& arc : self.arcs(node)) arcs.emplace_back(arc.word, arc.end);
            return arcs;
          },
          "node"_a, "The arcs that leave a node: words, and the nodes that they lead to.")
      .def("distance", [](const WordLattice& self, uint32_t from, uint32_t to) {
        if (from > self.columns() || to > self.columns()) throw InputError("the lattice has no such node");
        return self.distance(from, to);
      });
  nb::class_<DecoderRequest>(m, "DecoderRequest")
      .def(
          "__init__",
          [](DecoderRequest* self, std::shared_ptr<WordLattice> input, std::optional<std::string> target,
             bool is_prefix) {
            new (self) DecoderRequest{std::move(input), std::move(target), is_prefix, {}};
          },
          "input"_a, "target"_a = nb::none(), "is_prefix"_a = false)
      .def_rw("demands", &DecoderRequest::demands)
      .def(
          "add_grammar",
          [](DecoderRequest& self, std::shared_ptr<RuleTrie> trie, size_t rules, uint32_t span,
             bool is_counted) { self.grammars.push_back({std::move(trie), {rules, span, is_counted}}); },
          "trie"_a, "rules"_a, "span"_a, "is_counted"_a);
}

}  // namespace

static const Join join([](nb::module_& m) {
  bind_settings(m);
  bind_input(m);
  nb::class_<Translation>(m, "Translation", "What the decoder found.")
      .def_ro("found", &Translation::found)
      .def_prop_ro("text",
                   [](const Translation& self) { return nb::bytes(self.text.data(), self.text.size()); })
      .def_ro("score", &Translation::score)
      .def_ro("nodes", &Translation::nodes)
      .def_ro("edges", &Translation::edges)
      .def_ro("bytes", &Translation::bytes)
      .def_ro("seconds", &Translation::seconds)
      .def_prop_ro("phrases",
                   [](const Translation& self) {
                     std::vector<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, int64_t>> phrases;
                     for (const TranslatedPhrase& each : self.phrases)
                       phrases.emplace_back(each.source.begin, each.source.end, each.target.begin,
                                            each.target.end, each.rule);
                     return phrases;
                   })
      .def_prop_ro(
          "shapes",
          [](const Translation& self) {
            std::vector<std::pair<std::string, uint32_t>> shapes;
            for (const TranslatedPhrase& each : self.phrases) shapes.emplace_back(each.category, each.arity);
            return shapes;
          },
          "The category that each rule makes, empty for phrases, and its number of gaps.")
      .def_prop_ro("alignment",
                   [](const Translation& self) {
                     std::vector<std::pair<int, int>> links;
                     for (const Link link : self.alignment) links.emplace_back(link.source, link.target);
                     return links;
                   })
      .def_prop_ro(
          "forest", [](const Translation& self) { return std::const_pointer_cast<Forest>(self.forest); },
          nb::sig("def forest(self) -> Forest | None"))
      .def_ro("node_categories", &Translation::node_categories, nb::rv_policy::copy,
              "What each node of a chart's forest is; empty for phrases.")
      .def(
          "steps",
          [](const Translation& self, const WeightedModel& model) {
            return named(model.model(), self.steps);
          },
          "model"_a, "The features that each phrase added, and then the end.");
  m.def("translate", &translate, "model"_a, "settings"_a, "requests"_a, "threads"_a);
  m.def("replay", &replay_texts, "model"_a, "input"_a, "phrases"_a,
        "The features that each phrase (begin, end, target, rule, probability) adds, and then the end.");
});

}  // namespace tunesmith::bind
