#include "tunesmith/moses_table.h"

#include <nanobind/stl/shared_ptr.h>

#include "corpus.h"
#include "tunesmith/moses_writer.h"

namespace tunesmith::bind {

namespace {

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<MosesReordering>(m, "MosesReordering")
      .def(nb::init<>())
      .def(
          "feed", [](MosesReordering& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](MosesReordering& self) { end(self); })
      .def("__len__", &MosesReordering::size)
      .def_prop_ro("width", &MosesReordering::width);

  nb::class_<MosesTableParser>(m, "MosesTableParser")
      .def(
          "__init__",
          [](MosesTableParser* self, const std::string& path,
             const std::vector<std::shared_ptr<MosesReordering>>& reordering, size_t order) {
            new (self) MosesTableParser(path, {reordering.begin(), reordering.end()}, order);
          },
          "path"_a, "reordering"_a, "order"_a)
      .def(
          "feed", [](MosesTableParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](MosesTableParser& self) { end(self); })
      .def("abandon", &MosesTableParser::abandon)
      .def("write", &MosesTableParser::write, "meta"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("pair_count", &MosesTableParser::pair_count)
      .def_prop_ro("score_count", &MosesTableParser::score_count)
      .def_prop_ro("reordering_count", &MosesTableParser::reordering_count)
      .def_prop_ro("without_reordering", &MosesTableParser::without_reordering)
      .def_prop_ro("dropped_fields", &MosesTableParser::dropped_fields);

  nb::class_<MosesWriter>(m, "MosesWriter")
      .def(nb::init<const PhraseTable&>(), "table"_a, nb::keep_alive<1, 2>(),
           nb::call_guard<nb::gil_scoped_release>())
      .def(
          "next_phrases",
          [](MosesWriter& self, size_t bytes) {
            std::string text;
            {
              nb::gil_scoped_release release;
              self.next_phrases(bytes, text);
            }
            return to_bytes(text);
          },
          "bytes"_a, "The next lines; empty after the last.")
      .def(
          "next_reordering",
          [](MosesWriter& self, size_t bytes, size_t begin, size_t end) {
            std::string text;
            {
              nb::gil_scoped_release release;
              self.next_reordering(bytes, begin, end, text);
            }
            return to_bytes(text);
          },
          "bytes"_a, "begin"_a, "end"_a, "The next lines; empty after the last.");
});

}  // namespace tunesmith::bind
