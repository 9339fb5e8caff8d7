#include "tunesmith/phrase_scoring.h"

#include "phrase_sink.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  bind_phrase_sink(m);

  nb::enum_<OrientationModel>(m, "OrientationModel")
      .value("WORD", OrientationModel::kWord)
      .value("PHRASE", OrientationModel::kPhrase)
      .value("HIERARCHICAL", OrientationModel::kHierarchical);
  nb::enum_<OrientationClasses>(m, "OrientationClasses")
      .value("MONOTONICITY", OrientationClasses::kMonotonicity)
      .value("MSD", OrientationClasses::kMsd)
      .value("MSLR", OrientationClasses::kMslr)
      .value("LEFT_RIGHT", OrientationClasses::kLeftRight)
      .value("FIVE", OrientationClasses::kFive);
  nb::class_<ReorderingModel>(m, "ReorderingModel")
      .def(
          "__init__",
          [](ReorderingModel* self, OrientationModel model, OrientationClasses classes, bool backward,
             bool forward, bool given_target) {
            new (self) ReorderingModel{model, classes, backward, forward, given_target};
          },
          "model"_a, "classes"_a, "backward"_a, "forward"_a, "given_target"_a)
      .def_prop_ro("columns", [](const ReorderingModel& self) { return column_count(self); });
  nb::enum_<PhraseSmoothing>(m, "PhraseSmoothing")
      .value("NONE", PhraseSmoothing::kNone)
      .value("GOOD_TURING", PhraseSmoothing::kGoodTuring)
      .value("KNESER_NEY", PhraseSmoothing::kKneserNey);

  m.def(
      "score_phrases",
      [](const PhraseCountFile& counts, const Lexicon& lexicon, PhraseSink& sink, PhraseSmoothing smoothing,
         uint64_t min_count, const std::vector<ReorderingModel>& reordering, double reordering_smoothing,
         int32_t exclude_fold, int threads) {
        const ScoringOptions options{smoothing,    min_count, reordering, reordering_smoothing,
                                     exclude_fold, threads};
        nb::gil_scoped_release release;
        return score_phrases(counts, lexicon, options, sink);
      },
      "counts"_a, "lexicon"_a, "sink"_a, "smoothing"_a, "min_count"_a, "reordering"_a,
      "reordering_smoothing"_a, "exclude_fold"_a, "threads"_a);
});

}  // namespace tunesmith::bind
