#include <nanobind/stl/tuple.h>

#include "bind/forest/derivations.h"
#include "bind/metrics/reference_length.h"
#include "tunesmith/forest/oracles/bleu_oracle.h"
#include "tunesmith/forest/oracles/linear_bleu.h"

namespace tunesmith::bind {

namespace {

/// As Python has it; its arrays are moved.
auto fields_of(forest::oracles::BleuOracle& oracle) {
  return std::tuple(to_python(std::move(oracle.derivation)), oracle.value, oracle.gain,
                    to_numpy(std::move(oracle.stats)));
}

void add_bleu_oracle(nb::module_& m) {
  m.def(
      "bleu_oracles",
      [](const forest::Forest& forest, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets,
         const metrics::Scorer& scorer, const std::string& reference_length_name,
         const Vector<double>& background, bool scaled, bool monotone, const Vector<double>& scores,
         double model_weight, double metric_weight, size_t beam, size_t max_work, size_t strings) {
        const Texts references = texts(blob, offsets);
        forest::oracles::BleuOracleOptions options;
        options.reference_length = reference_length(reference_length_name);
        options.background.assign(background.data(), background.data() + background.size());
        options.scaled = scaled;
        options.monotone = monotone;
        options.model_weight = model_weight;
        options.metric_weight = metric_weight;
        options.beam = beam;
        options.max_work = max_work;
        auto oracles = without_gil([&] {
          return forest::oracles::bleu_oracles(forest, references, scorer, view(scores), options, strings);
        });
        std::vector<decltype(fields_of(oracles.front()))> found;
        for (forest::oracles::BleuOracle& oracle : oracles) found.push_back(fields_of(oracle));
        return found;
      },
      "forest"_a, "blob"_a, "offsets"_a, "scorer"_a, "reference_length"_a, "background"_a, "scaled"_a,
      "monotone"_a, "scores"_a, "model_weight"_a, "metric_weight"_a, "beam"_a, "max_work"_a, "strings"_a,
      "((score, edges), objective, gain, statistics) of the best derivations with different strings.");
}

void add_linear_bleu(nb::module_& m) {
  m.def(
      "linear_bleu_oracle",
      [](const forest::Forest& forest, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets,
         const Vector<double>& thetas, const Vector<double>& scores, size_t max_nodes, size_t max_edges) {
        const Texts references = texts(blob, offsets);
        return to_python(without_gil([&] {
          return forest::oracles::linear_bleu_oracle(forest, references, view(thetas), view(scores),
                                                     {max_nodes, max_edges});
        }));
      },
      "forest"_a, "blob"_a, "offsets"_a, "thetas"_a, "scores"_a, "max_nodes"_a, "max_edges"_a,
      "(score, edges) of the derivation with the best linear BLEU.");
}

}  // namespace

void bind_forest_oracles(nb::module_& m) {
  add_bleu_oracle(m);
  add_linear_bleu(m);
}

}  // namespace tunesmith::bind
