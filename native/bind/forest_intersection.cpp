#include "tunesmith/forest_intersection.h"

#include "refinement.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "intersect_target",
      [](const Forest& forest, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets, bool prefix,
         size_t max_nodes, size_t max_edges) {
        const Texts words = texts(blob, offsets);
        return to_python([&] {
          nb::gil_scoped_release release;
          std::vector<std::string_view> target;
          for (size_t i = 0; i < words.size(); ++i) target.push_back(words[i]);
          return intersect_target(forest, target, prefix, {max_nodes, max_edges});
        }());
      },
      "forest"_a, "blob"_a, "offsets"_a, "prefix"_a, "max_nodes"_a, "max_edges"_a);
});

}  // namespace tunesmith::bind
