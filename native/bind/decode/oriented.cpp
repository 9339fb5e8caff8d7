// Features of orientations and the words around them: the sparse form, and the form with trained weights.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include "bind/bind.h"
#include "tunesmith/decode/features/trained_reordering.h"

namespace tunesmith::bind {

namespace {

namespace features = decode::features;

using features::LabelSets;
using features::SparseReorderingParts;
using FilterOrNone = std::optional<std::shared_ptr<features::NameFilter>>;

void add_parts(nb::module_& m) {
  nb::class_<LabelSets>(m, "LabelSets", "Several labels per word.")
      .def(nb::init<const std::vector<std::string>&, const std::vector<std::vector<std::string>>&>(),
           "words"_a, "labels"_a);
  nb::enum_<features::StackWords>(m, "StackWords")
      .value("NONE", features::StackWords::kNone)
      .value("PREVIOUS", features::StackWords::kPrevious)
      .value("BLOCK", features::StackWords::kBlock);
  nb::class_<SparseReorderingParts>(m, "SparseReorderingParts",
                                    "Which words around orientations have features.")
      .def(
          "__init__",
          [](SparseReorderingParts* self, std::string name, const tables::ReorderingModel& model,
             std::vector<std::string> orientations, std::shared_ptr<LabelSets> source,
             std::shared_ptr<LabelSets> target, bool phrase, features::StackWords stack, bool between,
             bool identities, const FilterOrNone& only) {
            SparseReorderingParts parts{std::move(name), model.model, model.classes, std::move(orientations)};
            parts.source = std::move(source);
            parts.target = std::move(target);
            parts.has_phrase = phrase;
            parts.stack = stack;
            parts.has_between = between;
            parts.has_identities = identities;
            if (only) parts.only = *only;
            new (self) SparseReorderingParts(features::checked(std::move(parts)));
          },
          "name"_a, "model"_a, "orientations"_a, "source"_a, "target"_a, "phrase"_a, "stack"_a, "between"_a,
          "identities"_a = false, "only"_a = nb::none());
}

void add_trained(nb::module_& m) {
  nb::class_<features::PairScores>(m, "PairScores", "Mapped scores of the pairs of a phrase table.")
      .def(nb::init<const std::string&>(), "path"_a)
      .def("__len__", &features::PairScores::size)
      .def_prop_ro("width", &features::PairScores::width)
      .def_prop_ro("row_count", &features::PairScores::row_count, "Number of distinct rows.")
      .def(
          "row",
          [](const features::PairScores& self, uint32_t pair) {
            const auto row = self[pair];
            return std::vector<float>(row.begin(), row.end());
          },
          "pair"_a)
      .def("check", &features::PairScores::check, "table"_a, "width"_a,
           "Raises InputError unless the scores are those of this table.");
  nb::class_<features::TrainedReorderingFeature, decode::StatefulFeature>(
      m, "TrainedReorderingFeature", "Scores of a linear reordering model, one column per orientation.")
      .def(
          "__init__",
          [](features::TrainedReorderingFeature* self, const SparseReorderingParts& parts,
             std::shared_ptr<weights::MappedWeights> phi) {
            new (self) features::TrainedReorderingFeature(parts, std::move(phi));
          },
          "parts"_a, "weights"_a)
      .def(
          "add_rows",
          [](features::TrainedReorderingFeature& self,
             std::optional<std::shared_ptr<features::PairScores>> rows) {
            self.add_rows(rows ? std::move(*rows) : nullptr);
          },
          "rows"_a.none(), "Gives the rows of the next table of the model; None if it has none.")
      .def(
          "join",
          [](features::TrainedReorderingFeature& self, const tables::ReorderingModel& model,
             const std::string& name, size_t first_column) {
            self.join(std::make_shared<features::ReorderingFeature>(model, name, first_column));
          },
          "model"_a, "name"_a, "first_column"_a,
          "Lets a lexicalized reordering model share states with it; before it joins a model.");
  m.def(
      "write_local_scores",
      [](const SparseReorderingParts& parts, std::shared_ptr<weights::MappedWeights> phi,
         const tables::PhraseTable& table, int threads, const std::string& path) {
        features::write_local_scores(parts, std::move(phi), table, threads, path);
      },
      "parts"_a, "weights"_a, "table"_a, "threads"_a, "path"_a, nb::call_guard<GilReleased>(),
      "Write the scores of phrases and their borders, one row per pair of the table.");
}

}  // namespace

void bind_decode_oriented(nb::module_& m) {
  add_parts(m);
  nb::class_<features::SparseReorderingFeature, decode::StatefulFeature>(
      m, "SparseReorderingFeature", "Indicators of orientations and the words around them.")
      .def(
          "__init__",
          [](features::SparseReorderingFeature* self, const SparseReorderingParts& parts) {
            new (self) features::SparseReorderingFeature(parts);
          },
          "parts"_a);
  add_trained(m);
}

}  // namespace tunesmith::bind
