#include <nanobind/stl/shared_ptr.h>

#include "bind/bind.h"
#include "bind/corpus/views.h"
#include "tunesmith/tables/filter.h"
#include "tunesmith/tables/merge.h"
#include "tunesmith/tables/moses.h"
#include "tunesmith/tables/moses_writer.h"
#include "tunesmith/tables/phrase_table_builder.h"
#include "tunesmith/tables/significance.h"

namespace tunesmith::bind {

namespace {

nb::bytes to_bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

void add_moses_table(nb::module_& m) {
  nb::class_<tables::MosesReordering>(m, "MosesReordering")
      .def(nb::init<>())
      .def(
          "feed", [](tables::MosesReordering& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](tables::MosesReordering& self) { end(self); })
      .def("__len__", &tables::MosesReordering::size)
      .def_prop_ro("width", &tables::MosesReordering::width);

  nb::class_<tables::MosesTableParser>(m, "MosesTableParser")
      .def(
          "__init__",
          [](tables::MosesTableParser* self, const std::string& path,
             const std::vector<std::shared_ptr<tables::MosesReordering>>& reordering, size_t order) {
            new (self) tables::MosesTableParser(path, {reordering.begin(), reordering.end()}, order);
          },
          "path"_a, "reordering"_a, "order"_a)
      .def(
          "feed", [](tables::MosesTableParser& self, const nb::bytes& chunk) { feed(self, chunk); },
          "chunk"_a)
      .def("finish", [](tables::MosesTableParser& self) { end(self); })
      .def("abandon", &tables::MosesTableParser::abandon)
      .def("write", &tables::MosesTableParser::write, "meta"_a, nb::call_guard<GilReleased>())
      .def_prop_ro("pair_count", &tables::MosesTableParser::pair_count)
      .def_prop_ro("score_count", &tables::MosesTableParser::score_count)
      .def_prop_ro("reordering_count", &tables::MosesTableParser::reordering_count)
      .def_prop_ro("without_reordering", &tables::MosesTableParser::without_reordering)
      .def_prop_ro("dropped_fields", &tables::MosesTableParser::dropped_fields)
      .def_prop_ro("sparse_pairs", &tables::MosesTableParser::sparse_pairs);

  nb::class_<tables::MosesWriter>(m, "MosesWriter")
      .def(nb::init<const tables::PhraseTable&>(), "table"_a, nb::keep_alive<1, 2>(),
           nb::call_guard<GilReleased>())
      .def(
          "next_phrases",
          [](tables::MosesWriter& self, size_t bytes) {
            std::string text;
            without_gil([&] { self.next_phrases(bytes, text); });
            return to_bytes(text);
          },
          "bytes"_a, "The next lines; empty after the last.")
      .def(
          "next_reordering",
          [](tables::MosesWriter& self, size_t bytes, size_t begin, size_t end) {
            std::string text;
            without_gil([&] { self.next_reordering(bytes, begin, end, text); });
            return to_bytes(text);
          },
          "bytes"_a, "begin"_a, "end"_a, "The next lines; empty after the last.");
}

using Words = std::pair<Vector<int32_t>, Vector<int64_t>>;
using Names = std::pair<Vector<uint8_t>, Vector<int64_t>>;

void finish(tables::PhraseTableBuilder& builder, const tables::PhraseTable& table, const std::string& meta) {
  builder.finish(table.source_words().words(), table.target_words().words(), meta,
                 table.sparse_names().words());
}

void add_table_filter(nb::module_& m) {
  m.def(
      "filter_table",
      [](const tables::PhraseTable& table, const Words& given, const Names& names,
         tables::PhraseTableBuilder& builder, const std::string& meta) {
        const corpus::Sentences checked = sentences(given.first, given.second);
        const Texts words = texts(names.first, names.second);
        without_gil([&] {
          tables::filter_table(table, checked, words, builder);
          finish(builder, table, meta);
        });
      },
      "table"_a, "sentences"_a, "words"_a, "builder"_a, "meta"_a);
  m.def(
      "prune_table",
      [](const tables::PhraseTable& table, float min_count, float threshold, size_t top,
         tables::PhraseTableBuilder& builder, const std::string& meta) {
        without_gil([&] {
          tables::prune_table(table, {min_count, threshold, top}, builder);
          finish(builder, table, meta);
        });
      },
      "table"_a, nb::kw_only(), "min_count"_a, "threshold"_a, "top"_a, "builder"_a, "meta"_a);
}

void add_table_merge(nb::module_& m) {
  m.def(
      "interpolate_tables",
      [](const std::vector<const tables::PhraseTable*>& tables, const std::vector<double>& weights,
         const std::vector<double>& score_weights, tables::PhraseTableBuilder& builder,
         const std::string& meta) {
        without_gil([&] {
          const tables::JoinedTables joined(tables);
          joined.interpolate({weights, score_weights}, builder);
          builder.finish(joined.source_words(), joined.target_words(), meta);
        });
      },
      "tables"_a, "weights"_a, "score_weights"_a, "builder"_a, "meta"_a);
  m.def(
      "fill_up_tables",
      [](const std::vector<const tables::PhraseTable*>& tables, bool indicators,
         tables::PhraseTableBuilder& builder, const std::string& meta) {
        without_gil([&] {
          const tables::JoinedTables joined(tables);
          joined.fill_up(indicators, builder);
          builder.finish(joined.source_words(), joined.target_words(), meta, joined.sparse_names());
        });
      },
      "tables"_a, "indicators"_a, "builder"_a, "meta"_a);
}

void add_significance(nb::module_& m) {
  m.def(
      "log_significance",
      [](int64_t source, int64_t target, int64_t joint, int64_t total) {
        return tables::log_significance({source, target, joint, total});
      },
      nb::kw_only(), "source"_a, "target"_a, "joint"_a, "total"_a);
  nb::class_<tables::PhraseCounts>(m, "PhraseCounts");
  m.def(
      "count_phrases",
      [](const tables::PhraseTable& table, const Words& source, const Names& source_names,
         const Words& target, const Names& target_names) {
        const corpus::Sentences from = sentences(source.first, source.second);
        const corpus::Sentences to = sentences(target.first, target.second);
        const Texts source_words = texts(source_names.first, source_names.second);
        const Texts target_words = texts(target_names.first, target_names.second);
        return without_gil(
            [&] { return tables::count_phrases(table, from, source_words, to, target_words); });
      },
      "table"_a, "source"_a, "source_words"_a, "target"_a, "target_words"_a);
  m.def("count_instances", &tables::count_instances, "table"_a, nb::call_guard<GilReleased>());
  m.def(
      "prune_significance",
      [](const tables::PhraseTable& table, int64_t total, double threshold,
         const tables::PhraseCounts* counts, tables::PhraseTableBuilder& builder, const std::string& meta) {
        without_gil([&] {
          tables::prune_significance(table, total, threshold, counts, builder);
          finish(builder, table, meta);
        });
      },
      "table"_a, nb::kw_only(), "total"_a, "threshold"_a, "counts"_a.none(), "builder"_a, "meta"_a);
}

}  // namespace

void bind_tables_processing(nb::module_& m) {
  add_moses_table(m);
  add_table_filter(m);
  add_table_merge(m);
  add_significance(m);
}

}  // namespace tunesmith::bind
