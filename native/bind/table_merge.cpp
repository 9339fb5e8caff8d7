#include "tunesmith/table_merge.h"

#include "bind.h"
#include "tunesmith/phrase_table_builder.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "interpolate_tables",
      [](const std::vector<const PhraseTable*>& tables, const std::vector<double>& weights,
         PhraseTableBuilder& builder, const std::string& meta) {
        nb::gil_scoped_release release;
        const JoinedTables joined(tables);
        joined.interpolate(weights, builder);
        builder.finish(joined.source_words(), joined.target_words(), meta);
      },
      "tables"_a, "weights"_a, "builder"_a, "meta"_a);
  m.def(
      "fill_up_tables",
      [](const std::vector<const PhraseTable*>& tables, bool indicators, PhraseTableBuilder& builder,
         const std::string& meta) {
        nb::gil_scoped_release release;
        const JoinedTables joined(tables);
        joined.fill_up(indicators, builder);
        builder.finish(joined.source_words(), joined.target_words(), meta);
      },
      "tables"_a, "indicators"_a, "builder"_a, "meta"_a);
});

}  // namespace tunesmith::bind
