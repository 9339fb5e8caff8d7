#include "corpus.h"
#include "forest.h"
#include "tunesmith/forest_format.h"
#include "tunesmith/hypergraph_parser.h"
#include "tunesmith/search_graph_parser.h"

namespace tunesmith::bind {

namespace {

template <class Format>
nb::bytes to_bytes(Format format) {
  std::string text;
  {
    nb::gil_scoped_release release;
    text = format();
  }
  return nb::bytes(text.data(), text.size());
}

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<HypergraphParser>(m, "HypergraphParser", "Parses the hypergraph of one sentence.")
      .def(nb::init<bool>(), "keep_boundaries"_a)
      .def(
          "feed", [](HypergraphParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](HypergraphParser& parser) {
        end(parser);
        return parser.take();
      });
  nb::class_<SearchGraphParser>(m, "SearchGraphParser", "Parses search graphs of Moses.")
      .def(nb::init<>())
      .def(
          "feed", [](SearchGraphParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("take", &SearchGraphParser::take)
      .def("finish", [](SearchGraphParser& parser) { end(parser); });
  m.def(
      "format_hypergraph",
      [](const Forest& forest) { return to_bytes([&] { return format_hypergraph(forest); }); }, "forest"_a);
  m.def(
      "format_search_graph",
      [](const Forest& forest, const std::string& id, const Vector<double>& scores, bool extended) {
        const auto checked = edge_scores(forest, scores);
        return to_bytes([&] { return format_search_graph(forest, id, checked, extended); });
      },
      "forest"_a, "id"_a, "scores"_a, "extended"_a);
});

}  // namespace tunesmith::bind
