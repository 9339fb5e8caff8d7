#include "tunesmith/forest_context.h"

#include "refinement.h"
#include "tunesmith/reference_ngrams.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "has_local_context",
      [](const Forest& forest, size_t n) {
        return without_gil([&] { return local_contexts(forest, n).has_value(); });
      },
      "forest"_a, "n"_a);
  m.def(
      "expand_context",
      [](const Forest& forest, size_t n, size_t max_nodes, size_t max_edges) {
        return to_python(without_gil([&] { return expand_context(forest, n, {max_nodes, max_edges}); }));
      },
      "forest"_a, "n"_a, "max_nodes"_a, "max_edges"_a);
  m.def(
      "has_reference_context",
      [](const Forest& forest, size_t n, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets) {
        const Texts references = texts(blob, offsets);
        return without_gil([&] {
          return local_contexts(forest, n, ReferenceNgrams(forest, references, n).view()).has_value();
        });
      },
      "forest"_a, "n"_a, "blob"_a, "offsets"_a);
  m.def(
      "expand_reference_context",
      [](const Forest& forest, size_t n, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets,
         size_t max_nodes, size_t max_edges) {
        const Texts references = texts(blob, offsets);
        return to_python(without_gil([&] {
          return expand_context(forest, n, {max_nodes, max_edges},
                                ReferenceNgrams(forest, references, n).view());
        }));
      },
      "forest"_a, "n"_a, "blob"_a, "offsets"_a, "max_nodes"_a, "max_edges"_a);
});

}  // namespace tunesmith::bind
