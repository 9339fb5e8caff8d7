#include "tunesmith/phrase_table.h"

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind.h"
#include "tunesmith/quote.h"
#include "tunesmith/sentences.h"
#include "tunesmith/text.h"

namespace tunesmith::bind {

namespace {

using PythonPair = std::tuple<nb::str, std::vector<float>, std::vector<float>,
                              std::vector<std::pair<int, int>>, std::tuple<float, float, float>>;

nb::str text(std::span<const int32_t> words, const VocabularyView& vocabulary) {
  std::string joined;
  for (const int32_t word : words) {
    if (!joined.empty()) joined += ' ';
    joined += vocabulary.word(word);
  }
  if (find_invalid_utf8(joined) != std::string_view::npos)
    throw InputError("the table is damaged: " + quoted(joined) + " is not text");
  return nb::str(joined.data(), joined.size());
}

uint32_t find_node(const PhraseTable& table, std::string_view source) {
  uint32_t node = PhraseTable::kRoot;
  for_each_token(source, [&](std::string_view word) {
    if (node != PhraseTable::kNone) node = table.extend(node, table.source_words().find(word));
  });
  return node;
}

std::vector<PythonPair> pairs(const PhraseTable& table, uint32_t node) {
  std::vector<PythonPair> result;
  const size_t length = table.source(node).size();
  const PairRange range = table.pairs(node);
  for (uint32_t i = range.begin; i < range.end; ++i) {
    const ScoredPhrase phrase = table.pair(i, length);
    std::vector<std::pair<int, int>> links;
    for (const Link link : phrase.alignment) links.emplace_back(link.source, link.target);
    result.emplace_back(text(phrase.target, table.target_words()),
                        std::vector<float>(phrase.scores.begin(), phrase.scores.end()),
                        std::vector<float>(phrase.reordering.begin(), phrase.reordering.end()),
                        std::move(links),
                        std::make_tuple(phrase.target_count, phrase.source_count, phrase.joint_count));
  }
  return result;
}

std::vector<uint32_t> source_nodes(const PhraseTable& table) {
  std::vector<uint32_t> nodes;
  for (uint32_t node = 1; node < table.node_count(); ++node)
    if (!table.pairs(node).empty()) nodes.push_back(node);
  return nodes;
}

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<PhraseTable>(m, "PhraseTable", "A phrase table mapped from disk.")
      .def(nb::init<const std::string&, bool>(), "path"_a, "in_memory"_a = false)
      .def_prop_ro("pair_count", &PhraseTable::pair_count)
      .def_prop_ro("source_count", &PhraseTable::source_count)
      .def_prop_ro("target_count", &PhraseTable::target_count)
      .def_prop_ro("score_count", &PhraseTable::score_count)
      .def_prop_ro("reordering_count", &PhraseTable::reordering_count)
      .def_prop_ro("longest_source", &PhraseTable::longest_source)
      .def_prop_ro("longest_target", &PhraseTable::longest_target)
      .def_prop_ro("order", &PhraseTable::order)
      .def("verify", &PhraseTable::verify, nb::call_guard<nb::gil_scoped_release>())
      .def(
          "find_node",
          [](const PhraseTable& self, std::string_view source) {
            const uint32_t node = find_node(self, source);
            return node == PhraseTable::kNone ? int64_t{-1} : int64_t{node};
          },
          "source"_a, "The node of a prefix of source phrases, or -1.")
      .def(
          "source_nodes",
          [](const PhraseTable& self) {
            std::vector<uint32_t> nodes;
            {
              nb::gil_scoped_release release;
              nodes = source_nodes(self);
            }
            return to_numpy(std::move(nodes));
          },
          "The nodes where source phrases end.")
      .def(
          "source",
          [](const PhraseTable& self, uint32_t node) { return text(self.source(node), self.source_words()); },
          "node"_a)
      .def("pairs", &pairs, "node"_a,
           "(target, scores, reordering, links, (target count, source count, joint count)) of each pair.")
      .def(
          "spans",
          [](const PhraseTable& self, const std::string& sentence) {
            std::vector<int32_t> words;
            for_each_token(sentence,
                           [&](std::string_view word) { words.push_back(self.source_words().find(word)); });
            std::vector<std::tuple<size_t, size_t, size_t>> found;
            self.for_each_span(words, [&](size_t begin, size_t end, PairRange range) {
              found.emplace_back(begin, end, range.size());
            });
            return found;
          },
          "sentence"_a, "(begin, end, number of pairs) of each span that is a source phrase.");
});

}  // namespace tunesmith::bind
