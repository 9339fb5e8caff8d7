#include "tunesmith/pattern_index.h"

#include "bind.h"

namespace tunesmith::bind {

namespace {

/// Rows of a sentence's number and the positions, in it, of the chunks of a pattern.
NewMatrix<int64_t> find_pattern(const SuffixIndex& index, const Vector<int32_t>& words,
                                const Vector<int32_t>& lengths, const RuleLimits& limits, size_t samples) {
  Pattern pattern;
  pattern.words.assign(words.data(), words.data() + words.size());
  pattern.chunks = static_cast<int>(lengths.size());
  if (lengths.size() < 1 || lengths.size() > static_cast<size_t>(kMaxChunks))
    throw InputError("a pattern has 1 to 3 pieces, not " + std::to_string(lengths.size()));
  size_t total = 0;
  for (size_t c = 0; c < lengths.size(); ++c) {
    const int32_t length = lengths.data()[c];
    if (length < 1 || length > kSpanBits) throw InputError("a piece of a pattern has 1 to 31 words");
    pattern.lengths[c] = static_cast<uint8_t>(length);
    total += static_cast<size_t>(length);
  }
  if (total != words.size()) throw InputError("the pieces of a pattern do not have all of its words");
  std::vector<int64_t> rows;
  {
    nb::gil_scoped_release release;
    PatternIndex finder(index.source(), limits, samples);
    std::vector<std::vector<Occurrence>> found;
    finder.find({&pattern, 1}, ExcludedText(), found);
    for (const Occurrence& occurrence : found[0]) {
      const size_t sentence = index.source().sentence_of(occurrence.chunks[0]);
      rows.push_back(static_cast<int64_t>(sentence));
      for (size_t c = 0; c < lengths.size(); ++c)
        rows.push_back(static_cast<int64_t>(occurrence.chunks[c]) - index.source().starts[sentence]);
    }
  }
  return to_numpy(std::move(rows), lengths.size() + 1);
}

}  // namespace

static const Join join([](nb::module_& m) {
  m.def("find_pattern", &find_pattern, "index"_a, "words"_a, "lengths"_a, "limits"_a, "samples"_a);
});

}  // namespace tunesmith::bind
