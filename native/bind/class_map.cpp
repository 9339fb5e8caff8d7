#include "tunesmith/class_map.h"

#include "corpus.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  nb::class_<ClassMap>(m, "ClassMap", "Words and their classes.").def("__len__", [](const ClassMap& self) {
    return self.words.size();
  });
  nb::class_<ClassMapParser>(m, "ClassMapParser", "Parses a word and its class a line.")
      .def(nb::init<>())
      .def(
          "feed", [](ClassMapParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](ClassMapParser& self) {
        end(self);
        return self.take();
      });
});

}  // namespace tunesmith::bind
