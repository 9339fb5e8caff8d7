#include "tunesmith/viterbi.h"

#include "derivations.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "viterbi",
      [](const Forest& forest, const Vector<double>& scores) {
        return to_python(without_gil([&] { return viterbi(forest, view(scores)); }));
      },
      "forest"_a, "scores"_a, "The score and the edges of the best derivation.");
});

}  // namespace tunesmith::bind
