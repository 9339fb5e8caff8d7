// Forests of events: their files, and training on them.
#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>

#include "bind/bind.h"
#include "bind/signals.h"
#include "bind/xbleu/marks.h"
#include "tunesmith/decode/phrase/decoder.h"
#include "tunesmith/forest/inside_outside.h"
#include "tunesmith/xbleu/decode_forests.h"
#include "tunesmith/xbleu/evaluate_forests.h"

namespace tunesmith::bind {

namespace {

using xbleu::EventForest;
using xbleu::EventForestFile;
using xbleu::EventForestWriter;
using xbleu::ForestSet;
using xbleu::ListObjective;
using ForestCounts = std::tuple<uint64_t, uint64_t, uint64_t>;

constexpr size_t kForestsPerCheck = 64;

ForestCounts decode_forests(EventForestWriter& writer, const decode::WeightedModel& model,
                            decode::phrase::PhraseDecoderOptions options, const TextPair& sources,
                            const TextPair& references, const Vector<uint32_t>& rows, double density,
                            bool blocks, int threads) {
  options.search.keep_all = options.search.keep_scores = true;
  const auto maker = [&] { return std::make_unique<decode::phrase::PhraseDecoder>(model, options); };
  const Texts source_texts = texts(sources), reference_texts = texts(references);
  const xbleu::ListCounts counts = without_gil([&] {
    return xbleu::decode_forests(maker, source_texts, reference_texts, view(rows), {density, blocks}, threads,
                                 check_signals, writer);
  });
  return {counts.missing, counts.too_large, counts.single};
}

/// Statistics of BLEU of the best derivation of each forest.
NewMatrix<double> best_statistics_of(const EventForestFile& file) {
  std::vector<double> values;
  for (size_t i = 0; i < file.size(); ++i) {
    const xbleu::BleuStatistics own = xbleu::best_statistics(file[i], file.texts());
    values.insert(values.end(), own.begin(), own.end());
  }
  return to_numpy(std::move(values), std::tuple_size_v<xbleu::BleuStatistics>);
}

/// Log of the number of derivations of each forest.
NewVector<double> log_derivations_of(const EventForestFile& file) {
  std::vector<double> logs;
  for (size_t i = 0; i < file.size(); ++i)
    logs.push_back(forest::inside<forest::LogSemiring>(file[i], [](uint32_t) { return 0.0; }).back());
  return to_numpy(std::move(logs));
}

int64_t number_or_none(uint32_t number) { return number == UINT32_MAX ? -1 : int64_t{number}; }

/// One forest as a tuple of arrays: see the documentation of the method.
using ForestArrays = std::tuple<NewVector<uint32_t>, NewMatrix<int64_t>, NewVector<float>, NewMatrix<int64_t>,
                                NewVector<uint32_t>, NewVector<uint32_t>>;

ForestArrays forest_arrays(const EventForestFile& file, size_t number) {
  if (number >= file.size()) throw nb::index_error();
  const EventForest forest = file[number];
  std::vector<uint32_t> offsets(forest.edge_offsets.begin(), forest.edge_offsets.end());
  std::vector<int64_t> edges, events;
  std::vector<float> scores;
  for (const xbleu::ForestEdge& edge : forest.edges) {
    edges.push_back(number_or_none(edge.tail));
    edges.push_back(number_or_none(edge.event));
    edges.insert(edges.end(), edge.matches.begin(), edge.matches.end());
    scores.push_back(edge.score);
  }
  for (const xbleu::Event& e : forest.events)
    for (const int64_t value : {int64_t{e.target}, int64_t{e.begin}, int64_t{e.end}, int64_t{e.block_begin},
                                int64_t{e.block_end}, number_or_none(e.block_first),
                                number_or_none(e.block_last), int64_t{e.orientation}, int64_t{e.is_unknown}})
      events.push_back(value);
  return {to_numpy(std::move(offsets)),
          to_numpy(std::move(edges), 2 + xbleu::kMatchedOrder),
          to_numpy(std::move(scores)),
          to_numpy(std::move(events), 9),
          to_numpy(std::vector<uint32_t>(forest.source.begin(), forest.source.end())),
          to_numpy(std::vector<uint32_t>(forest.reference.begin(), forest.reference.end()))};
}

std::pair<NewVector<uint64_t>, NewVector<uint32_t>> forest_phrases(const EventForestFile& file) {
  std::vector<uint64_t> offsets{0};
  std::vector<uint32_t> words;
  for (uint32_t i = 0; i < file.texts().phrase_count(); ++i) {
    const auto phrase = file.texts().phrase(i);
    words.insert(words.end(), phrase.begin(), phrase.end());
    offsets.push_back(words.size());
  }
  return {to_numpy(std::move(offsets)), to_numpy(std::move(words))};
}

/// Compiles the forests of a file: marks are 0 for the first set, 1 for the second, 2 for none.
void compile_forests(const EventForestFile& file, double constant, double length,
                     const std::array<double, 4>& matches, const Vector<uint8_t>& held_out,
                     xbleu::EventFeatures& features, ForestSet& training, ForestSet& evaluation) {
  if (held_out.size() != file.size())
    throw InputError("there are " + std::to_string(held_out.size()) + " marks for " +
                     std::to_string(file.size()) + " forests");
  const xbleu::LinearBleu gain{constant, length, matches};
  without_gil([&] {
    features.open(file.texts());
    for (size_t i = 0; i < file.size(); ++i) {
      if (i % kForestsPerCheck == 0) check_signals();
      const uint8_t mark = view(held_out)[i];
      if (mark == kNoSet) continue;
      (mark != 0 ? evaluation : training).add(file[i], file.texts(), gain, features);
    }
  });
}

void bind_files(nb::module_& m) {
  nb::class_<EventForestWriter>(m, "EventForestWriter", "A file of forests of events in the making.")
      .def(nb::init<>())
      .def("__len__", &EventForestWriter::size)
      .def("decode", &decode_forests, "model"_a, "options"_a, "sources"_a, "references"_a, "rows"_a,
           "density"_a, "blocks"_a, "threads"_a,
           "Adds the forests of sentences. Returns the numbers of sentences without a translation, of those "
           "that are too large, and of forests of one derivation.")
      .def("write", &EventForestWriter::write, "path"_a, nb::call_guard<GilReleased>());
  nb::class_<EventForestFile>(m, "EventForestFile", "A file of forests of events.")
      .def(nb::init<const std::string&>(), "path"_a)
      .def("__len__", &EventForestFile::size)
      .def_prop_ro("path", &EventForestFile::path)
      .def_prop_ro("node_count", &EventForestFile::node_count)
      .def_prop_ro("edge_count", &EventForestFile::edge_count)
      .def_prop_ro("event_count", &EventForestFile::event_count)
      .def_prop_ro("bytes", &EventForestFile::bytes)
      .def("sentences",
           [](const EventForestFile& self) {
             std::vector<uint32_t> rows;
             for (size_t i = 0; i < self.size(); ++i) rows.push_back(self[i].sentence);
             return to_numpy(std::move(rows));
           })
      .def("words",
           [](const EventForestFile& self) {
             const TextColumn& words = self.texts().words();
             return std::make_pair(to_numpy(std::vector(words.blob)), to_numpy(std::vector(words.offsets)));
           })
      .def("phrases", &forest_phrases, "The words of each target phrase, as (offsets, values).")
      .def("best_statistics", &best_statistics_of, "Statistics of BLEU of each forest's best derivation.")
      .def("log_derivations", &log_derivations_of, "Log of the number of derivations of each forest.")
      .def(
          "forest", &forest_arrays, "number"_a,
          "Edge offsets of nodes; [tail, event, matches of 1-grams to 4-grams] and scores of edges, where -1 "
          "is none; [target, begin, end, block begin, block end, block first, block last, orientation, is "
          "unknown] of events; words of the source and of the reference.");
}

void bind_training(nb::module_& m) {
  nb::class_<ForestSet>(m, "ForestSet", "Forests compiled for a feature set, in a scratch file.")
      .def(nb::init<const std::string&, bool, bool>(), "folder"_a, "small"_a, "words"_a)
      .def("__len__", &ForestSet::size)
      .def("seal", &ForestSet::seal, "Map the file; nothing may be added after it.")
      .def_prop_ro("bytes", &ForestSet::bytes)
      .def_prop_ro("nodes", [](const ForestSet& self) { return self.counts().nodes; })
      .def_prop_ro("edges", [](const ForestSet& self) { return self.counts().edges; })
      .def_prop_ro("events", [](const ForestSet& self) { return self.counts().events; })
      .def_prop_ro("groups", [](const ForestSet& self) { return self.counts().groups; })
      .def_prop_ro("features", [](const ForestSet& self) { return self.counts().features; });
  m.def("compile_forests", &compile_forests, "file"_a, "constant"_a, "length"_a, "matches"_a, "held_out"_a,
        "features"_a, "training"_a, "evaluation"_a,
        "Compile the forests of a file; those marked 1 by `held_out` go to `evaluation`, those marked 2 "
        "nowhere. The gain of a derivation is constant + (length x words + matches x n-gram matches) / words "
        "of the reference.");
  m.def(
      "evaluate_lists",
      [](const ForestSet& set, const Vector<float>& weights, double gamma) {
        return without_gil([&] { return xbleu::evaluate(set, view(weights), gamma); });
      },
      "forests"_a, "weights"_a, "gamma"_a);
  m.def(
      "list_gradient",
      [](const ForestSet& set, const Vector<float>& weights, ListObjective objective, double gamma) {
        std::vector<double> gradient(weights.size());
        const double value =
            without_gil([&] { return xbleu::gradient_of(set, view(weights), objective, gamma, gradient); });
        return std::make_pair(value, to_numpy(std::move(gradient)));
      },
      "forests"_a, "weights"_a, "objective"_a, "gamma"_a,
      "The mean of the objective over the forests, and its gradient.");
}

}  // namespace

void bind_xbleu_forests(nb::module_& m) {
  bind_files(m);
  bind_training(m);
}

}  // namespace tunesmith::bind
