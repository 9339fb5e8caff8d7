#include "tunesmith/phrase_counts.h"

#include "bind.h"

namespace tunesmith::bind {

namespace {

/// Copies a mapped vocabulary.
std::pair<NewVector<uint8_t>, NewVector<int64_t>> copy(const Texts& words) {
  return {to_numpy(std::vector<uint8_t>(words.blob.begin(), words.blob.end())),
          to_numpy(std::vector<int64_t>(words.offsets.begin(), words.offsets.end()))};
}

nb::dict to_dict(const PhraseTotals& totals) {
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

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<PhraseCountFile>(m, "PhraseCountFile", "Counted phrase pairs, mapped.")
      .def(nb::init<const std::string&>(), "path"_a)
      .def(
          "totals", [](const PhraseCountFile& self) { return to_dict(self.totals()); },
          nb::sig("def totals(self) -> dict[str, int]"))
      .def("source_words", [](const PhraseCountFile& self) { return copy(self.source_vocabulary().words()); })
      .def("target_words", [](const PhraseCountFile& self) { return copy(self.target_vocabulary().words()); })
      .def("instances_without", &PhraseCountFile::instances_without, "fold"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("verify", &PhraseCountFile::verify, nb::call_guard<nb::gil_scoped_release>());
});

}  // namespace tunesmith::bind
