#include "tunesmith/forest_file.h"

#include <memory>

#include "forest.h"
#include "pool_arrays.h"

namespace tunesmith::bind {

namespace {

/// A file being written; it is gone from disk when it is closed without `finish`. Whoever adds shares it, so
/// that another thread may close it meanwhile.
struct OpenForestWriter {
  std::shared_ptr<ForestWriter> writer;

  std::shared_ptr<ForestWriter> open() const {
    if (!writer) throw InputError("this file of forests is closed; make a new one");
    return writer;
  }
};

std::vector<uint32_t> counts(std::span<const uint32_t> values) { return {values.begin(), values.end()}; }

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<OpenForestWriter>(m, "ForestWriter", "Writes forests to one file, one after another.")
      .def(
          "__init__",
          [](OpenForestWriter* self, const std::string& path) {
            new (self) OpenForestWriter{std::make_shared<ForestWriter>(path)};
          },
          "path"_a)
      .def(
          "add",
          [](const OpenForestWriter& self, const Forest& forest, std::string_view id) {
            const auto writer = self.open();
            without_gil([&] { writer->add(forest, id); });
          },
          "forest"_a, "id"_a)
      .def("finish",
           [](OpenForestWriter& self) {
             const auto writer = self.open();
             without_gil([&] { writer->finish(); });
             self.writer.reset();
           })
      .def("close", [](OpenForestWriter& self) { self.writer.reset(); })
      .def("__len__", [](const OpenForestWriter& self) { return self.writer ? self.writer->size() : 0; });

  nb::class_<ForestFile>(m, "ForestFile", "Forests of one file, mapped.")
      .def(nb::init<const std::string&>(), "path"_a)
      .def("__len__", &ForestFile::size)
      .def(
          "forest",
          [](const ForestFile& self, size_t number) {
            return without_gil([&] { return self.forest(number); });
          },
          "number"_a)
      .def("find", &ForestFile::find, "id"_a)
      .def_prop_ro(
          "ids", [](const ForestFile& self) { return to_numpy(TextColumn(self.ids())); }, nb::rv_policy::move)
      .def_prop_ro("names", [](const ForestFile& self) { return to_python(self.names()); })
      .def_prop_ro(
          "node_counts", [](const ForestFile& self) { return to_numpy(counts(self.node_counts())); },
          nb::rv_policy::move)
      .def_prop_ro(
          "edge_counts", [](const ForestFile& self) { return to_numpy(counts(self.edge_counts())); },
          nb::rv_policy::move);
});

}  // namespace tunesmith::bind
