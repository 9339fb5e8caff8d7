#include <nanobind/stl/pair.h>

#include <optional>

#include "bind/bind.h"
#include "bind/candidates/arrays.h"
#include "bind/corpus/views.h"
#include "tunesmith/candidates/column_parser.h"
#include "tunesmith/candidates/format.h"
#include "tunesmith/candidates/jsonl_parser.h"
#include "tunesmith/candidates/nbest_parser.h"

namespace tunesmith::bind {

namespace {

/// Finishes a parser and returns its arrays.
template <class Parser>
PythonArrays finish(Parser& parser) {
  end(parser);
  return PythonArrays(parser.take());
}

candidates::NbestStyle nbest_style(const std::string& name) {
  if (name == "moses") return candidates::NbestStyle::moses;
  if (name == "moses-old") return candidates::NbestStyle::moses_old;
  if (name == "cdec") return candidates::NbestStyle::cdec;
  if (name == "travatar") return candidates::NbestStyle::travatar;
  throw InputError("unknown n-best style '" + name + "'; expected moses, moses-old, cdec or travatar");
}

void add_parsers(nb::module_& m) {
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

  nb::class_<LineParser>(m, "LineParser", "Takes a file in chunks, split anywhere.")
      .def("feed", &feed, "chunk"_a);
  nb::class_<candidates::NbestParser, LineParser>(m, "NbestParser",
                                                  "Parses the n-best lists of Moses, cdec and Travatar.")
      .def(
          "__init__",
          [](candidates::NbestParser* self, const std::string& style) {
            new (self) candidates::NbestParser(nbest_style(style));
          },
          "style"_a)
      .def("finish", &finish<candidates::NbestParser>);
  nb::class_<candidates::JsonlParser, LineParser>(m, "JsonlParser", "Parses candidate lists as JSON lines.")
      .def(nb::init<bool>(), "allow_null"_a = false)
      .def("finish", &finish<candidates::JsonlParser>);
  nb::class_<candidates::TextParser, LineParser>(m, "TextParser", "Parses one text per line.")
      .def(nb::init<>())
      .def("finish", [](candidates::TextParser& parser) {
        end(parser);
        return to_numpy(parser.take());
      });
  nb::class_<candidates::NumberParser, LineParser>(m, "NumberParser",
                                                   "Parses lines of numbers into a matrix.")
      .def(nb::init<>())
      .def("finish", [](candidates::NumberParser& parser) {
        end(parser);
        return to_numpy(parser.take(), parser.width());
      });
}

/// A pool to be written; checks its arrays once and keeps them alive.
struct PoolTextArrays {
  PoolTextArrays(TextPair ids_, Vector<int64_t> lists_, Vector<int64_t> offsets_, Vector<int32_t> columns_,
                 Vector<double> values_, TextPair texts_, TextPair prefixes_, Vector<double> totals_)
      : ids(ids_),
        hypotheses(texts_),
        prefixes(prefixes_),
        lists(lists_),
        offsets(offsets_),
        columns(columns_),
        values(values_),
        totals(totals_) {
    text.ids = texts(ids);
    text.texts = texts(hypotheses);
    text.prefixes = texts(prefixes);
    text.lists = {view(lists), {view(offsets), view(columns), view(values), text.prefixes.size()}};
    text.totals = view(totals);
    check_csr(text.lists.features);
    check_offsets(text.lists.offsets, text.lists.features.rows(), "candidate lists");
  }

  TextPair ids, hypotheses, prefixes;
  Vector<int64_t> lists, offsets;
  Vector<int32_t> columns;
  Vector<double> values, totals;
  candidates::PoolText text;
};

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

void add_pool_format(nb::module_& m) {
  nb::class_<PoolTextArrays>(m, "PoolText",
                             "The parts of a pool that are written; texts are (blob, offsets).")
      .def(nb::init<TextPair, Vector<int64_t>, Vector<int64_t>, Vector<int32_t>, Vector<double>, TextPair,
                    TextPair, Vector<double>>(),
           "ids"_a, "lists"_a, "offsets"_a, "columns"_a, "values"_a, "texts"_a, "prefixes"_a, "totals"_a);
  m.def(
      "format_nbest",
      [](const PoolTextArrays& pool, size_t begin, size_t end) {
        return to_bytes(without_gil([&] { return candidates::format_nbest(pool.text, begin, end); }));
      },
      "pool"_a, "begin"_a, "end"_a, "Lists as n-best lines.");
  m.def(
      "format_jsonl",
      [](const PoolTextArrays& pool, const TextPair& score_prefixes,
         const std::vector<Vector<double>>& scores, const TextPair& sources,
         const std::vector<TextPair>& references, size_t begin, size_t end) {
        candidates::JsonExtras extras{texts(score_prefixes), {}, texts(sources), {}};
        const size_t rows = pool.text.lists.features.rows(), lists = pool.text.lists.size();
        for (const auto& column : scores) extras.scores.push_back(view(column));
        for (const auto& reference : references) extras.references.push_back(texts(reference));
        bool fits = extras.score_prefixes.size() == scores.size();
        fits = fits && (extras.sources.size() == 0 || extras.sources.size() == lists);
        for (const auto& column : extras.scores) fits = fits && column.size() == rows;
        for (const auto& reference : extras.references) fits = fits && reference.size() == lists;
        if (!fits) throw InputError("the arrays of a pool to write do not fit together");
        return to_bytes(without_gil([&] { return candidates::format_jsonl(pool.text, extras, begin, end); }));
      },
      "pool"_a, "score_prefixes"_a, "scores"_a, "sources"_a, "references"_a, "begin"_a, "end"_a,
      "Lists as JSON lines.");
}

}  // namespace

void bind_candidates_formats(nb::module_& m) {
  add_parsers(m);
  add_pool_format(m);
}

}  // namespace tunesmith::bind
