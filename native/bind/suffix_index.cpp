#include "tunesmith/suffix_index.h"

#include "corpus.h"
#include "pool_arrays.h"

namespace tunesmith::bind {

namespace {

using Numbered = std::pair<Vector<int32_t>, Vector<int64_t>>;
using Words = std::pair<Vector<uint8_t>, Vector<int64_t>>;

void build(const Numbered& source, const Numbered& target, const Words& source_words,
           const Words& target_words, const std::pair<Matrix<int32_t>, Vector<int64_t>>& links,
           const std::string& path, bool both_sides, int threads) {
  const AlignedBitext bitext{sentences(source.first, source.second), sentences(target.first, target.second),
                             alignments(links.first, links.second),
                             texts(source_words.first, source_words.second),
                             texts(target_words.first, target_words.second)};
  nb::gil_scoped_release release;
  build_suffix_index(bitext, path, both_sides, threads);
}

TextArray words_of(const VocabularyView& vocabulary) {
  TextColumn column;
  for (size_t i = 0; i < vocabulary.size(); ++i) column.add(vocabulary.words()[i]);
  return to_numpy(std::move(column));
}

/// The numbers of the words of texts, -1 for those that the source side does not have.
std::pair<NewVector<int32_t>, NewVector<int64_t>> encode(const SuffixIndex& self, const Vector<uint8_t>& blob,
                                                         const Vector<int64_t>& offsets) {
  const Texts lines = texts(blob, offsets);
  std::vector<int32_t> words;
  std::vector<int64_t> ends{0};
  for (size_t i = 0; i < lines.size(); ++i) {
    for_each_token(lines[i],
                   [&](std::string_view token) { words.push_back(self.source().vocabulary.find(token)); });
    ends.push_back(static_cast<int64_t>(words.size()));
  }
  return {to_numpy(std::move(words)), to_numpy(std::move(ends))};
}

}  // namespace

static const Join join([](nb::module_& m) {
  m.def("build_suffix_index", &build, "source"_a, "target"_a, "source_words"_a, "target_words"_a,
        "alignments"_a, "path"_a, "both_sides"_a, "threads"_a);
  nb::class_<SuffixIndex>(m, "SuffixIndex")
      .def(nb::init<const std::string&, bool>(), "path"_a, "verify"_a)
      .def("__len__", &SuffixIndex::size)
      .def_prop_ro("both_sides", &SuffixIndex::both_sides)
      .def("source_words", [](const SuffixIndex& self) { return words_of(self.source().vocabulary); })
      .def("target_words", [](const SuffixIndex& self) { return words_of(self.target().vocabulary); })
      .def("encode", &encode, "blob"_a, "offsets"_a);
});

}  // namespace tunesmith::bind
