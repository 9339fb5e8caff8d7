#include "tunesmith/ngram_lm.h"

#include <nanobind/operators.h>
#include <nanobind/stl/tuple.h>

#include "corpus.h"
#include "ngram_sink.h"
#include "pool_arrays.h"
#include "tunesmith/ngram_lm_builder.h"
#include "tunesmith/sentence_scores.h"

namespace tunesmith::bind {

namespace {

std::vector<uint64_t> by_order(const NgramLm& model, const uint64_t (&values)[kMaxLmOrder]) {
  return {values, values + model.order()};
}

auto score_texts(const NgramLm& model, const Vector<int32_t>& words, const Vector<int64_t>& offsets,
                 const Vector<int32_t>& numbers, bool begin, bool end, int threads) {
  SentenceScores scores;
  const Sentences text = sentences(words, offsets);
  {
    nb::gil_scoped_release release;
    scores = score_sentences(model, text, view(numbers), {begin, end}, threads);
  }
  return std::make_tuple(to_numpy(std::move(scores.scores)), to_numpy(std::move(scores.matched)),
                         to_numpy(std::move(scores.unknown)), to_numpy(std::move(scores.offsets)));
}

void bind_builder(nb::module_& m) {
  bind_ngram_sink(m);
  nb::class_<NgramLmBuilder, NgramSink>(m, "NgramLmBuilder",
                                        "The sink that writes a language model to be mapped.")
      .def(nb::init<const std::string&>(), "path"_a)
      .def(nb::init<const std::string&, const ClassMap&>(), "path"_a, "classes"_a);
}

void bind_state(nb::module_& m) {
  nb::class_<LmState>(m, "LmState", "The words that still matter to a language model.")
      .def_prop_ro(
          "words",
          [](const LmState& self) { return std::vector<int32_t>(self.words, self.words + self.length); })
      .def("__len__", [](const LmState& self) { return self.length; })
      .def("__hash__", &LmState::hash)
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"));
}

}  // namespace

static const Join join([](nb::module_& m) {
  bind_builder(m);
  bind_state(m);
  nb::class_<NgramLm>(m, "NgramLm", "A back-off language model, mapped from a file.")
      .def(nb::init<const std::string&, bool>(), "path"_a, "in_memory"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", &NgramLm::size)
      .def_prop_ro("order", &NgramLm::order)
      .def_prop_ro("unknown", &NgramLm::unknown)
      .def_prop_ro("sentence_end", &NgramLm::sentence_end)
      .def_prop_ro("has_classes", &NgramLm::has_classes)
      .def_prop_ro("counts", [](const NgramLm& self) { return by_order(self, self.facts().counts); })
      .def_prop_ro("blanks", [](const NgramLm& self) { return by_order(self, self.facts().blanks); })
      .def("verify", &NgramLm::verify, nb::call_guard<nb::gil_scoped_release>())
      .def("use_classes", &NgramLm::use_classes, "classes"_a)
      .def("find", &NgramLm::find, "word"_a)
      .def(
          "find_all",
          [](const NgramLm& self, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets) {
            return to_numpy(self.find_all(texts(blob, offsets)));
          },
          "blob"_a, "offsets"_a)
      .def("texts",
           [](const NgramLm& self) {
             const Texts& words = self.vocabulary().words();
             TextColumn copy;
             copy.blob.assign(words.blob.begin(), words.blob.end());
             copy.offsets.assign(words.offsets.begin(), words.offsets.end());
             return to_numpy(std::move(copy));
           })
      .def("begin_state", &NgramLm::begin_state)
      .def("empty_state", &NgramLm::empty_state)
      .def(
          "score",
          [](const NgramLm& self, const LmState& state, int32_t word) {
            LmState out;
            const float score = self.score(state, word, out);
            return std::make_pair(score, out);
          },
          "state"_a, "word"_a)
      .def(
          "phrase_score",
          [](const NgramLm& self, const Vector<int32_t>& words) { return self.phrase_score(view(words)); },
          "words"_a)
      .def("score_sentences", &score_texts, "words"_a, "offsets"_a, "numbers"_a, "begin"_a, "end"_a,
           "threads"_a);
});

}  // namespace tunesmith::bind
