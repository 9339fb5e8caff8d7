#include "tunesmith/table_filter.h"

#include "corpus.h"
#include "tunesmith/phrase_table_builder.h"

namespace tunesmith::bind {

namespace {

using Words = std::pair<Vector<int32_t>, Vector<int64_t>>;
using Names = std::pair<Vector<uint8_t>, Vector<int64_t>>;

void finish(PhraseTableBuilder& builder, const PhraseTable& table, const std::string& meta) {
  builder.finish(table.source_words().words(), table.target_words().words(), meta);
}

}  // namespace

static const Join join([](nb::module_& m) {
  m.def(
      "filter_table",
      [](const PhraseTable& table, const Words& given, const Names& names, PhraseTableBuilder& builder,
         const std::string& meta) {
        const Sentences checked = sentences(given.first, given.second);
        const Texts words = texts(names.first, names.second);
        nb::gil_scoped_release release;
        filter_table(table, checked, words, builder);
        finish(builder, table, meta);
      },
      "table"_a, "sentences"_a, "words"_a, "builder"_a, "meta"_a);
  m.def(
      "prune_table",
      [](const PhraseTable& table, float min_count, float threshold, size_t top, PhraseTableBuilder& builder,
         const std::string& meta) {
        nb::gil_scoped_release release;
        prune_table(table, {min_count, threshold, top}, builder);
        finish(builder, table, meta);
      },
      "table"_a, nb::kw_only(), "min_count"_a, "threshold"_a, "top"_a, "builder"_a, "meta"_a);
});

}  // namespace tunesmith::bind
