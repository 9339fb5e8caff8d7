#include "tunesmith/significance.h"

#include "corpus.h"
#include "tunesmith/phrase_table_builder.h"

namespace tunesmith::bind {

namespace {

using Words = std::pair<Vector<int32_t>, Vector<int64_t>>;
using Names = std::pair<Vector<uint8_t>, Vector<int64_t>>;

}  // namespace

static const Join join([](nb::module_& m) {
  m.def(
      "log_significance",
      [](int64_t source, int64_t target, int64_t joint, int64_t total) {
        return log_significance({source, target, joint, total});
      },
      nb::kw_only(), "source"_a, "target"_a, "joint"_a, "total"_a);
  nb::class_<PhraseCounts>(m, "PhraseCounts");
  m.def(
      "count_phrases",
      [](const PhraseTable& table, const Words& source, const Names& source_names, const Words& target,
         const Names& target_names) {
        const Sentences from = sentences(source.first, source.second);
        const Sentences to = sentences(target.first, target.second);
        const Texts source_words = texts(source_names.first, source_names.second);
        const Texts target_words = texts(target_names.first, target_names.second);
        nb::gil_scoped_release release;
        return count_phrases(table, from, source_words, to, target_words);
      },
      "table"_a, "source"_a, "source_words"_a, "target"_a, "target_words"_a);
  m.def("count_instances", &count_instances, "table"_a, nb::call_guard<nb::gil_scoped_release>());
  m.def(
      "prune_significance",
      [](const PhraseTable& table, int64_t total, double threshold, const PhraseCounts* counts,
         PhraseTableBuilder& builder, const std::string& meta) {
        nb::gil_scoped_release release;
        prune_significance(table, total, threshold, counts, builder);
        builder.finish(table.source_words().words(), table.target_words().words(), meta);
      },
      "table"_a, nb::kw_only(), "total"_a, "threshold"_a, "counts"_a.none(), "builder"_a, "meta"_a);
});

}  // namespace tunesmith::bind
