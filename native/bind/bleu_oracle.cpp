#include "tunesmith/bleu_oracle.h"

#include <nanobind/stl/tuple.h>

#include "derivations.h"
#include "reference_length.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "bleu_oracle",
      [](const Forest& forest, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets,
         const Scorer& scorer, const std::string& reference_length_name, const Vector<double>& background,
         bool scaled, bool monotone, const Vector<double>& scores, double model_weight, double metric_weight,
         size_t beam, size_t max_work) {
        const Texts references = texts(blob, offsets);
        BleuOracleOptions options;
        options.reference_length = reference_length(reference_length_name);
        options.background.assign(background.data(), background.data() + background.size());
        options.scaled = scaled;
        options.monotone = monotone;
        options.model_weight = model_weight;
        options.metric_weight = metric_weight;
        options.beam = beam;
        options.max_work = max_work;
        BleuOracle oracle =
            without_gil([&] { return bleu_oracle(forest, references, scorer, view(scores), options); });
        return std::tuple(to_python(std::move(oracle.derivation)), oracle.value, oracle.gain,
                          to_numpy(std::move(oracle.stats)));
      },
      "forest"_a, "blob"_a, "offsets"_a, "scorer"_a, "reference_length"_a, "background"_a, "scaled"_a,
      "monotone"_a, "scores"_a, "model_weight"_a, "metric_weight"_a, "beam"_a, "max_work"_a,
      "The score and the edges of the derivation; its objective, gain and statistics.");
});

}  // namespace tunesmith::bind
