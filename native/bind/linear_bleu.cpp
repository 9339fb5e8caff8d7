#include "tunesmith/linear_bleu.h"

#include "forest.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "linear_bleu_oracle",
      [](const Forest& forest, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets,
         const Vector<double>& thetas, const Vector<double>& scores, size_t max_nodes, size_t max_edges) {
        const Texts references = texts(blob, offsets);
        const auto given = edge_scores(forest, scores);
        LinearOracle oracle;
        {
          nb::gil_scoped_release release;
          oracle = linear_bleu_oracle(forest, references, view(thetas), given, {max_nodes, max_edges});
        }
        return std::make_pair(to_numpy(std::move(oracle.edges)), oracle.score);
      },
      "forest"_a, "blob"_a, "offsets"_a, "thetas"_a, "scores"_a, "max_nodes"_a, "max_edges"_a,
      "(edges in preorder, score).");
});

}  // namespace tunesmith::bind
