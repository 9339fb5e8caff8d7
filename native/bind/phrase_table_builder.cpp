#include "tunesmith/phrase_table_builder.h"

#include "phrase_sink.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  bind_phrase_sink(m);
  nb::class_<PhraseTableBuilder, PhraseSink>(m, "PhraseTableBuilder")
      .def(
          "__init__",
          [](PhraseTableBuilder* self, const std::string& path, size_t scores, size_t reordering,
             size_t order) { new (self) PhraseTableBuilder(path, {scores, reordering, order}); },
          "path"_a, nb::kw_only(), "scores"_a, "reordering"_a, "order"_a)
      .def_prop_ro("pair_count", &PhraseTableBuilder::pair_count)
      .def_prop_ro("source_count", &PhraseTableBuilder::source_count)
      .def("abandon", &PhraseTableBuilder::abandon)
      .def(
          "begin_source",
          [](PhraseTableBuilder& self, const std::vector<int32_t>& source) { self.begin_source(source); },
          "source"_a)
      .def(
          "add",
          [](PhraseTableBuilder& self, const std::vector<int32_t>& target,
             const std::vector<std::pair<int32_t, int32_t>>& alignment, const std::vector<float>& scores,
             const std::vector<float>& reordering, const std::vector<float>& counts) {
            if (counts.size() != 3)
              throw InputError("counts are those of the target, the source and the pair");
            std::vector<Link> links;
            for (const auto& [source, to] : alignment) links.push_back({source, to});
            ScoredPhrase phrase{target, links, scores, reordering, counts[0], counts[1], counts[2]};
            self.add(phrase);
          },
          "target"_a, "alignment"_a, "scores"_a, "reordering"_a, "counts"_a)
      .def(
          "finish",
          [](PhraseTableBuilder& self, const std::pair<Vector<uint8_t>, Vector<int64_t>>& source,
             const std::pair<Vector<uint8_t>, Vector<int64_t>>& target, const std::string& meta) {
            const Texts source_words = texts(source.first, source.second);
            const Texts target_words = texts(target.first, target.second);
            nb::gil_scoped_release release;
            self.finish(source_words, target_words, meta);
          },
          "source_words"_a, "target_words"_a, "meta"_a);
});

}  // namespace tunesmith::bind
