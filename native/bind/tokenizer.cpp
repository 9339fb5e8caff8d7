#include "tunesmith/tokenizer.h"

#include "pool_arrays.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.attr("CLASS_PADDED") = static_cast<int>(kPadded);
  m.attr("CLASS_ALNUM") = static_cast<int>(kAlnum);
  m.attr("CLASS_ALPHA") = static_cast<int>(kAlpha);
  m.attr("CLASS_NUMBER") = static_cast<int>(kNumber);
  m.attr("CLASS_LOWER") = static_cast<int>(kLower);

  nb::enum_<Apostrophes>(m, "Apostrophes")
      .value("SPLIT_BEFORE", Apostrophes::kSplitBefore)
      .value("SPLIT_AFTER", Apostrophes::kSplitAfter)
      .value("ALONE", Apostrophes::kAlone);

  nb::class_<Tokenizer>(m, "Tokenizer")
      .def(
          "__init__",
          [](Tokenizer* self, const Vector<uint8_t>& classes, std::vector<std::string> prefixes,
             std::vector<std::string> number_prefixes, Apostrophes apostrophes, bool split_dashes,
             bool escape) {
            TokenizerRules rules;
            rules.classes.assign(classes.data(), classes.data() + classes.size());
            rules.prefixes = std::move(prefixes);
            rules.number_prefixes = std::move(number_prefixes);
            rules.apostrophes = apostrophes;
            rules.split_dashes = split_dashes;
            rules.escape = escape;
            new (self) Tokenizer(std::move(rules));
          },
          "classes"_a, "prefixes"_a, "number_prefixes"_a, "apostrophes"_a, "split_dashes"_a, "escape"_a)
      .def(
          "tokenize",
          [](const Tokenizer& self, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets,
             int threads) {
            const Texts lines = texts(blob, offsets);
            TextColumn tokenized;
            {
              nb::gil_scoped_release release;
              tokenized = self.tokenize(lines, threads);
            }
            return to_numpy(std::move(tokenized));
          },
          "blob"_a, "offsets"_a, "threads"_a);
});

}  // namespace tunesmith::bind
