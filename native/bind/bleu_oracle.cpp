#include "tunesmith/bleu_oracle.h"

#include <nanobind/stl/tuple.h>

#include "forest.h"
#include "reference_length.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "bleu_oracle",
      [](const Forest& forest, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets,
         const Scorer& scorer, const std::string& reference_length_name, const Vector<double>& background,
         bool scaled, bool monotone, const Vector<double>& scores, double model_weight, double metric_weight,
         size_t beam, size_t max_items) {
        const Texts references = texts(blob, offsets);
        BleuOracleOptions options;
        options.reference_length = reference_length(reference_length_name);
        options.background.assign(background.data(), background.data() + background.size());
        options.scaled = scaled;
        options.monotone = monotone;
        options.model_weight = model_weight;
        options.metric_weight = metric_weight;
        options.beam = beam;
        options.max_items = max_items;
        const auto given = edge_scores(forest, scores);
        BleuOracle oracle;
        {
          nb::gil_scoped_release release;
          oracle = bleu_oracle(forest, references, scorer, given, options);
        }
        return std::make_tuple(to_numpy(std::move(oracle.edges)), oracle.score, oracle.model, oracle.gain,
                               to_numpy(std::move(oracle.stats)));
      },
      "forest"_a, "blob"_a, "offsets"_a, "scorer"_a, "reference_length"_a, "background"_a, "scaled"_a,
      "monotone"_a, "scores"_a, "model_weight"_a, "metric_weight"_a, "beam"_a, "max_items"_a,
      "(edges in preorder, objective, model score, gain, statistics).");
});

}  // namespace tunesmith::bind
