#include "tunesmith/kneser_ney.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>

#include "corpus.h"
#include "ngram_sink.h"
#include "tunesmith/arpa_writer.h"

namespace tunesmith::bind {

namespace {

using ThreeDiscounts = std::array<double, 3>;

void make(KneserNey* self, int order, const std::vector<uint64_t>& prune,
          const std::optional<ThreeDiscounts>& fallback, bool interpolate_unigrams, bool skip_marks,
          uint64_t vocabulary_limit, size_t memory, const std::string& folder, int threads) {
  KneserNeyOptions options;
  options.order = order;
  options.prune = prune;
  if (fallback) options.fallback = Discounts{{0, (*fallback)[0], (*fallback)[1], (*fallback)[2]}};
  options.interpolate_unigrams = interpolate_unigrams;
  options.skip_marks = skip_marks;
  options.vocabulary_limit = vocabulary_limit;
  options.memory = memory;
  options.folder = folder;
  options.threads = threads;
  new (self) KneserNey(options);
}

void send(const KneserNey& self, NgramSink& sink) {
  nb::gil_scoped_release release;
  self.send(sink);
}

void write_arpa(const KneserNey& self, const nb::callable& write) {
  ArpaWriter writer([&](std::string_view text) {
    nb::gil_scoped_acquire acquire;
    write(nb::bytes(text.data(), text.size()));
  });
  send(self, writer);
}

std::vector<uint64_t> ngrams(const KneserNey& self) {
  std::vector<uint64_t> counts;
  for (const auto& order : self.statistics()) counts.push_back(order.kept);
  return counts;
}

std::vector<ThreeDiscounts> discounts(const KneserNey& self) {
  std::vector<ThreeDiscounts> all;
  for (const Discounts& order : self.discounts())
    all.push_back({order.amount[1], order.amount[2], order.amount[3]});
  return all;
}

}  // namespace

static const Join join([](nb::module_& m) {
  bind_ngram_sink(m);
  nb::class_<KneserNey>(m, "KneserNey", "Estimates a language model; its sentences come from parsers.")
      .def("__init__", &make, "order"_a, "prune"_a, "fallback"_a.none(), "interpolate_unigrams"_a,
           "skip_marks"_a, "vocabulary_limit"_a, "memory"_a, "folder"_a, "threads"_a)
      .def("allow_word", &KneserNey::allow_word, "word"_a)
      .def(
          "add_sentences",
          [](KneserNey& self, const Vector<int32_t>& numbers, const Vector<int64_t>& offsets,
             const Vocabulary& vocabulary) {
            const Sentences given = sentences(numbers, offsets);
            nb::gil_scoped_release release;
            self.add_sentences(given, vocabulary.names().view());
          },
          "words"_a, "offsets"_a, "vocabulary"_a)
      .def("finish", &KneserNey::finish, nb::call_guard<nb::gil_scoped_release>())
      .def("send", &send, "sink"_a)
      .def("write_arpa", &write_arpa, "write"_a,
           nb::sig("def write_arpa(self, write: collections.abc.Callable[[bytes], object]) -> None"))
      .def_prop_ro("order", &KneserNey::order)
      .def_prop_ro("sentences", &KneserNey::sentences)
      .def_prop_ro("tokens", &KneserNey::tokens)
      .def_prop_ro("ngrams", &ngrams)
      .def_prop_ro("discounts", &discounts);

  nb::class_<KneserNeyParser>(m, "KneserNeyParser", "Feeds a file of sentences to an estimator.")
      .def(nb::init<KneserNey&>(), "model"_a, nb::keep_alive<1, 2>())
      .def(
          "feed", [](KneserNeyParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](KneserNeyParser& self) { end(self); });
});

}  // namespace tunesmith::bind
