#include "tunesmith/tables/phrase_table.h"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind/bind.h"
#include "bind/corpus/views.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/base/text.h"
#include "tunesmith/corpus/sentences.h"
#include "tunesmith/tables/phrase_collector.h"
#include "tunesmith/tables/phrase_sink.h"
#include "tunesmith/tables/phrase_table_builder.h"

namespace tunesmith::bind {

namespace {

using PythonPair =
    std::tuple<nb::str, std::vector<float>, std::vector<float>, std::vector<std::pair<int, int>>,
               std::tuple<float, float, float>, std::vector<std::pair<nb::str, float>>>;

nb::str checked(std::string_view text) {
  if (find_invalid_utf8(text) != std::string_view::npos)
    throw InputError("the table is damaged: " + quoted(text) + " is not UTF-8");
  return nb::str(text.data(), text.size());
}

nb::str text(std::span<const int32_t> words, const corpus::VocabularyView& vocabulary) {
  std::string joined;
  for (const int32_t word : words) {
    if (!joined.empty()) joined += ' ';
    joined += vocabulary.word(word);
  }
  return checked(joined);
}

std::vector<nb::str> sparse_names(const tables::PhraseTable& table) {
  std::vector<nb::str> names;
  const Texts& texts = table.sparse_names().words();
  for (size_t i = 0; i < texts.size(); ++i) names.push_back(checked(texts[i]));
  return names;
}

uint32_t find_node(const tables::PhraseTable& table, std::string_view source) {
  uint32_t node = tables::PhraseTable::kRoot;
  corpus::for_each_token(source, [&](std::string_view word) {
    if (node != tables::PhraseTable::kNone) node = table.extend(node, table.source_words().find(word));
  });
  return node;
}

std::vector<PythonPair> pairs(const tables::PhraseTable& table, uint32_t node) {
  std::vector<PythonPair> result;
  const size_t length = table.source(node).size();
  const tables::PairRange range = table.pairs(node);
  for (uint32_t i = range.begin; i < range.end; ++i) {
    const tables::ScoredPhrase phrase = table.pair(i, length);
    std::vector<std::pair<int, int>> links;
    for (const corpus::Link link : phrase.alignment) links.emplace_back(link.source, link.target);
    std::vector<std::pair<nb::str, float>> sparse;
    for (const tables::SparseScore& score : phrase.sparse)
      sparse.emplace_back(checked(table.sparse_names().word(static_cast<int32_t>(score.name))), score.value);
    result.emplace_back(
        text(phrase.target, table.target_words()),
        std::vector<float>(phrase.scores.begin(), phrase.scores.end()),
        std::vector<float>(phrase.reordering.begin(), phrase.reordering.end()), std::move(links),
        std::make_tuple(phrase.target_count, phrase.source_count, phrase.joint_count), std::move(sparse));
  }
  return result;
}

std::vector<uint32_t> source_nodes(const tables::PhraseTable& table) {
  std::vector<uint32_t> nodes;
  for (uint32_t node = 1; node < table.node_count(); ++node)
    if (!table.pairs(node).empty()) nodes.push_back(node);
  return nodes;
}

void add_phrase_table(nb::module_& m) {
  nb::class_<tables::PhraseTable>(m, "PhraseTable", "A memory-mapped phrase table.")
      .def(nb::init<const std::string&, bool>(), "path"_a, "in_memory"_a = false)
      .def_prop_ro("pair_count", &tables::PhraseTable::pair_count)
      .def_prop_ro("source_count", &tables::PhraseTable::source_count)
      .def_prop_ro("target_count", &tables::PhraseTable::target_count)
      .def_prop_ro("score_count", &tables::PhraseTable::score_count)
      .def_prop_ro("reordering_count", &tables::PhraseTable::reordering_count)
      .def_prop_ro("sparse_names", &sparse_names)
      .def_prop_ro("longest_source", &tables::PhraseTable::longest_source)
      .def_prop_ro("longest_target", &tables::PhraseTable::longest_target)
      .def_prop_ro("order", &tables::PhraseTable::order)
      .def("verify", &tables::PhraseTable::verify, nb::call_guard<GilReleased>())
      .def(
          "find_node",
          [](const tables::PhraseTable& self, std::string_view source) {
            const uint32_t node = find_node(self, source);
            return node == tables::PhraseTable::kNone ? int64_t{-1} : int64_t{node};
          },
          "source"_a, "The node of a prefix of source phrases, or -1.")
      .def(
          "source_nodes",
          [](const tables::PhraseTable& self) {
            return to_numpy(without_gil([&] { return source_nodes(self); }));
          },
          "The nodes of source phrases.")
      .def(
          "source",
          [](const tables::PhraseTable& self, uint32_t node) {
            return text(self.source(node), self.source_words());
          },
          "node"_a)
      .def("pairs", &pairs, "node"_a,
           "(target, scores, reordering, links, (target, source and joint count), sparse scores) of each "
           "pair.")
      .def(
          "spans",
          [](const tables::PhraseTable& self, const std::string& sentence) {
            std::vector<int32_t> words;
            corpus::for_each_token(
                sentence, [&](std::string_view word) { words.push_back(self.source_words().find(word)); });
            std::vector<std::tuple<size_t, size_t, size_t>> found;
            self.for_each_span(words, [&](size_t begin, size_t end, tables::PairRange range) {
              found.emplace_back(begin, end, range.size());
            });
            return found;
          },
          "sentence"_a, "(begin, end, number of pairs) of each span that is a source phrase.");
}

void add_phrase_table_builder(nb::module_& m) {
  nb::class_<tables::PhraseTableBuilder, tables::PhraseSink>(m, "PhraseTableBuilder")
      .def(
          "__init__",
          [](tables::PhraseTableBuilder* self, const std::string& path, size_t scores, size_t reordering,
             size_t order) { new (self) tables::PhraseTableBuilder(path, {scores, reordering, order}); },
          "path"_a, nb::kw_only(), "scores"_a, "reordering"_a, "order"_a)
      .def_prop_ro("pair_count", &tables::PhraseTableBuilder::pair_count)
      .def_prop_ro("source_count", &tables::PhraseTableBuilder::source_count)
      .def("abandon", &tables::PhraseTableBuilder::abandon)
      .def(
          "begin_source",
          [](tables::PhraseTableBuilder& self, const std::vector<int32_t>& source) {
            self.begin_source(source);
          },
          "source"_a)
      .def(
          "add",
          [](tables::PhraseTableBuilder& self, const std::vector<int32_t>& target,
             const std::vector<std::pair<int32_t, int32_t>>& alignment, const std::vector<float>& scores,
             const std::vector<float>& reordering, const std::vector<float>& counts) {
            if (counts.size() != 3)
              throw InputError("found " + std::to_string(counts.size()) +
                               " counts; expected 3: target, source and joint");
            std::vector<corpus::Link> links;
            for (const auto& [source, to] : alignment) links.push_back({source, to});
            tables::ScoredPhrase phrase{target, links, scores, reordering, counts[0], counts[1], counts[2]};
            self.add(phrase);
          },
          "target"_a, "alignment"_a, "scores"_a, "reordering"_a, "counts"_a)
      .def(
          "finish",
          [](tables::PhraseTableBuilder& self, const std::pair<Vector<uint8_t>, Vector<int64_t>>& source,
             const std::pair<Vector<uint8_t>, Vector<int64_t>>& target, const std::string& meta) {
            const Texts source_words = texts(source.first, source.second);
            const Texts target_words = texts(target.first, target.second);
            without_gil([&] { self.finish(source_words, target_words, meta); });
          },
          "source_words"_a, "target_words"_a, "meta"_a);
}

template <class T>
NewVector<T> take(std::vector<T>& values) {
  return to_numpy(std::exchange(values, {}));
}

NewMatrix<float> take(std::vector<float>& values, size_t rows) {
  const size_t width = rows == 0 ? 0 : values.size() / rows;
  return to_numpy(std::exchange(values, {}), width);
}

void add_phrase_collector(nb::module_& m) {
  nb::class_<tables::PhraseCollector, tables::PhraseSink>(m, "PhraseCollector",
                                                          "Collects phrase pairs as arrays.")
      .def(nb::init<>())
      .def(
          "take",
          [](tables::PhraseCollector& self) {
            const size_t rows = self.source_of.size();
            nb::dict arrays;
            arrays["source_words"] = take(self.source_words);
            arrays["source_offsets"] = take(self.source_offsets);
            arrays["target_words"] = take(self.target_words);
            arrays["target_offsets"] = take(self.target_offsets);
            arrays["source_of"] = take(self.source_of);
            auto links = to_numpy(std::exchange(self.links, {}), std::exchange(self.link_offsets, {}));
            arrays["links"] = links.first;
            arrays["link_offsets"] = links.second;
            arrays["scores"] = take(self.scores, rows);
            arrays["reordering"] = take(self.reordering, rows);
            arrays["counts"] = take(self.counts, rows);
            return arrays;
          },
          nb::sig("def take(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
          "Moves the arrays out of the collector.");
}

}  // namespace

void bind_tables_phrase_table(nb::module_& m) {
  nb::class_<tables::PhraseSink>(m, "PhraseSink", "Receives scored phrase pairs grouped by source phrase.");
  add_phrase_table(m);
  add_phrase_table_builder(m);
  add_phrase_collector(m);
}

}  // namespace tunesmith::bind
