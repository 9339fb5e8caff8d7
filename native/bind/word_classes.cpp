#include "tunesmith/word_classes.h"

#include "corpus.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  nb::class_<WordClasses>(m, "WordClasses", "Words and their classes.")
      .def("__len__", [](const WordClasses& self) { return self.words.size(); });
  nb::class_<WordClassParser>(m, "WordClassParser", "Parses a word and its class a line.")
      .def(nb::init<>())
      .def(
          "feed", [](WordClassParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](WordClassParser& self) {
        end(self);
        return self.take();
      });
});

}  // namespace tunesmith::bind
