#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include "bind/bind.h"
#include "bind/signals.h"
#include "tunesmith/decode/chart/decoder.h"
#include "tunesmith/decode/phrase/decoder.h"
#include "tunesmith/decode/replay.h"

namespace tunesmith::bind {

namespace {

using Phrase = std::tuple<uint32_t, uint32_t, std::string, std::optional<int64_t>, float>;
using NamedRow = std::vector<std::pair<std::string, float>>;

/// Rows of values by name instead of column.
std::vector<NamedRow> named(const decode::DecoderModel& model, const Rows<FeatureValue>& rows) {
  std::vector<NamedRow> result;
  for (size_t i = 0; i < rows.size(); ++i) {
    NamedRow& row = result.emplace_back();
    for (const FeatureValue& value : rows[i]) row.emplace_back(model.column_name(value.column), value.value);
  }
  return result;
}

std::vector<decode::Translation> translate(const decode::WeightedModel& model,
                                           const decode::phrase::PhraseDecoderOptions& options,
                                           const std::vector<decode::DecoderRequest>& requests, int threads) {
  const auto maker = [&] { return std::make_unique<decode::phrase::PhraseDecoder>(model, options); };
  return decode::translate_all(maker, requests, threads, check_signals);
}

std::vector<NamedRow> replay_texts(const decode::WeightedModel& model, const corpus::WordLattice& input,
                                   const std::vector<Phrase>& phrases) {
  std::vector<decode::ReplayedPhrase> replayed;
  for (const auto& [begin, end, target, rule, probability] : phrases)
    replayed.push_back({{begin, end}, target, rule, probability});
  return named(model.model(), decode::replay_phrases(model, input, replayed));
}

void bind_search_options(nb::module_& m) {
  nb::enum_<decode::UnknownWords>(m, "UnknownWords")
      .value("PASS", decode::UnknownWords::kPass)
      .value("DROP", decode::UnknownWords::kDrop);
  nb::class_<decode::phrase::PhraseSearchOptions>(m, "PhraseSearchOptions")
      .def(nb::init<>())
      .def_rw("pop_limit", &decode::phrase::PhraseSearchOptions::pop_limit)
      .def_rw("stack_size", &decode::phrase::PhraseSearchOptions::stack_size)
      .def_rw("beam_threshold", &decode::phrase::PhraseSearchOptions::beam_threshold)
      .def_rw("distortion_limit", &decode::phrase::PhraseSearchOptions::distortion_limit)
      .def_rw("early_discard", &decode::phrase::PhraseSearchOptions::early_discard)
      .def_rw("keep_all", &decode::phrase::PhraseSearchOptions::keep_all)
      .def_rw("memory_limit", &decode::phrase::PhraseSearchOptions::memory_limit);
  nb::class_<decode::phrase::PhraseDecoderOptions>(m, "PhraseDecoderOptions")
      .def(nb::init<>())
      .def_rw("search", &decode::phrase::PhraseDecoderOptions::search)
      .def_rw("unknown_words", &decode::phrase::PhraseDecoderOptions::unknown_words)
      .def_rw("make_forest", &decode::phrase::PhraseDecoderOptions::make_forest);
}

void bind_input(nb::module_& m) {
  nb::class_<corpus::WordLattice>(m, "WordLattice", "A sentence, or a lattice of words.")
      .def_static("sentence", &corpus::WordLattice::sentence, "text"_a)
      .def(
          "__init__",
          [](corpus::WordLattice* self,
             const std::vector<std::vector<std::tuple<std::string, float, uint32_t>>>& nodes) {
            std::vector<std::vector<corpus::LatticeArc>> arcs;
            for (const auto& node : nodes) {
              auto& row = arcs.emplace_back();
              for (const auto& [word, score, end] : node) row.push_back({end, word, score});
            }
            new (self) corpus::WordLattice(std::move(arcs));
          },
          "arcs"_a, "The arcs (word, log value, end node) of each node.")
      .def_prop_ro("columns", &corpus::WordLattice::columns)
      .def_prop_ro("has_scores", &corpus::WordLattice::has_scores)
      .def_prop_ro("feature_names", &corpus::WordLattice::feature_names, nb::rv_policy::copy)
      .def(
          "arcs",
          [](const corpus::WordLattice& self, uint32_t node) {
            if (node >= self.columns()) throw InputError("the lattice has no such node");
            std::vector<std::pair<std::string, uint32_t>> arcs;
            for (const corpus::LatticeArc& arc : self.arcs(node)) arcs.emplace_back(arc.word, arc.end);
            return arcs;
          },
          "node"_a, "The arcs (word, end node) that leave a node.")
      .def("distance", [](const corpus::WordLattice& self, uint32_t from, uint32_t to) {
        if (from > self.columns() || to > self.columns()) throw InputError("the lattice has no such node");
        return self.distance(from, to);
      });
  nb::class_<decode::DecoderRequest>(m, "DecoderRequest")
      .def(
          "__init__",
          [](decode::DecoderRequest* self, std::shared_ptr<corpus::WordLattice> input,
             std::optional<std::string> target, bool is_prefix) {
            new (self) decode::DecoderRequest{std::move(input), std::move(target), is_prefix, {}};
          },
          "input"_a, "target"_a = nb::none(), "is_prefix"_a = false)
      .def_rw("constraints", &decode::DecoderRequest::constraints)
      .def(
          "add_grammar",
          [](decode::DecoderRequest& self, std::shared_ptr<grammar::RuleTrie> trie,
             const grammar::GrammarLimits& limits) { self.grammars.push_back({std::move(trie), limits}); },
          "trie"_a, "limits"_a);
}

void add_phrase_decoder(nb::module_& m) {
  bind_search_options(m);
  bind_input(m);
  nb::class_<decode::Translation>(m, "Translation", "The result of a decoder.")
      .def_ro("found", &decode::Translation::found)
      .def_prop_ro(
          "text",
          [](const decode::Translation& self) { return nb::bytes(self.text.data(), self.text.size()); })
      .def_ro("score", &decode::Translation::score)
      .def_ro("nodes", &decode::Translation::nodes)
      .def_ro("edges", &decode::Translation::edges)
      .def_ro("bytes", &decode::Translation::bytes)
      .def_ro("seconds", &decode::Translation::seconds)
      .def_prop_ro("phrases",
                   [](const decode::Translation& self) {
                     std::vector<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, int64_t>> phrases;
                     for (const decode::TranslatedPhrase& each : self.phrases)
                       phrases.emplace_back(each.source.begin, each.source.end, each.target.begin,
                                            each.target.end, each.rule);
                     return phrases;
                   })
      .def_prop_ro(
          "shapes",
          [](const decode::Translation& self) {
            std::vector<std::pair<std::string, uint32_t>> shapes;
            for (const decode::TranslatedPhrase& each : self.phrases)
              shapes.emplace_back(each.category, each.arity);
            return shapes;
          },
          "The left-hand side category of each rule, empty for phrases, and its number of gaps.")
      .def_prop_ro("alignment",
                   [](const decode::Translation& self) {
                     std::vector<std::pair<int, int>> links;
                     for (const corpus::Link link : self.alignment)
                       links.emplace_back(link.source, link.target);
                     return links;
                   })
      .def_prop_ro(
          "forest",
          [](const decode::Translation& self) {
            return std::const_pointer_cast<forest::Forest>(self.forest);
          },
          nb::sig("def forest(self) -> Forest | None"))
      .def_ro("node_categories", &decode::Translation::node_categories, nb::rv_policy::copy,
              "The category of each node of a chart's forest; empty for phrases.")
      .def(
          "steps",
          [](const decode::Translation& self, const decode::WeightedModel& model) {
            return named(model.model(), self.steps);
          },
          "model"_a, "The feature values of each phrase, and of the end.");
  m.def("translate", &translate, "model"_a, "options"_a, "requests"_a, "threads"_a,
        nb::call_guard<GilReleased>());
  m.def("replay", &replay_texts, "model"_a, "input"_a, "phrases"_a, nb::call_guard<GilReleased>(),
        "The feature values of each phrase (begin, end, target, rule, probability), and of the end.");
}

std::vector<decode::Translation> translate_by_chart(const decode::WeightedModel& model,
                                                    const decode::chart::ChartDecoderOptions& options,
                                                    const std::vector<decode::DecoderRequest>& requests,
                                                    int threads) {
  const auto maker = [&] { return std::make_unique<decode::chart::ChartDecoder>(model, options); };
  return decode::translate_all(maker, requests, threads, check_signals);
}

void add_chart_decoder(nb::module_& m) {
  nb::class_<decode::chart::ChartSearchOptions>(m, "ChartSearchOptions")
      .def(nb::init<>())
      .def_rw("pop_limit", &decode::chart::ChartSearchOptions::pop_limit)
      .def_rw("cell_size", &decode::chart::ChartSearchOptions::cell_size)
      .def_rw("beam_threshold", &decode::chart::ChartSearchOptions::beam_threshold)
      .def_rw("keep_all", &decode::chart::ChartSearchOptions::keep_all)
      .def_rw("memory_limit", &decode::chart::ChartSearchOptions::memory_limit);
  nb::class_<decode::chart::ChartDecoderOptions>(m, "ChartDecoderOptions")
      .def(nb::init<>())
      .def_rw("search", &decode::chart::ChartDecoderOptions::search)
      .def_rw("unknown_words", &decode::chart::ChartDecoderOptions::unknown_words)
      .def_rw("make_forest", &decode::chart::ChartDecoderOptions::make_forest);
  m.def("translate_by_chart", &translate_by_chart, "model"_a, "options"_a, "requests"_a, "threads"_a,
        nb::call_guard<GilReleased>());
}

}  // namespace

void bind_decode_decoders(nb::module_& m) {
  add_phrase_decoder(m);
  add_chart_decoder(m);
}

}  // namespace tunesmith::bind
