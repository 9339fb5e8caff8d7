#include "tunesmith/forest_context.h"

#include "refinement.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "has_local_context",
      [](const Forest& forest, size_t n) {
        nb::gil_scoped_release release;
        return local_contexts(forest, n).has_value();
      },
      "forest"_a, "n"_a);
  m.def(
      "expand_context",
      [](const Forest& forest, size_t n, size_t max_nodes, size_t max_edges) {
        return to_python([&] {
          nb::gil_scoped_release release;
          return expand_context(forest, n, {max_nodes, max_edges});
        }());
      },
      "forest"_a, "n"_a, "max_nodes"_a, "max_edges"_a);
});

}  // namespace tunesmith::bind
