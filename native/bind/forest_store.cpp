#include "tunesmith/forest_store.h"

#include <nanobind/stl/shared_ptr.h>

#include "forest.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  nb::class_<ForestStore>(m, "ForestStore", "Forests that a learner comes back to; see forest_store.h.")
      .def(nb::init<size_t, uint64_t, std::shared_ptr<const ForestFile>>(), "width"_a, "memory_limit"_a,
           "file"_a.none())
      .def(
          "add",
          [](ForestStore& self, std::shared_ptr<Forest> forest, const Vector<int64_t>& columns) {
            self.add(std::move(forest), view(columns));
          },
          "forest"_a, "columns"_a, "Take the next forest, and the places of its features among the weights.")
      .def("__len__", &ForestStore::size)
      .def_prop_ro("edge_count", &ForestStore::edge_count)
      .def_prop_ro("bytes", &ForestStore::bytes)
      .def_prop_ro("bytes_on_disk", &ForestStore::bytes_on_disk);
});

}  // namespace tunesmith::bind
