#include "tunesmith/arpa_reader.h"

#include "corpus.h"
#include "ngram_sink.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  bind_ngram_sink(m);
  nb::class_<ArpaReader>(m, "ArpaReader", "Pushes the n-grams of an ARPA file into a sink.")
      .def(nb::init<NgramSink&, float>(), "sink"_a, "unknown"_a, nb::keep_alive<1, 2>())
      .def(
          "feed", [](ArpaReader& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](ArpaReader& self) { end(self); });
});

}  // namespace tunesmith::bind
