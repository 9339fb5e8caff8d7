#include "tunesmith/linear_bleu.h"

#include "derivations.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "linear_bleu_oracle",
      [](const Forest& forest, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets,
         const Vector<double>& thetas, const Vector<double>& scores, size_t max_nodes, size_t max_edges) {
        const Texts references = texts(blob, offsets);
        return to_python(without_gil([&] {
          return linear_bleu_oracle(forest, references, view(thetas), view(scores), {max_nodes, max_edges});
        }));
      },
      "forest"_a, "blob"_a, "offsets"_a, "thetas"_a, "scores"_a, "max_nodes"_a, "max_edges"_a,
      "The score and the edges of the derivation with the best linear BLEU.");
});

}  // namespace tunesmith::bind
