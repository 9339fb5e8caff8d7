#include "tunesmith/phrase_collector.h"

#include "corpus.h"
#include "phrase_sink.h"

namespace tunesmith::bind {

namespace {

template <class T>
NewVector<T> take(std::vector<T>& values) {
  return to_numpy(std::exchange(values, {}));
}

NewMatrix<float> take(std::vector<float>& values, size_t rows) {
  const size_t width = rows == 0 ? 0 : values.size() / rows;
  return to_numpy(std::exchange(values, {}), width);
}

}  // namespace

static const Join join([](nb::module_& m) {
  bind_phrase_sink(m);
  nb::class_<PhraseCollector, PhraseSink>(m, "PhraseCollector", "Collects phrase pairs as arrays.")
      .def(nb::init<>())
      .def(
          "take",
          [](PhraseCollector& self) {
            const size_t rows = self.source_of.size();
            nb::dict arrays;
            arrays["source_words"] = take(self.source_words);
            arrays["source_offsets"] = take(self.source_offsets);
            arrays["target_words"] = take(self.target_words);
            arrays["target_offsets"] = take(self.target_offsets);
            arrays["source_of"] = take(self.source_of);
            auto links = to_numpy(std::exchange(self.links, {}), std::exchange(self.link_offsets, {}));
            arrays["links"] = links.first;
            arrays["link_offsets"] = links.second;
            arrays["scores"] = take(self.scores, rows);
            arrays["reordering"] = take(self.reordering, rows);
            arrays["counts"] = take(self.counts, rows);
            return arrays;
          },
          nb::sig("def take(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
          "Hands out the arrays; the collector is of no use after that.");
});

}  // namespace tunesmith::bind
