#include "bind/forest/derivations.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <mutex>

#include "bind/candidates/arrays.h"
#include "tunesmith/forest/derivation.h"
#include "tunesmith/forest/derivation_features.h"
#include "tunesmith/forest/derivation_reading.h"
#include "tunesmith/forest/kbest.h"
#include "tunesmith/forest/kbest_pool.h"
#include "tunesmith/forest/sample.h"
#include "tunesmith/forest/viterbi.h"

namespace tunesmith::bind {

namespace {

std::string text(const forest::Forest& forest, const Vector<uint32_t>& edges) {
  return without_gil([&] {
    std::string text;
    forest::append_words(forest, forest::derivation_words(forest, view(edges)), text);
    return text;
  });
}

auto words(const forest::Forest& forest, const Vector<uint32_t>& edges) {
  return to_numpy(without_gil([&] { return forest::derivation_words(forest, view(edges)); }));
}

/// The derivation's links and segments as rows of two and four positions.
auto read(const forest::Forest& forest, const Vector<uint32_t>& edges) {
  forest::DerivationReading reading =
      without_gil([&] { return forest::read_derivation(forest, view(edges)); });
  std::vector<int32_t> links, segments;
  for (const corpus::Link& link : reading.links) links.insert(links.end(), {link.source, link.target});
  for (const forest::DerivationSegment& segment : reading.segments)
    segments.insert(segments.end(),
                    {segment.source.begin, segment.source.end, segment.target.begin, segment.target.end});
  return std::pair(to_numpy(std::move(links), 2), to_numpy(std::move(segments), 4));
}

auto features(const forest::Forest& forest, const Vector<uint32_t>& edges) {
  std::vector<uint32_t> columns;
  std::vector<double> values;
  without_gil([&] {
    forest::DerivationTree(forest, view(edges));
    forest::DerivationFeatures sums;
    sums.add(forest, view(edges));
    columns.assign(sums.columns().begin(), sums.columns().end());
    for (const uint32_t column : columns) values.push_back(sums[column]);
  });
  return std::pair(to_numpy(std::move(columns)), to_numpy(std::move(values)));
}

void add_derivation(nb::module_& m) {
  m.def("derivation_text", &text, "forest"_a, "edges"_a, "The words of a derivation, separated by spaces.");
  m.def("derivation_words", &words, "forest"_a, "edges"_a, "The numbers of a derivation's words.");
  m.def("read_derivation", &read, "forest"_a, "edges"_a, "Links and segments of a derivation.");
  m.def("derivation_features", &features, "forest"_a, "edges"_a, "Columns and sums of features.");
}

void add_viterbi(nb::module_& m) {
  m.def(
      "viterbi",
      [](const forest::Forest& forest, const Vector<double>& scores) {
        return to_python(without_gil([&] { return forest::viterbi(forest, view(scores)); }));
      },
      "forest"_a, "scores"_a, "(score, edges) of the best derivation.");
}

/// A k-best search with its own copy of the scores, which Python could change.
class DerivationStream {
 public:
  DerivationStream(const forest::Forest& forest, const Vector<double>& scores)
      : scores_(scores.data(), scores.data() + scores.size()), kbest_(forest, scores_) {}

  /// Threads may share a stream: they take turns.
  std::optional<std::pair<double, NewVector<uint32_t>>> next() {
    auto derivation = without_gil([&] {
      const std::lock_guard turn(mutex_);
      return kbest_.next();
    });
    if (!derivation) return std::nullopt;
    return to_python(std::move(*derivation));
  }

 private:
  std::vector<double> scores_;
  forest::LazyKbest kbest_;
  std::mutex mutex_;
};

void add_kbest(nb::module_& m) {
  nb::class_<DerivationStream>(m, "DerivationStream", "Derivations by decreasing score, found on demand.")
      .def(
          "__init__",
          [](DerivationStream* self, const forest::Forest& forest, const Vector<double>& scores) {
            without_gil([&] { new (self) DerivationStream(forest, scores); });
          },
          "forest"_a, "scores"_a, nb::keep_alive<1, 2>())
      .def("next", &DerivationStream::next, "(score, edges) of the next derivation, or None.");
  m.def(
      "kbest",
      [](const forest::Forest& forest, const Vector<double>& scores, uint32_t k, bool unique,
         uint64_t patience) {
        return derivation_arrays(
            without_gil([&] { return forest::kbest(forest, view(scores), {k, unique, patience}); }));
      },
      "forest"_a, "scores"_a, "k"_a, "unique"_a, "patience"_a, "The k best derivations.");
}

using TextView = std::pair<Vector<uint8_t>, Vector<int64_t>>;

void add_kbest_pool(nb::module_& m) {
  m.def(
      "kbest_pool",
      [](const std::vector<const forest::Forest*>& forests, const TextView& names,
         const Vector<double>& weights, std::optional<double> missing, const TextView& ids, uint32_t k,
         bool unique, uint64_t patience, bool allow_missing, int threads) {
        const forest::NamedWeights named{texts(names.first, names.second), view(weights), missing};
        const Texts numbered = texts(ids.first, ids.second);
        const forest::KbestOptions options{k, unique, patience};
        return PythonArrays(without_gil(
            [&] { return forest::kbest_pool(forests, named, numbered, options, allow_missing, threads); }));
      },
      "forests"_a, "names"_a, "weights"_a, "missing"_a.none(), "ids"_a, "k"_a, "unique"_a, "patience"_a,
      "allow_missing"_a, "threads"_a, "The k best derivations of forests as candidate lists.");
}

void add_forest_sample(nb::module_& m) {
  m.def(
      "sample_derivations",
      [](const forest::Forest& forest, const Vector<double>& scores, size_t count, uint64_t seed,
         int threads) {
        return derivation_arrays(without_gil(
            [&] { return forest::sample_derivations(forest, view(scores), count, seed, threads); }));
      },
      "forest"_a, "scores"_a, "count"_a, "seed"_a, "threads"_a, "Random derivations.");
}

}  // namespace

void bind_forest_derivations(nb::module_& m) {
  add_derivation(m);
  add_viterbi(m);
  add_kbest(m);
  add_kbest_pool(m);
  add_forest_sample(m);
}

}  // namespace tunesmith::bind
