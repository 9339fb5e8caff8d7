#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>

#include "bind/bind.h"
#include "bind/corpus/views.h"
#include "tunesmith/corpus/vocabulary.h"
#include "tunesmith/extract/phrases/counting.h"
#include "tunesmith/extract/phrases/counts.h"
#include "tunesmith/extract/phrases/extraction.h"
#include "tunesmith/extract/phrases/lexicon.h"
#include "tunesmith/extract/phrases/scoring.h"
#include "tunesmith/tables/phrase_sink.h"
#include "tunesmith/tables/reordering.h"

namespace tunesmith::bind {

namespace {

void add_lexicon(nb::module_& m) {
  m.def(
      "count_words",
      [](const std::pair<Vector<int32_t>, Vector<int64_t>>& source,
         const std::pair<Vector<int32_t>, Vector<int64_t>>& target,
         const std::pair<Matrix<int32_t>, Vector<int64_t>>& links, const Vector<int32_t>& folds, int threads,
         const Vector<int64_t>& weights) {
        const corpus::Sentences from = sentences(source.first, source.second);
        const corpus::Sentences to = sentences(target.first, target.second);
        const corpus::Alignments all = alignments(links.first, links.second);
        extract::phrases::LexiconCounts counts = without_gil([&] {
          return extract::phrases::count_words(from, to, all, view(folds), threads, view(weights));
        });
        return nb::make_tuple(to_numpy(std::move(counts.sources)), to_numpy(std::move(counts.targets)),
                              to_numpy(std::move(counts.folds)), to_numpy(std::move(counts.counts)));
      },
      "source"_a, "target"_a, "alignments"_a, "folds"_a, "threads"_a, "weights"_a,
      nb::sig("def count_words(source: tuple[numpy.typing.NDArray[numpy.int32], "
              "numpy.typing.NDArray[numpy.int64]], target: tuple[numpy.typing.NDArray[numpy.int32], "
              "numpy.typing.NDArray[numpy.int64]], alignments: tuple[numpy.typing.NDArray[numpy.int32], "
              "numpy.typing.NDArray[numpy.int64]], folds: numpy.typing.NDArray[numpy.int32], threads: int, "
              "weights: numpy.typing.NDArray[numpy.int64]) -> tuple[numpy.typing.NDArray[numpy.int32], "
              "numpy.typing.NDArray[numpy.int32], "
              "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64]]"),
      "Columns of word pair counts: source, target, fold, count; -1 (NULL) is the partner of unaligned "
      "words.");

  m.def(
      "all_words_are_utf8",
      [](const Vector<uint8_t>& blob, const Vector<int64_t>& offsets) {
        return corpus::all_words_are_utf8(texts(blob, offsets));
      },
      "blob"_a, "offsets"_a, "Whether each of the words is UTF-8.");

  nb::class_<extract::phrases::Lexicon>(m, "Lexicon", "Word translation probabilities in a hash table.")
      .def(
          "__init__",
          [](extract::phrases::Lexicon* self, const Vector<int32_t>& sources, const Vector<int32_t>& targets,
             const Vector<int32_t>& folds, const Vector<int64_t>& counts, int32_t exclude_fold) {
            without_gil([&] {
              new (self) extract::phrases::Lexicon(view(sources), view(targets), view(folds), view(counts),
                                                   exclude_fold);
            });
          },
          "sources"_a, "targets"_a, "folds"_a, "counts"_a, "exclude_fold"_a)
      .def_static(
          "of_probabilities",
          [](const Vector<int32_t>& sources, const Vector<int32_t>& targets,
             const Vector<double>& source_given_target, const Vector<double>& target_given_source) {
            if (targets.size() != sources.size() || source_given_target.size() != sources.size() ||
                target_given_source.size() != sources.size())
              throw InputError("the columns of a lexicon have different lengths");
            std::vector<extract::phrases::Lexicon::Entry> entries;
            for (size_t i = 0; i < sources.size(); ++i)
              entries.push_back({view(sources)[i], view(targets)[i], view(source_given_target)[i],
                                 view(target_given_source)[i]});
            return extract::phrases::Lexicon(std::move(entries));
          },
          "sources"_a, "targets"_a, "source_given_target"_a, "target_given_source"_a)
      .def("__len__", [](const extract::phrases::Lexicon& self) { return self.entries().size(); })
      .def(
          "find",
          [](const extract::phrases::Lexicon& self, int32_t source, int32_t target) {
            const extract::phrases::Lexicon::Entry* entry = self.find(source, target);
            return entry == nullptr ? std::make_pair(0.0, 0.0)
                                    : std::make_pair(entry->source_given_target, entry->target_given_source);
          },
          "source"_a, "target"_a, "(p(f|e), p(e|f)) of a word pair; zeros if it is unknown.")
      .def(
          "columns",
          [](const extract::phrases::Lexicon& self) {
            std::vector<int32_t> sources, targets;
            std::vector<double> source_given_target, target_given_source;
            for (const extract::phrases::Lexicon::Entry& entry : self.entries()) {
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
}

void add_phrase_extraction(nb::module_& m) {
  nb::enum_<tables::OrientationEvents>(m, "OrientationEvents")
      .value("BLOCKS", tables::OrientationEvents::kBlocks)
      .value("DECODER", tables::OrientationEvents::kDecoder)
      .value("MOSES", tables::OrientationEvents::kMoses);
  m.def(
      "extract_phrases",
      [](int source_length, int target_length, const Matrix<int32_t>& links, int max_length,
         tables::OrientationEvents events) {
        if (links.shape(1) != 2)
          throw InputError("found links of " + std::to_string(links.shape(1)) +
                           " columns; expected rows of two word positions");
        std::vector<corpus::Link> checked(links.shape(0));
        for (size_t i = 0; i < checked.size(); ++i) {
          checked[i] = {links.data()[2 * i], links.data()[2 * i + 1]};
          if (checked[i].source < 0 || checked[i].source >= source_length || checked[i].target < 0 ||
              checked[i].target >= target_length)
            throw InputError("the link " + std::to_string(checked[i].source) + "-" +
                             std::to_string(checked[i].target) + " is outside of its sentence pair");
        }
        constexpr size_t kColumns = 12;
        std::vector<int32_t> rows;
        extract::phrases::PhraseExtractor extractor(max_length, events);
        for (const extract::phrases::PhraseInstance& instance :
             extractor.extract(source_length, target_length, checked)) {
          const tables::PhraseSpan& span = instance.span;
          rows.insert(rows.end(), {span.source_begin, span.source_end, span.target_begin, span.target_end});
          for (auto model : {tables::OrientationModel::kWord, tables::OrientationModel::kPhrase,
                             tables::OrientationModel::kHierarchical})
            for (auto direction : {tables::Direction::kBackward, tables::Direction::kForward})
              rows.push_back(tables::class_of(tables::OrientationClasses::kFive,
                                              instance.orientations.get(model, direction)));
          for (auto direction : {tables::Direction::kBackward, tables::Direction::kForward})
            rows.push_back(tables::class_of(
                tables::OrientationClasses::kMslr,
                instance.orientations.get(tables::OrientationModel::kHierarchical, direction)));
        }
        return to_numpy(std::move(rows), kColumns);
      },
      "source_length"_a, "target_length"_a, "links"_a, "max_length"_a, "events"_a,
      "Rows of source begin, source end, target begin, target end, and the orientations (word, phrase, "
      "hierarchical; each backward, forward) of all phrase pairs of a sentence pair: monotone, swap, left, "
      "right, global. The last two columns are the hierarchical orientations without global.");
}

void add_phrase_counting(nb::module_& m) {
  m.def(
      "count_phrase_pairs",
      [](const std::pair<Vector<int32_t>, Vector<int64_t>>& source,
         const std::pair<Vector<int32_t>, Vector<int64_t>>& target,
         const std::pair<Matrix<int32_t>, Vector<int64_t>>& links, size_t copies,
         const std::pair<Vector<uint8_t>, Vector<int64_t>>& source_words,
         const std::pair<Vector<uint8_t>, Vector<int64_t>>& target_words, const Vector<int32_t>& folds,
         const Vector<int64_t>& weights, uint64_t unit, const Vector<int32_t>& orientations,
         const std::string& path, int max_length, tables::OrientationEvents events, uint64_t memory,
         const std::string& temporary, int threads,
         std::optional<std::function<void(const std::string&)>> progress) {
        const extract::phrases::FoldedBitext bitext{
            {sentences(source.first, source.second), sentences(target.first, target.second),
             alignments(links.first, links.second), texts(source_words.first, source_words.second),
             texts(target_words.first, target_words.second)},
            view(folds),
            view(weights),
            unit,
            view(orientations),
            copies};
        extract::phrases::CountingOptions options{max_length, events, memory, temporary, threads, {}};
        if (progress) options.progress = *progress;
        without_gil([&] { extract::phrases::count_phrase_pairs(bitext, path, options); });
      },
      "source"_a, "target"_a, "alignments"_a, "copies"_a, "source_words"_a, "target_words"_a, "folds"_a,
      "weights"_a, "unit"_a, "orientations"_a, "path"_a, "max_length"_a, "events"_a, "memory"_a,
      "temporary"_a, "threads"_a, "progress"_a.none());
}

/// Copies a mapped vocabulary.
std::pair<NewVector<uint8_t>, NewVector<int64_t>> copy(const Texts& words) {
  return {to_numpy(std::vector<uint8_t>(words.blob.begin(), words.blob.end())),
          to_numpy(std::vector<int64_t>(words.offsets.begin(), words.offsets.end()))};
}

nb::dict to_dict(const extract::phrases::PhraseTotals& totals) {
  nb::dict result;
  result["max_length"] = totals.max_length;
  result["folds"] = totals.folds;
  result["sentences"] = totals.sentences;
  result["sources"] = totals.sources;
  result["targets"] = totals.targets;
  result["pairs"] = totals.pairs;
  result["events"] = totals.events;
  result["instances"] = totals.instances;
  return result;
}

void add_phrase_counts(nb::module_& m) {
  nb::class_<extract::phrases::PhraseCountFile>(m, "PhraseCountFile",
                                                "A memory-mapped file of phrase pair counts.")
      .def(nb::init<const std::string&>(), "path"_a)
      .def(
          "totals", [](const extract::phrases::PhraseCountFile& self) { return to_dict(self.totals()); },
          nb::sig("def totals(self) -> dict[str, int]"))
      .def("source_words",
           [](const extract::phrases::PhraseCountFile& self) {
             return copy(self.source_vocabulary().words());
           })
      .def("target_words",
           [](const extract::phrases::PhraseCountFile& self) {
             return copy(self.target_vocabulary().words());
           })
      .def("instances_without", &extract::phrases::PhraseCountFile::instances_without, "fold"_a,
           nb::call_guard<GilReleased>())
      .def("verify", &extract::phrases::PhraseCountFile::verify, nb::call_guard<GilReleased>());
}

void add_phrase_scoring(nb::module_& m) {
  nb::enum_<tables::OrientationModel>(m, "OrientationModel")
      .value("WORD", tables::OrientationModel::kWord)
      .value("PHRASE", tables::OrientationModel::kPhrase)
      .value("HIERARCHICAL", tables::OrientationModel::kHierarchical);
  nb::enum_<tables::OrientationClasses>(m, "OrientationClasses")
      .value("MONOTONICITY", tables::OrientationClasses::kMonotonicity)
      .value("MSD", tables::OrientationClasses::kMsd)
      .value("MSLR", tables::OrientationClasses::kMslr)
      .value("LEFT_RIGHT", tables::OrientationClasses::kLeftRight)
      .value("FIVE", tables::OrientationClasses::kFive);
  nb::class_<tables::ReorderingModel>(m, "ReorderingModel")
      .def(
          "__init__",
          [](tables::ReorderingModel* self, tables::OrientationModel model,
             tables::OrientationClasses classes, bool backward, bool forward, bool given_target) {
            new (self) tables::ReorderingModel{model, classes, backward, forward, given_target};
          },
          "model"_a, "classes"_a, "backward"_a, "forward"_a, "given_target"_a)
      .def_prop_ro("columns", [](const tables::ReorderingModel& self) { return tables::column_count(self); });
  nb::enum_<extract::phrases::PhraseSmoothing>(m, "PhraseSmoothing")
      .value("NONE", extract::phrases::PhraseSmoothing::kNone)
      .value("GOOD_TURING", extract::phrases::PhraseSmoothing::kGoodTuring)
      .value("KNESER_NEY", extract::phrases::PhraseSmoothing::kKneserNey);

  m.def(
      "score_phrases",
      [](const extract::phrases::PhraseCountFile& counts, const extract::phrases::Lexicon& lexicon,
         tables::PhraseSink& sink, extract::phrases::PhraseSmoothing smoothing, uint64_t min_count,
         const std::vector<tables::ReorderingModel>& reordering, double reordering_smoothing,
         int32_t exclude_fold, int threads,
         const std::optional<std::pair<Vector<int32_t>, Vector<int64_t>>>& only) {
        extract::phrases::ScoringOptions options{smoothing,    min_count, reordering, reordering_smoothing,
                                                 exclude_fold, threads};
        std::optional<corpus::Sentences> given;
        if (only) given = sentences(only->first, only->second);
        return without_gil([&] {
          std::optional<extract::phrases::OccurringPhrases> phrases;
          if (given) options.only = &phrases.emplace(*given, counts.totals().max_length);
          return extract::phrases::score_phrases(counts, lexicon, options, sink);
        });
      },
      "counts"_a, "lexicon"_a, "sink"_a, "smoothing"_a, "min_count"_a, "reordering"_a,
      "reordering_smoothing"_a, "exclude_fold"_a, "threads"_a, "only"_a = nb::none());
}

}  // namespace

void bind_extract_phrases(nb::module_& m) {
  add_lexicon(m);
  add_phrase_extraction(m);
  add_phrase_counting(m);
  add_phrase_counts(m);
  add_phrase_scoring(m);
}

}  // namespace tunesmith::bind
