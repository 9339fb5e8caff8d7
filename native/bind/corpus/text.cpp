#include "bind/candidates/arrays.h"
#include "bind/corpus/views.h"
#include "tunesmith/corpus/lines.h"
#include "tunesmith/corpus/tokenizer.h"

namespace tunesmith::bind {

namespace {

void add_tokenizer(nb::module_& m) {
  m.attr("CLASS_PADDED") = static_cast<int>(corpus::kPadded);
  m.attr("CLASS_ALNUM") = static_cast<int>(corpus::kAlnum);
  m.attr("CLASS_ALPHA") = static_cast<int>(corpus::kAlpha);
  m.attr("CLASS_NUMBER") = static_cast<int>(corpus::kNumber);
  m.attr("CLASS_LOWER") = static_cast<int>(corpus::kLower);

  nb::enum_<corpus::Apostrophes>(m, "Apostrophes")
      .value("SPLIT_BEFORE", corpus::Apostrophes::kSplitBefore)
      .value("SPLIT_AFTER", corpus::Apostrophes::kSplitAfter)
      .value("ALONE", corpus::Apostrophes::kAlone);

  nb::class_<corpus::Tokenizer>(m, "Tokenizer")
      .def(
          "__init__",
          [](corpus::Tokenizer* self, const Vector<uint8_t>& classes, std::vector<std::string> prefixes,
             std::vector<std::string> number_prefixes, corpus::Apostrophes apostrophes, bool split_dashes,
             bool escape) {
            corpus::TokenizerRules rules;
            rules.classes.assign(classes.data(), classes.data() + classes.size());
            rules.prefixes = std::move(prefixes);
            rules.number_prefixes = std::move(number_prefixes);
            rules.apostrophes = apostrophes;
            rules.split_dashes = split_dashes;
            rules.escape = escape;
            new (self) corpus::Tokenizer(std::move(rules));
          },
          "classes"_a, "prefixes"_a, "number_prefixes"_a, "apostrophes"_a, "split_dashes"_a, "escape"_a)
      .def(
          "tokenize",
          [](const corpus::Tokenizer& self, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets,
             int threads) {
            const Texts lines = texts(blob, offsets);
            return to_numpy(without_gil([&] { return self.tokenize(lines, threads); }));
          },
          "blob"_a, "offsets"_a, "threads"_a);
}

void add_lines(nb::module_& m) {
  nb::class_<corpus::LineCollector>(m, "LineCollector")
      .def(nb::init<>())
      .def("__len__", &corpus::LineCollector::size)
      .def(
          "feed", [](corpus::LineCollector& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def(
          "take", [](corpus::LineCollector& self, size_t most) { return to_numpy(self.take(most)); },
          "most"_a)
      .def("finish", [](corpus::LineCollector& self) { end(self); });

  m.def(
      "space_lines",
      [](const Vector<uint8_t>& blob, const Vector<int64_t>& offsets) {
        const Texts lines = texts(blob, offsets);
        corpus::SpacedLines spaced = without_gil([&] { return corpus::space_lines(lines); });
        return std::make_pair(to_numpy(std::move(spaced.lines)), to_numpy(std::move(spaced.controls)));
      },
      "blob"_a, "offsets"_a);

  m.def(
      "count_tokens",
      [](const Vector<uint8_t>& blob, const Vector<int64_t>& offsets) {
        const Texts lines = texts(blob, offsets);
        return to_numpy(without_gil([&] { return corpus::count_tokens(lines); }));
      },
      "blob"_a, "offsets"_a);

  m.def(
      "join_lines",
      [](const Vector<uint8_t>& blob, const Vector<int64_t>& offsets) {
        const Texts lines = texts(blob, offsets);
        const std::string joined = without_gil([&] { return corpus::join_lines(lines); });
        return nb::bytes(joined.data(), joined.size());
      },
      "blob"_a, "offsets"_a);
}

}  // namespace

void bind_corpus_text(nb::module_& m) {
  add_tokenizer(m);
  add_lines(m);
}

}  // namespace tunesmith::bind
