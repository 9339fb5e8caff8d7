#include <nanobind/stl/pair.h>

#include "corpus.h"
#include "pool_arrays.h"
#include "tunesmith/column_parser.h"
#include "tunesmith/jsonl_parser.h"
#include "tunesmith/nbest_parser.h"

namespace tunesmith::bind {

namespace {

/// Ends the parser and hands out what it has read.
template <class Parser>
PythonArrays finish(Parser& parser) {
  end(parser);
  return PythonArrays(parser.take());
}

NbestStyle nbest_style(const std::string& name) {
  if (name == "moses") return NbestStyle::moses;
  if (name == "moses-old") return NbestStyle::moses_old;
  if (name == "cdec") return NbestStyle::cdec;
  if (name == "travatar") return NbestStyle::travatar;
  throw InputError("unknown n-best style '" + name + "'");
}

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<PythonArrays>(m, "PoolArrays", "The arrays of a pool; texts are (blob, offsets).")
      .def_ro("ids", &PythonArrays::ids, nb::rv_policy::automatic)
      .def_ro("lists", &PythonArrays::lists, nb::rv_policy::automatic)
      .def_ro("texts", &PythonArrays::texts, nb::rv_policy::automatic)
      .def_ro("offsets", &PythonArrays::offsets, nb::rv_policy::automatic)
      .def_ro("columns", &PythonArrays::columns, nb::rv_policy::automatic)
      .def_ro("values", &PythonArrays::values, nb::rv_policy::automatic)
      .def_ro("names", &PythonArrays::names, nb::rv_policy::automatic)
      .def_ro("totals", &PythonArrays::totals, nb::rv_policy::automatic)
      .def_ro("score_names", &PythonArrays::score_names, nb::rv_policy::automatic)
      .def_ro("scores", &PythonArrays::scores, nb::rv_policy::automatic)
      .def_ro("sources", &PythonArrays::sources, nb::rv_policy::automatic)
      .def_ro("references", &PythonArrays::references, nb::rv_policy::automatic);

  nb::class_<LineParser>(m, "LineParser", "Takes a file in chunks, cut anywhere.")
      .def("feed", &feed, "chunk"_a);
  nb::class_<NbestParser, LineParser>(m, "NbestParser",
                                      "Parses the n-best lists of Moses, cdec and Travatar.")
      .def(
          "__init__",
          [](NbestParser* self, const std::string& style) { new (self) NbestParser(nbest_style(style)); },
          "style"_a)
      .def("finish", &finish<NbestParser>);
  nb::class_<JsonlParser, LineParser>(m, "JsonlParser", "Parses candidate lists as JSON lines.")
      .def(nb::init<>())
      .def("finish", &finish<JsonlParser>);
  nb::class_<TextParser, LineParser>(m, "TextParser", "Parses a text a line.")
      .def(nb::init<>())
      .def("finish", [](TextParser& parser) {
        end(parser);
        return to_numpy(parser.take());
      });
  nb::class_<NumberParser, LineParser>(m, "NumberParser", "Parses lines of numbers to a matrix.")
      .def(nb::init<>())
      .def("finish", [](NumberParser& parser) {
        end(parser);
        return to_numpy(parser.take(), parser.width());
      });
});

}  // namespace tunesmith::bind
