#include "tunesmith/viterbi.h"

#include "derivations.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "viterbi",
      [](const Forest& forest, const Vector<double>& scores) {
        Derivation best = without_gil([&] { return viterbi(forest, view(scores)); });
        return std::pair(best.score, to_numpy(std::move(best.edges)));
      },
      "forest"_a, "scores"_a, "The score and the edges of the best derivation.");
});

}  // namespace tunesmith::bind
