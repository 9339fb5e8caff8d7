#include "corpus.h"
#include "pool_arrays.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  nb::class_<Vocabulary>(m, "Vocabulary", "Words and their numbers, which count from 0 as words come.")
      .def(nb::init<>())
      .def("__len__", &Vocabulary::size)
      .def("add", &Vocabulary::intern, "word"_a)
      .def("find", &Vocabulary::find, "word"_a)
      .def(
          "word",
          [](const Vocabulary& self, int32_t number) {
            if (number < 0 || static_cast<size_t>(number) >= self.size())
              throw InputError("there is no word " + std::to_string(number) + " in a vocabulary of " +
                               std::to_string(self.size()));
            return std::string(self[number]);
          },
          "number"_a)
      .def("texts", [](const Vocabulary& self) {
        TextColumn copy = self.names();
        return to_numpy(std::move(copy));
      });

  nb::class_<SentenceParser>(m, "SentenceParser")
      .def(nb::init<Vocabulary&, bool>(), "vocabulary"_a, "grow"_a, nb::keep_alive<1, 2>())
      .def(
          "feed", [](SentenceParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](SentenceParser& self) {
        end(self);
        return std::make_pair(to_numpy(self.take_words()), to_numpy(self.take_offsets()));
      });

  m.def(
      "check_sentences",
      [](const Vector<int32_t>& words, const Vector<int64_t>& offsets, size_t vocabulary, int32_t least) {
        const Sentences checked = sentences(words, offsets);
        nb::gil_scoped_release release;
        check_sentences(checked, vocabulary, least);
      },
      "words"_a, "offsets"_a, "vocabulary"_a, "least"_a);
});

}  // namespace tunesmith::bind
