#include "tunesmith/align/lexical_table.h"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cmath>

#include "bind/align/aligner.h"
#include "tunesmith/align/symmetrize.h"
#include "tunesmith/base/parallel.h"

namespace tunesmith::bind {

namespace {

align::LexicalTable collect(const SentenceArrays& source, const SentenceArrays& target, size_t source_words,
                            size_t target_words, int threads) {
  const corpus::Sentences from = sentences(source.first, source.second),
                          to = sentences(target.first, target.second);
  if (from.size() != to.size()) throw InputError("the two sides of a bitext differ in length");
  corpus::check_sentences(from, source_words, -1);
  corpus::check_sentences(to, target_words, -1);
  return align::LexicalTable(align::PairTable(from, to, source_words, target_words, threads));
}

void check_probabilities(const Vector<float>& values, size_t expected) {
  if (values.size() != expected) throw InputError("a translation table is damaged: its parts differ in size");
  for (const float value : view(values))
    if (!(value >= align::kLeastProbability && value <= 1.001F))
      throw InputError("a translation table is damaged: it has a value that is not a probability");
}

align::LexicalTable restore(const Vector<int64_t>& rows, const Vector<int32_t>& columns,
                            const Vector<float>& forward, const Vector<float>& reverse,
                            const Vector<float>& null_forward, const Vector<float>& null_reverse) {
  if (rows.size() == 0 || null_forward.size() == 0 || null_reverse.size() != rows.size())
    throw InputError("a translation table is damaged: its parts differ in size");
  check_probabilities(forward, columns.size());
  check_probabilities(reverse, columns.size());
  check_probabilities(null_forward, null_forward.size());
  check_probabilities(null_reverse, null_reverse.size());
  align::LexicalTable table(align::PairTable({view(rows).begin(), view(rows).end()},
                                             {view(columns).begin(), view(columns).end()},
                                             null_forward.size() - 1));
  for (size_t k = 0; k < columns.size(); ++k) table.probabilities[k] = {forward.data()[k], reverse.data()[k]};
  table.null_forward.assign(view(null_forward).begin(), view(null_forward).end());
  table.null_reverse.assign(view(null_reverse).begin(), view(null_reverse).end());
  table.set_floors();
  return table;
}

void assign(align::LexicalTable& table, const align::LexicalTable& other) {
  if (!std::ranges::equal(table.pairs.rows(), other.pairs.rows()) ||
      !std::ranges::equal(table.pairs.columns(), other.pairs.columns()) ||
      table.pairs.target_words() != other.pairs.target_words())
    throw InputError("the table has the word pairs of other text");
  table.probabilities = other.probabilities;
  table.null_forward = other.null_forward;
  table.null_reverse = other.null_reverse;
}

std::vector<float> direction(const align::LexicalTable& table, bool reverse) {
  std::vector<float> values(table.pairs.size());
  for (size_t k = 0; k < values.size(); ++k)
    values[k] = reverse ? table.probabilities[k].reverse : table.probabilities[k].forward;
  return values;
}

void add_lexical_table(nb::module_& m) {
  nb::class_<align::LexicalTable>(m, "LexicalTable",
                                  "p(target | source) and p(source | target) of word pairs.")
      .def_static("collect", &collect, "source"_a, "target"_a, "source_words"_a, "target_words"_a,
                  "threads"_a, nb::call_guard<GilReleased>())
      .def_static("restore", &restore, "rows"_a, "columns"_a, "forward"_a, "reverse"_a, "null_forward"_a,
                  "null_reverse"_a)
      .def_prop_ro("source_words", [](const align::LexicalTable& self) { return self.pairs.source_words(); })
      .def_prop_ro("target_words", [](const align::LexicalTable& self) { return self.pairs.target_words(); })
      .def("__len__", [](const align::LexicalTable& self) { return self.pairs.size(); })
      .def("assign", &assign, "other"_a, nb::call_guard<GilReleased>(),
           "Takes the probabilities of a table of the same pairs.")
      .def(
          "find",
          [](const align::LexicalTable& self, int32_t source, int32_t target) {
            const align::BothWays<float> found = self.probabilities[self.pairs.find(source, target)];
            return std::pair<double, double>(found.forward, found.reverse);
          },
          "source"_a, "target"_a, "p(target | source), p(source | target)")
      .def("rows",
           [](const align::LexicalTable& self) {
             return to_numpy(std::vector<int64_t>(self.pairs.rows().begin(), self.pairs.rows().end()));
           })
      .def("columns",
           [](const align::LexicalTable& self) {
             return to_numpy(std::vector<int32_t>(self.pairs.columns().begin(), self.pairs.columns().end()));
           })
      .def("forward", [](const align::LexicalTable& self) { return to_numpy(direction(self, false)); })
      .def("reverse", [](const align::LexicalTable& self) { return to_numpy(direction(self, true)); })
      .def("null_forward",
           [](const align::LexicalTable& self) { return to_numpy(std::vector<float>(self.null_forward)); })
      .def("null_reverse",
           [](const align::LexicalTable& self) { return to_numpy(std::vector<float>(self.null_reverse)); });

  nb::class_<align::LexicalCounts>(m, "LexicalCounts", "Expected counts of word pairs.")
      .def(
          "__init__",
          [](align::LexicalCounts* self, const align::LexicalTable& table, int64_t tokens) {
            new (self) align::LexicalCounts(table.pairs, tokens);
          },
          "table"_a, "tokens"_a)
      .def(
          "maximize",
          [](align::LexicalCounts& self, align::LexicalTable& table, bool bayes, double pseudo, int threads) {
            if (self.pairs.size() != table.probabilities.size())
              throw InputError("the counts belong to another table");
            if (!(pseudo >= 0) || (bayes && pseudo == 0) || !std::isfinite(pseudo))
              throw InputError("the pseudo-count of a word pair must be positive");
            without_gil([&] { align::maximize(table, self, {bayes, pseudo}, threads); });
          },
          "table"_a, "bayes"_a, "pseudo"_a, "threads"_a, "The M step; the counts are zero afterwards.");

  nb::class_<BoundCells>(m, "PairCells", "A bitext, looked up in a table.")
      .def(nb::init<align::LexicalTable&, SentenceArrays, SentenceArrays>(), "table"_a, "source"_a,
           "target"_a, nb::keep_alive<1, 2>());
}

constexpr size_t kPairs = 1024;

/// Checks the preconditions of symmetrize(): links sorted, no position below 0.
void check_links(std::span<const corpus::Link> links, size_t pair) {
  for (size_t k = 0; k < links.size(); ++k)
    if (links[k].source < 0 || links[k].target < 0 || (k > 0 && !(links[k - 1] < links[k])))
      throw InputError("the links are not sorted, or not word positions", static_cast<int64_t>(pair) + 1);
}

void add_symmetrize(nb::module_& m) {
  m.def(
      "symmetrize",
      [](const std::pair<Matrix<int32_t>, Vector<int64_t>>& forward,
         const std::pair<Matrix<int32_t>, Vector<int64_t>>& reverse, const std::string& method, int threads) {
        const corpus::Alignments there = alignments(forward.first, forward.second);
        const corpus::Alignments back = alignments(reverse.first, reverse.second);
        if (there.size() != back.size())
          throw InputError("found " + std::to_string(there.size()) + " forward and " +
                           std::to_string(back.size()) + " reverse alignments; expected as many of each");
        const align::Symmetrization how = align::symmetrization_named(method);
        align::PairLinks links(there.size());
        without_gil([&] {
          parallel_chunks(links.size(), kPairs, threads, [&](size_t, size_t begin, size_t end) {
            for (size_t pair = begin; pair < end; ++pair) {
              check_links(there[pair], pair);
              check_links(back[pair], pair);
              links[pair] = align::symmetrize(there[pair], back[pair], how);
            }
          });
        });
        return to_numpy(std::move(links));
      },
      "forward"_a, "reverse"_a, "method"_a, "threads"_a);
}

}  // namespace

void bind_align_lexical_table(nb::module_& m) {
  add_lexical_table(m);
  add_symmetrize(m);
}

}  // namespace tunesmith::bind
