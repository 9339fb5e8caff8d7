#include <nanobind/stl/shared_ptr.h>

#include <memory>

#include "bind/candidates/arrays.h"
#include "bind/corpus/views.h"
#include "bind/forest/names.h"
#include "tunesmith/forest/file.h"
#include "tunesmith/forest/formats/hypergraph_parser.h"
#include "tunesmith/forest/formats/hypergraph_writer.h"
#include "tunesmith/forest/formats/search_graph_parser.h"
#include "tunesmith/forest/formats/search_graph_writer.h"
#include "tunesmith/forest/lattice.h"
#include "tunesmith/forest/store.h"
#include "tunesmith/forest/words.h"

namespace tunesmith::bind {

namespace {

/// A file being written; closed without `finish`, it leaves nothing on disk. Calls share the writer, so that
/// another thread may close it meanwhile.
struct OpenForestWriter {
  std::shared_ptr<forest::ForestWriter> writer;

  std::shared_ptr<forest::ForestWriter> open() const {
    if (!writer) throw InputError("this forest file is closed; write a new one");
    return writer;
  }
};

std::vector<uint32_t> counts(std::span<const uint32_t> values) { return {values.begin(), values.end()}; }

void add_forest_file(nb::module_& m) {
  nb::class_<OpenForestWriter>(m, "ForestWriter", "Writes forests to one file, one after another.")
      .def(
          "__init__",
          [](OpenForestWriter* self, const std::string& path) {
            new (self) OpenForestWriter{std::make_shared<forest::ForestWriter>(path)};
          },
          "path"_a)
      .def(
          "add",
          [](const OpenForestWriter& self, const forest::Forest& forest, std::string_view id) {
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

  nb::class_<forest::ForestFile>(m, "ForestFile", "Forests of one file, mapped.")
      .def(nb::init<const std::string&>(), "path"_a)
      .def("__len__", &forest::ForestFile::size)
      .def(
          "forest",
          [](const forest::ForestFile& self, size_t number) {
            return without_gil([&] { return self.forest(number); });
          },
          "number"_a)
      .def("find", &forest::ForestFile::find, "id"_a)
      .def_prop_ro(
          "ids", [](const forest::ForestFile& self) { return to_numpy(TextColumn(self.ids())); },
          nb::rv_policy::move)
      .def_prop_ro("names", [](const forest::ForestFile& self) { return to_python(self.names()); })
      .def_prop_ro(
          "node_counts", [](const forest::ForestFile& self) { return to_numpy(counts(self.node_counts())); },
          nb::rv_policy::move)
      .def_prop_ro(
          "edge_counts", [](const forest::ForestFile& self) { return to_numpy(counts(self.edge_counts())); },
          nb::rv_policy::move);
}

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

void add_forest_formats(nb::module_& m) {
  nb::class_<forest::formats::HypergraphParser>(m, "HypergraphParser",
                                                "Parses the hypergraph of one sentence.")
      .def(nb::init<bool>(), "keep_boundaries"_a)
      .def(
          "feed", [](forest::formats::HypergraphParser& self, const nb::bytes& chunk) { feed(self, chunk); },
          "chunk"_a)
      .def("finish", [](forest::formats::HypergraphParser& parser) {
        end(parser);
        return parser.take();
      });
  nb::class_<forest::formats::SearchGraphParser>(m, "SearchGraphParser", "Parses search graphs of Moses.")
      .def(nb::init<>())
      .def(
          "feed", [](forest::formats::SearchGraphParser& self, const nb::bytes& chunk) { feed(self, chunk); },
          "chunk"_a)
      .def("take", &forest::formats::SearchGraphParser::take)
      .def("finish", [](forest::formats::SearchGraphParser& parser) { end(parser); });
  m.def("is_lattice", &forest::is_lattice, "forest"_a,
        "Whether each edge has at most one tail and adds its words after it.");
  m.def(
      "escaped_words", [](const forest::Forest& forest) { return forest::escaped_words(forest); }, "forest"_a,
      "The words in use, escaped for text formats; others are empty.");
  m.def(
      "format_hypergraph",
      [](const forest::Forest& forest, bool keep_boundaries) {
        return to_bytes(
            without_gil([&] { return forest::formats::format_hypergraph(forest, keep_boundaries); }));
      },
      "forest"_a, "keep_boundaries"_a = false);
  m.def(
      "format_search_graph",
      [](const forest::Forest& forest, const std::string& id, const Vector<double>& scores, bool extended) {
        return to_bytes(without_gil(
            [&] { return forest::formats::format_search_graph(forest, id, view(scores), extended); }));
      },
      "forest"_a, "id"_a, "scores"_a, "extended"_a);
}

void add_forest_store(nb::module_& m) {
  nb::class_<forest::ForestStore>(m, "ForestStore",
                                  "Forests that a learner reads in every iteration; see forest/store.h.")
      .def(nb::init<size_t, uint64_t, std::shared_ptr<const forest::ForestFile>>(), "width"_a,
           "memory_limit"_a, "file"_a.none())
      .def(
          "add",
          [](forest::ForestStore& self, std::shared_ptr<forest::Forest> forest,
             const Vector<int64_t>& columns) { self.add(std::move(forest), view(columns)); },
          "forest"_a, "columns"_a, "Add the next forest, with the columns of its features among the weights.")
      .def("__len__", &forest::ForestStore::size)
      .def_prop_ro("edge_count", &forest::ForestStore::edge_count)
      .def_prop_ro("bytes", &forest::ForestStore::bytes)
      .def_prop_ro("bytes_on_disk", &forest::ForestStore::bytes_on_disk);
}

}  // namespace

void bind_forest_files(nb::module_& m) {
  add_forest_file(m);
  add_forest_formats(m);
  add_forest_store(m);
}

}  // namespace tunesmith::bind
