#include "tunesmith/lexicon.h"

#include "corpus.h"
#include "tunesmith/vocabulary.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "count_words",
      [](const std::pair<Vector<int32_t>, Vector<int64_t>>& source,
         const std::pair<Vector<int32_t>, Vector<int64_t>>& target,
         const std::pair<Matrix<int32_t>, Vector<int64_t>>& links, const Vector<int32_t>& folds,
         int threads) {
        const Sentences from = sentences(source.first, source.second);
        const Sentences to = sentences(target.first, target.second);
        const Alignments all = alignments(links.first, links.second);
        LexiconCounts counts;
        {
          nb::gil_scoped_release release;
          counts = count_words(from, to, all, view(folds), threads);
        }
        return nb::make_tuple(to_numpy(std::move(counts.sources)), to_numpy(std::move(counts.targets)),
                              to_numpy(std::move(counts.folds)), to_numpy(std::move(counts.counts)));
      },
      "source"_a, "target"_a, "alignments"_a, "folds"_a, "threads"_a,
      nb::sig(
          "def count_words(source: tuple[numpy.typing.NDArray[numpy.int32], "
          "numpy.typing.NDArray[numpy.int64]], target: tuple[numpy.typing.NDArray[numpy.int32], "
          "numpy.typing.NDArray[numpy.int64]], alignments: tuple[numpy.typing.NDArray[numpy.int32], "
          "numpy.typing.NDArray[numpy.int64]], folds: numpy.typing.NDArray[numpy.int32], threads: int) -> "
          "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], "
          "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64]]"),
      "Columns of word pair counts: source, target, fold, count; -1 is the partner of a word without links.");

  m.def(
      "all_words_are_utf8",
      [](const Vector<uint8_t>& blob, const Vector<int64_t>& offsets) {
        return all_words_are_utf8(texts(blob, offsets));
      },
      "blob"_a, "offsets"_a, "Whether each of the words is UTF-8.");

  nb::class_<Lexicon>(m, "Lexicon", "Word translation probabilities in a hash table.")
      .def(
          "__init__",
          [](Lexicon* self, const Vector<int32_t>& sources, const Vector<int32_t>& targets,
             const Vector<int32_t>& folds, const Vector<int64_t>& counts, int32_t exclude_fold) {
            nb::gil_scoped_release release;
            new (self) Lexicon(view(sources), view(targets), view(folds), view(counts), exclude_fold);
          },
          "sources"_a, "targets"_a, "folds"_a, "counts"_a, "exclude_fold"_a)
      .def("__len__", [](const Lexicon& self) { return self.entries().size(); })
      .def(
          "find",
          [](const Lexicon& self, int32_t source, int32_t target) {
            const Lexicon::Entry* entry = self.find(source, target);
            return entry == nullptr ? std::make_pair(0.0, 0.0)
                                    : std::make_pair(entry->source_given_target, entry->target_given_source);
          },
          "source"_a, "target"_a, "(p(f|e), p(e|f)) of a word pair; zeros where it was never seen.")
      .def(
          "columns",
          [](const Lexicon& self) {
            std::vector<int32_t> sources, targets;
            std::vector<double> source_given_target, target_given_source;
            for (const Lexicon::Entry& entry : self.entries()) {
              sources.push_back(entry.source);
              targets.push_back(entry.target);
              source_given_target.push_back(entry.source_given_target);
              target_given_source.push_back(entry.target_given_source);
            }
            return nb::make_tuple(to_numpy(std::move(sources)), to_numpy(std::move(targets)),
                                  to_numpy(std::move(source_given_target)),
                                  to_numpy(std::move(target_given_source)));
          },
          nb::sig("def columns(self) -> tuple[numpy.typing.NDArray[numpy.int32], "
                  "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], "
                  "numpy.typing.NDArray[numpy.float64]]"),
          "Source, target, p(f|e), p(e|f) of all pairs.");
});

}  // namespace tunesmith::bind
