#include "corpus.h"
#include "forest.h"
#include "tunesmith/forest_lattice.h"
#include "tunesmith/forest_words.h"
#include "tunesmith/hypergraph_format.h"
#include "tunesmith/hypergraph_parser.h"
#include "tunesmith/search_graph_format.h"
#include "tunesmith/search_graph_parser.h"

namespace tunesmith::bind {

namespace {

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

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
  m.def("is_lattice", &is_lattice, "forest"_a, "Whether each edge adds words to at most one tail.");
  m.def(
      "escaped_words", [](const Forest& forest) { return escaped_words(forest); }, "forest"_a,
      "The words that rules use, as text formats spell them; others are empty.");
  m.def(
      "format_hypergraph",
      [](const Forest& forest, bool keep_boundaries) {
        return to_bytes(without_gil([&] { return format_hypergraph(forest, keep_boundaries); }));
      },
      "forest"_a, "keep_boundaries"_a = false);
  m.def(
      "format_search_graph",
      [](const Forest& forest, const std::string& id, const Vector<double>& scores, bool extended) {
        return to_bytes(without_gil([&] { return format_search_graph(forest, id, view(scores), extended); }));
      },
      "forest"_a, "id"_a, "scores"_a, "extended"_a);
});

}  // namespace tunesmith::bind
