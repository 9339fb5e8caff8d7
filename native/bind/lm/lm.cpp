#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "bind/bind.h"
#include "bind/candidates/arrays.h"
#include "bind/corpus/views.h"
#include "tunesmith/lm/arpa_reader.h"
#include "tunesmith/lm/arpa_writer.h"
#include "tunesmith/lm/chart.h"
#include "tunesmith/lm/kneser_ney.h"
#include "tunesmith/lm/model.h"
#include "tunesmith/lm/model_builder.h"
#include "tunesmith/lm/sentence_scores.h"
#include "tunesmith/lm/sink.h"

namespace tunesmith::bind {

namespace {

std::vector<uint64_t> by_order(const lm::NgramLm& model, const uint64_t (&values)[lm::kMaxLmOrder]) {
  return {values, values + model.order()};
}

auto score_texts(const lm::NgramLm& model, const Vector<int32_t>& words, const Vector<int64_t>& offsets,
                 const Vector<int32_t>& numbers, bool begin, bool end, int threads) {
  const corpus::Sentences text = sentences(words, offsets);
  lm::SentenceScores scores =
      without_gil([&] { return lm::score_sentences(model, text, view(numbers), {begin, end}, threads); });
  return std::make_tuple(to_numpy(std::move(scores.scores)), to_numpy(std::move(scores.matched)),
                         to_numpy(std::move(scores.unknown)), to_numpy(std::move(scores.offsets)));
}

void bind_builder(nb::module_& m) {
  nb::class_<lm::NgramLmBuilder, lm::NgramSink>(m, "NgramLmBuilder",
                                                "Sink that writes a memory-mapped language model file.")
      .def(nb::init<const std::string&>(), "path"_a)
      .def(nb::init<const std::string&, const corpus::ClassMap&>(), "path"_a, "classes"_a);
}

void bind_state(nb::module_& m) {
  nb::class_<lm::LmState>(m, "LmState",
                          "Language model state: the words that can affect later probabilities.")
      .def_prop_ro(
          "words",
          [](const lm::LmState& self) { return std::vector<int32_t>(self.words, self.words + self.length); })
      .def("__len__", [](const lm::LmState& self) { return self.length; })
      .def("__hash__", &lm::LmState::hash)
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"));
}

void add_ngram_lm(nb::module_& m) {
  bind_builder(m);
  bind_state(m);
  nb::class_<lm::NgramLm>(m, "NgramLm", "A memory-mapped back-off language model.")
      .def(nb::init<const std::string&, bool>(), "path"_a, "in_memory"_a, nb::call_guard<GilReleased>())
      .def("__len__", &lm::NgramLm::size)
      .def_prop_ro("order", &lm::NgramLm::order)
      .def_prop_ro("unknown", &lm::NgramLm::unknown)
      .def_prop_ro("sentence_end", &lm::NgramLm::sentence_end)
      .def_prop_ro("has_classes", &lm::NgramLm::has_classes)
      .def_prop_ro("counts", [](const lm::NgramLm& self) { return by_order(self, self.facts().counts); })
      .def_prop_ro("blanks", [](const lm::NgramLm& self) { return by_order(self, self.facts().blanks); })
      .def("verify", &lm::NgramLm::verify, nb::call_guard<GilReleased>())
      .def("use_classes", &lm::NgramLm::use_classes, "classes"_a)
      .def("find", &lm::NgramLm::find, "word"_a)
      .def(
          "find_all",
          [](const lm::NgramLm& self, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets) {
            return to_numpy(self.find_all(texts(blob, offsets)));
          },
          "blob"_a, "offsets"_a)
      .def("texts",
           [](const lm::NgramLm& self) {
             const Texts& words = self.vocabulary().words();
             TextColumn copy;
             copy.blob.assign(words.blob.begin(), words.blob.end());
             copy.offsets.assign(words.offsets.begin(), words.offsets.end());
             return to_numpy(std::move(copy));
           })
      .def("begin_state", &lm::NgramLm::begin_state)
      .def("empty_state", &lm::NgramLm::empty_state)
      .def(
          "score",
          [](const lm::NgramLm& self, const lm::LmState& state, int32_t word) {
            lm::LmState out;
            const float score = self.full_score(state, word, out).log_probability();
            return std::make_pair(score, out);
          },
          "state"_a, "word"_a)
      .def(
          "phrase_score",
          [](const lm::NgramLm& self, const Vector<int32_t>& words) {
            return self.phrase_score(view(words));
          },
          "words"_a)
      .def("score_sentences", &score_texts, "words"_a, "offsets"_a, "numbers"_a, "begin"_a, "end"_a,
           "threads"_a);
}

void add_lm_chart(nb::module_& m) {
  nb::class_<lm::LmChartState>(m, "LmChartState", "Language model state of a partial translation.")
      .def_prop_ro("left",
                   [](const lm::LmChartState& self) {
                     return std::vector<int32_t>(self.left.words, self.left.words + self.left.length);
                   })
      .def_prop_ro("full", [](const lm::LmChartState& self) { return self.left.full; })
      .def_prop_ro("right",
                   [](const lm::LmChartState& self) {
                     return std::vector<int32_t>(self.right.words, self.right.words + self.right.length);
                   })
      .def("__hash__", &lm::LmChartState::hash)
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"));
  nb::class_<lm::LmPiece>(m, "LmPiece", "Scores a partial translation from words and smaller ones.")
      .def(nb::init<const lm::NgramLm&>(), "model"_a, nb::keep_alive<1, 2>())
      .def("begin_sentence", &lm::LmPiece::begin_sentence)
      .def("word", &lm::LmPiece::word, "word"_a)
      .def("piece", &lm::LmPiece::piece, "inner"_a)
      .def_prop_ro("score", &lm::LmPiece::score)
      .def_prop_ro("state", &lm::LmPiece::state);
}

using ThreeDiscounts = std::array<double, 3>;

void make(lm::KneserNey* self, int order, const std::vector<uint64_t>& prune,
          const std::optional<ThreeDiscounts>& fallback, bool interpolate_unigrams, bool skip_marks,
          uint64_t vocabulary_limit, size_t memory, const std::string& folder, int threads) {
  lm::KneserNeyOptions options;
  options.order = order;
  options.prune = prune;
  if (fallback) options.fallback = lm::Discounts{{0, (*fallback)[0], (*fallback)[1], (*fallback)[2]}};
  options.interpolate_unigrams = interpolate_unigrams;
  options.skip_marks = skip_marks;
  options.vocabulary_limit = vocabulary_limit;
  options.memory = memory;
  options.folder = folder;
  options.threads = threads;
  new (self) lm::KneserNey(options);
}

void write_arpa(const lm::KneserNey& self, const nb::callable& write) {
  lm::ArpaWriter writer([&](std::string_view text) {
    const GilHeld gil;
    write(nb::bytes(text.data(), text.size()));
  });
  without_gil([&] { self.send(writer); });
}

std::vector<uint64_t> ngrams(const lm::KneserNey& self) {
  std::vector<uint64_t> counts;
  for (const auto& order : self.statistics()) counts.push_back(order.kept);
  return counts;
}

std::vector<ThreeDiscounts> discounts(const lm::KneserNey& self) {
  std::vector<ThreeDiscounts> all;
  for (const lm::Discounts& order : self.discounts())
    all.push_back({order.amount[1], order.amount[2], order.amount[3]});
  return all;
}

void add_kneser_ney(nb::module_& m) {
  nb::class_<lm::KneserNey>(m, "KneserNey", "Estimates a modified Kneser-Ney language model.")
      .def("__init__", &make, "order"_a, "prune"_a, "fallback"_a.none(), "interpolate_unigrams"_a,
           "skip_marks"_a, "vocabulary_limit"_a, "memory"_a, "folder"_a, "threads"_a)
      .def("allow_word", &lm::KneserNey::allow_word, "word"_a)
      .def(
          "add_sentences",
          [](lm::KneserNey& self, const Vector<int32_t>& numbers, const Vector<int64_t>& offsets,
             const corpus::Vocabulary& vocabulary) {
            const corpus::Sentences given = sentences(numbers, offsets);
            without_gil([&] { self.add_sentences(given, vocabulary.names().view()); });
          },
          "words"_a, "offsets"_a, "vocabulary"_a)
      .def("finish", &lm::KneserNey::finish, nb::call_guard<GilReleased>())
      .def("send", &lm::KneserNey::send, "sink"_a, nb::call_guard<GilReleased>())
      .def("write_arpa", &write_arpa, "write"_a,
           nb::sig("def write_arpa(self, write: collections.abc.Callable[[bytes], object]) -> None"))
      .def_prop_ro("order", &lm::KneserNey::order)
      .def_prop_ro("sentences", &lm::KneserNey::sentences)
      .def_prop_ro("tokens", &lm::KneserNey::tokens)
      .def_prop_ro("ngrams", &ngrams)
      .def_prop_ro("discounts", &discounts);

  nb::class_<lm::KneserNeyParser>(m, "KneserNeyParser", "Feeds a file of sentences to an estimator.")
      .def(nb::init<lm::KneserNey&>(), "model"_a, nb::keep_alive<1, 2>())
      .def(
          "feed", [](lm::KneserNeyParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](lm::KneserNeyParser& self) { end(self); });
}

void add_arpa_reader(nb::module_& m) {
  nb::class_<lm::ArpaReader>(m, "ArpaReader", "Sends the n-grams of an ARPA file to a sink.")
      .def(nb::init<lm::NgramSink&, float>(), "sink"_a, "unknown"_a, nb::keep_alive<1, 2>())
      .def(
          "feed", [](lm::ArpaReader& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](lm::ArpaReader& self) { end(self); });
}

}  // namespace

void bind_lm(nb::module_& m) {
  nb::class_<lm::NgramSink>(m, "NgramSink", "Receives the n-grams of a back-off model, order by order.");
  add_ngram_lm(m);
  add_lm_chart(m);
  add_kneser_ney(m);
  add_arpa_reader(m);
}

}  // namespace tunesmith::bind
