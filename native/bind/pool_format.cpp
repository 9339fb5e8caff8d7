#include "tunesmith/pool_format.h"

#include <nanobind/stl/pair.h>

#include <optional>

#include "bind.h"

namespace tunesmith::bind {

namespace {

using TextPair = std::pair<Vector<uint8_t>, Vector<int64_t>>;

Texts texts(const TextPair& pair) { return bind::texts(pair.first, pair.second); }

/// A pool to be written, checked once; the arrays stay alive with it.
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
  PoolText text;
};

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<PoolTextArrays>(m, "PoolText", "What is written of a pool; texts are (blob, offsets).")
      .def(nb::init<TextPair, Vector<int64_t>, Vector<int64_t>, Vector<int32_t>, Vector<double>, TextPair,
                    TextPair, Vector<double>>(),
           "ids"_a, "lists"_a, "offsets"_a, "columns"_a, "values"_a, "texts"_a, "prefixes"_a, "totals"_a);
  m.def(
      "format_nbest",
      [](const PoolTextArrays& pool, size_t begin, size_t end) {
        std::string out;
        {
          nb::gil_scoped_release release;
          out = format_nbest(pool.text, begin, end);
        }
        return to_bytes(out);
      },
      "pool"_a, "begin"_a, "end"_a, "Lists as n-best lines.");
  m.def(
      "format_jsonl",
      [](const PoolTextArrays& pool, const TextPair& score_prefixes,
         const std::vector<Vector<double>>& scores, const TextPair& sources,
         const std::vector<TextPair>& references, size_t begin, size_t end) {
        JsonExtras extras{texts(score_prefixes), {}, texts(sources), {}};
        const size_t rows = pool.text.lists.features.rows(), lists = pool.text.lists.size();
        for (const auto& column : scores) extras.scores.push_back(view(column));
        for (const auto& reference : references) extras.references.push_back(texts(reference));
        bool fits = extras.score_prefixes.size() == scores.size();
        fits = fits && (extras.sources.size() == 0 || extras.sources.size() == lists);
        for (const auto& column : extras.scores) fits = fits && column.size() == rows;
        for (const auto& reference : extras.references) fits = fits && reference.size() == lists;
        if (!fits) throw InputError("the arrays of a pool to write do not fit together");
        std::string out;
        {
          nb::gil_scoped_release release;
          out = format_jsonl(pool.text, extras, begin, end);
        }
        return to_bytes(out);
      },
      "pool"_a, "score_prefixes"_a, "scores"_a, "sources"_a, "references"_a, "begin"_a, "end"_a,
      "Lists as JSON lines.");
});

}  // namespace tunesmith::bind
