#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bind/candidates/arrays.h"
#include "bind/forest/derivations.h"
#include "bind/forest/names.h"
#include "tunesmith/forest/expectation.h"
#include "tunesmith/forest/hull.h"
#include "tunesmith/forest/ngram_presence.h"
#include "tunesmith/forest/ngrams.h"
#include "tunesmith/forest/posteriors.h"

namespace tunesmith::bind {

namespace {

void add_posteriors(nb::module_& m) {
  m.def(
      "log_partition",
      [](const forest::Forest& forest, const Vector<double>& scores) {
        return without_gil([&] { return forest::log_partition(forest, view(scores)); });
      },
      "forest"_a, "scores"_a, "log Z.");
  m.def(
      "log_inside",
      [](const forest::Forest& forest, const Vector<double>& scores) {
        return to_numpy(without_gil([&] { return forest::log_inside(forest, view(scores)); }));
      },
      "forest"_a, "scores"_a, "The log inside weight of each node.");
  m.def(
      "log_outside",
      [](const forest::Forest& forest, const Vector<double>& scores) {
        return to_numpy(without_gil([&] { return forest::log_outside(forest, view(scores)); }));
      },
      "forest"_a, "scores"_a, "The log outside weight of each node.");
  m.def(
      "posteriors",
      [](const forest::Forest& forest, const Vector<double>& scores) {
        forest::ForestPosteriors result =
            without_gil([&] { return forest::posteriors(forest, view(scores)); });
        return std::tuple(result.log_partition, to_numpy(std::move(result.edges)),
                          to_numpy(std::move(result.nodes)));
      },
      "forest"_a, "scores"_a, "log Z, and the expected number of uses of edges and nodes.");
  m.def(
      "max_marginals",
      [](const forest::Forest& forest, const Vector<double>& scores) {
        return to_numpy(without_gil([&] { return forest::max_marginals(forest, view(scores)); }));
      },
      "forest"_a, "scores"_a, "The score of the best derivation that uses each edge.");
  m.def("count_derivations", &forest::count_derivations, "forest"_a, nb::call_guard<GilReleased>());
  m.def("log_count_derivations", &forest::log_count_derivations, "forest"_a, nb::call_guard<GilReleased>());
}

void add_forest_expectation(nb::module_& m) {
  m.def(
      "edge_expectation",
      [](const forest::Forest& forest, const Vector<double>& scores, const Vector<double>& values) {
        forest::EdgeExpectation found =
            without_gil([&] { return forest::edge_expectation(forest, view(scores), view(values)); });
        return std::tuple(found.log_partition, found.mean, found.variance,
                          to_numpy(std::move(found.posteriors)), to_numpy(std::move(found.covariances)));
      },
      "forest"_a, "scores"_a, "values"_a, "log Z, E[r], Var[r], and E[c_e] and Cov[r, c_e] of each edge.");
  m.def(
      "feature_sums",
      [](const forest::Forest& forest, const Vector<double>& values) {
        return to_numpy(without_gil([&] { return forest::feature_sums(forest, view(values)); }));
      },
      "forest"_a, "values"_a, "Sum over edges of value times features.");
  m.def(
      "expected_statistics",
      [](const Vector<double>& posteriors, const Matrix<double>& statistics) {
        const MatrixView rows = view(statistics);
        return to_numpy(without_gil(
            [&] { return forest::expected_statistics(view(posteriors), rows.values, rows.width); }));
      },
      "posteriors"_a, "statistics"_a, "Posteriors times statistics.");
}

auto incidence_arrays(forest::NgramIncidence&& found) {
  return std::make_tuple(to_numpy(std::move(found.words), found.order), to_numpy(std::move(found.offsets)),
                         to_numpy(std::move(found.ids)), to_numpy(std::move(found.counts)),
                         to_numpy(std::move(found.edge_words)));
}

void add_forest_ngrams(nb::module_& m) {
  m.def(
      "ngram_incidence",
      [](const forest::Forest& forest, size_t order) {
        return incidence_arrays(without_gil([&] { return forest::ngram_incidence(forest, order); }));
      },
      "forest"_a, "order"_a,
      "(words, offsets, ids, counts, edge_words); see native/include/tunesmith/forest/ngrams.h.");
  m.def(
      "reference_ngram_incidence",
      [](const forest::Forest& forest, size_t order, const Vector<uint8_t>& blob,
         const Vector<int64_t>& offsets) {
        const Texts references = texts(blob, offsets);
        std::vector<int32_t> limits;
        TextColumn vocabulary;
        forest::NgramIncidence found = without_gil([&] {
          const forest::ReferenceNgrams ngrams(forest, references, order);
          for (uint32_t i = 0; i < ngrams.size(); ++i) limits.push_back(ngrams.limit(i));
          vocabulary = ngrams.vocabulary();
          return forest::ngram_incidence(forest, ngrams);
        });
        return std::make_tuple(incidence_arrays(std::move(found)), to_numpy(std::move(limits)),
                               to_numpy(std::move(vocabulary)));
      },
      "forest"_a, "order"_a, "blob"_a, "offsets"_a,
      "The incidence of the references' n-grams, their limits, and the references' words.");
}

void add_ngram_presence(nb::module_& m) {
  m.def(
      "ngram_presence",
      [](const forest::Forest& forest, const Vector<double>& scores, const Vector<int32_t>& offsets,
         const Vector<int32_t>& ids, size_t count, int threads) {
        return to_numpy(without_gil([&] {
          return forest::ngram_presence(forest, view(scores), {view(offsets), view(ids), count}, threads);
        }));
      },
      "forest"_a, "scores"_a, "offsets"_a, "ids"_a, "count"_a, "threads"_a,
      "The probability that a yield has each n-gram; see native/include/tunesmith/forest/ngram_presence.h.");
}

void add_forest_envelope(nb::module_& m) {
  m.def(
      "forest_envelope",
      [](const forest::Forest& forest, const Vector<double>& scores, const Vector<double>& slopes, double low,
         double high) {
        std::vector<double> from, rises;
        std::vector<forest::Derivation> winners;
        without_gil([&] {
          forest::ForestEnvelope envelope;
          envelope.find(forest, view(scores), view(slopes), {low, high});
          for (size_t i = 0; i < envelope.size(); ++i) {
            if (i > 0) from.push_back(envelope.from(i));
            rises.push_back(envelope.slope(i));
            winners.push_back({envelope.intercept(i), envelope.edges(forest, i)});
          }
        });
        auto [intercepts, offsets, edges] = derivation_arrays(winners);
        return std::tuple(to_numpy(std::move(from)), to_numpy(std::move(rises)), intercepts, offsets, edges);
      },
      "forest"_a, "scores"_a, "slopes"_a, "low"_a, "high"_a,
      "(thresholds, slopes, intercepts, edge offsets, edges) of the winners.");
}

}  // namespace

void bind_forest_expectations(nb::module_& m) {
  add_posteriors(m);
  add_forest_expectation(m);
  add_forest_ngrams(m);
  add_ngram_presence(m);
  add_forest_envelope(m);
}

}  // namespace tunesmith::bind
