#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "bind/candidates/arrays.h"
#include "bind/forest/names.h"
#include "tunesmith/decode/derivation_events.h"
#include "tunesmith/tables/reordering.h"

namespace tunesmith::bind {

namespace {

using TextView = std::pair<Vector<uint8_t>, Vector<int64_t>>;
using ForestPointers = std::vector<const forest::Forest*>;
/// (scores, offsets, edges) of derivations, as bind/forest/derivations.h returns them.
using DerivationViews = std::tuple<Vector<double>, Vector<int64_t>, Vector<uint32_t>>;

/// A vector of records of numbers as a matrix, without a copy.
template <class T, class Record>
NewMatrix<T> records_to_numpy(std::vector<Record>&& records) {
  constexpr size_t kWidth = sizeof(Record) / sizeof(T);
  static_assert(sizeof(Record) == kWidth * sizeof(T) && alignof(Record) == alignof(T));
  auto owned = std::make_unique<std::vector<Record>>(std::move(records));
  T* data = reinterpret_cast<T*>(owned->data());
  const size_t size = owned->size();
  nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<std::vector<Record>*>(p); });
  owned.release();
  return NewMatrix<T>(data, {size, kWidth}, owner);
}

using SymbolRows = std::pair<NewVector<int64_t>, NewVector<int32_t>>;
using LinkRows = std::pair<NewVector<int64_t>, NewMatrix<int32_t>>;

SymbolRows symbol_rows(decode::EventRows<int32_t>&& rows) {
  return {to_numpy(std::move(rows.offsets)), to_numpy(std::move(rows.values))};
}

LinkRows link_rows(decode::EventRows<corpus::Link>&& rows) {
  return {to_numpy(std::move(rows.offsets)), records_to_numpy<int32_t>(std::move(rows.values))};
}

/// The arrays of events, moved without copies. Rows are (offsets, values).
struct EventArrays {
  NewVector<int64_t> lists;
  NewVector<double> scores;
  NewVector<uint8_t> of_phrases;
  NewVector<int64_t> step_offsets;
  SymbolRows target_words, source_words;
  NewVector<uint32_t> step_edges;
  NewVector<int32_t> step_rules;
  NewMatrix<int32_t> step_sources, step_targets;
  NewVector<int32_t> step_parents, step_gaps;
  LinkRows step_links;
  NewMatrix<uint8_t> step_orientations;
  NewMatrix<int32_t> step_blocks;
  NewVector<int64_t> rule_ids;
  SymbolRows rule_sources, rule_targets;
  LinkRows rule_links;
  TextArray words;

  explicit EventArrays(decode::DerivationEvents&& events)
      : lists(to_numpy(std::move(events.lists))),
        scores(to_numpy(std::move(events.scores))),
        of_phrases(to_numpy(std::move(events.of_phrases))),
        step_offsets(to_numpy(std::move(events.step_offsets))),
        target_words(symbol_rows(std::move(events.target_words))),
        source_words(symbol_rows(std::move(events.source_words))),
        step_edges(to_numpy(std::move(events.steps.edges))),
        step_rules(to_numpy(std::move(events.steps.rules))),
        step_sources(records_to_numpy<int32_t>(std::move(events.steps.sources))),
        step_targets(records_to_numpy<int32_t>(std::move(events.steps.targets))),
        step_parents(to_numpy(std::move(events.steps.parents))),
        step_gaps(to_numpy(std::move(events.steps.gaps))),
        step_links(link_rows(std::move(events.steps.links))),
        step_orientations(records_to_numpy<uint8_t>(std::move(events.steps.orientations))),
        step_blocks(records_to_numpy<int32_t>(std::move(events.steps.blocks))),
        rule_ids(to_numpy(std::move(events.rules.ids))),
        rule_sources(symbol_rows(std::move(events.rules.sources))),
        rule_targets(symbol_rows(std::move(events.rules.targets))),
        rule_links(link_rows(std::move(events.rules.links))),
        words(to_numpy(std::move(events.words))) {}
};

void bind_event_arrays(nb::module_& m) {
  nb::class_<EventArrays>(m, "EventArrays", "The arrays of events; rows are (offsets, values).")
      .def_ro("lists", &EventArrays::lists, nb::rv_policy::automatic)
      .def_ro("scores", &EventArrays::scores, nb::rv_policy::automatic)
      .def_ro("of_phrases", &EventArrays::of_phrases, nb::rv_policy::automatic)
      .def_ro("step_offsets", &EventArrays::step_offsets, nb::rv_policy::automatic)
      .def_ro("target_words", &EventArrays::target_words, nb::rv_policy::automatic)
      .def_ro("source_words", &EventArrays::source_words, nb::rv_policy::automatic)
      .def_ro("step_edges", &EventArrays::step_edges, nb::rv_policy::automatic)
      .def_ro("step_rules", &EventArrays::step_rules, nb::rv_policy::automatic)
      .def_ro("step_sources", &EventArrays::step_sources, nb::rv_policy::automatic)
      .def_ro("step_targets", &EventArrays::step_targets, nb::rv_policy::automatic)
      .def_ro("step_parents", &EventArrays::step_parents, nb::rv_policy::automatic)
      .def_ro("step_gaps", &EventArrays::step_gaps, nb::rv_policy::automatic)
      .def_ro("step_links", &EventArrays::step_links, nb::rv_policy::automatic)
      .def_ro("step_orientations", &EventArrays::step_orientations, nb::rv_policy::automatic)
      .def_ro("step_blocks", &EventArrays::step_blocks, nb::rv_policy::automatic)
      .def_ro("rule_ids", &EventArrays::rule_ids, nb::rv_policy::automatic)
      .def_ro("rule_sources", &EventArrays::rule_sources, nb::rv_policy::automatic)
      .def_ro("rule_targets", &EventArrays::rule_targets, nb::rv_policy::automatic)
      .def_ro("rule_links", &EventArrays::rule_links, nb::rv_policy::automatic)
      .def_ro("words", &EventArrays::words, nb::rv_policy::automatic);
}

EventArrays events_under_weights(const ForestPointers& forests, const TextView& names,
                                 const Vector<double>& weights, std::optional<double> missing, uint32_t k,
                                 bool unique, uint64_t patience, int threads) {
  const forest::NamedWeights named{texts(names.first, names.second), view(weights), missing};
  return EventArrays(
      without_gil([&] { return decode::kbest_events(forests, named, {k, unique, patience}, threads); }));
}

EventArrays events_under_scores(const ForestPointers& forests, const std::vector<Vector<double>>& scores,
                                uint32_t k, bool unique, uint64_t patience, int threads) {
  std::vector<std::span<const double>> views;
  for (const Vector<double>& each : scores) views.push_back(view(each));
  return EventArrays(
      without_gil([&] { return decode::kbest_events(forests, views, {k, unique, patience}, threads); }));
}

EventArrays events_of_derivations(const ForestPointers& forests, const std::vector<DerivationViews>& lists,
                                  int threads) {
  std::vector<std::vector<forest::Derivation>> derivations;
  for (const auto& [scores, offsets, edges] : lists) {
    check_offsets(view(offsets), edges.size(), "edges of derivations");
    if (offsets.size() != scores.size() + 1)
      throw InputError(std::to_string(scores.size()) + " scores for " + std::to_string(offsets.size() - 1) +
                       " derivations");
    auto& list = derivations.emplace_back();
    for (size_t i = 0; i < scores.size(); ++i)
      list.push_back(
          {view(scores)[i], {edges.data() + view(offsets)[i], edges.data() + view(offsets)[i + 1]}});
  }
  return EventArrays(without_gil([&] { return decode::derivation_events(forests, derivations, threads); }));
}

}  // namespace

void bind_decode_events(nb::module_& m) {
  bind_event_arrays(m);
  m.def("kbest_events", &events_under_weights, "forests"_a, "names"_a, "weights"_a, "missing"_a.none(), "k"_a,
        "unique"_a, "patience"_a, "threads"_a, "Events of the k best derivations under weights by name.");
  m.def("kbest_events_by_scores", &events_under_scores, "forests"_a, "scores"_a, "k"_a, "unique"_a,
        "patience"_a, "threads"_a, "Events of the k best derivations under scores of edges.");
  m.def("derivation_events", &events_of_derivations, "forests"_a, "derivations"_a, "threads"_a,
        "Events of derivations (scores, offsets, edges) of each forest.");
  m.def(
      "first_derivation",
      [](const forest::Forest& forest) { return to_numpy(decode::first_derivation(forest)); }, "forest"_a,
      "The derivation of first in-edges: in forests of decoders, the best of the search.");
  m.def(
      "joined_words",
      [](const TextView& vocabulary, const Vector<int64_t>& offsets, const Vector<int32_t>& words) {
        const Texts known = texts(vocabulary.first, vocabulary.second);
        return to_numpy(without_gil([&] { return decode::joined_words(known, view(offsets), view(words)); }));
      },
      "vocabulary"_a, "offsets"_a, "words"_a, "The words of each row, separated by spaces.");
  m.def(
      "orientation_classes",
      [](const tables::ReorderingModel& model) {
        std::vector<int> numbers;
        for (int i = 0; i < tables::kOrientations; ++i)
          numbers.push_back(tables::class_of(model.classes, static_cast<tables::Orientation>(i)));
        return numbers;
      },
      "model"_a, "The class of each orientation in a reordering model.");
}

}  // namespace tunesmith::bind
