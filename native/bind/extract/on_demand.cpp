#include <nanobind/stl/shared_ptr.h>

#include "bind/bind.h"
#include "bind/candidates/arrays.h"
#include "bind/corpus/views.h"
#include "tunesmith/extract/on_demand/extraction.h"
#include "tunesmith/extract/on_demand/file.h"
#include "tunesmith/extract/on_demand/format.h"
#include "tunesmith/extract/on_demand/pattern_index.h"
#include "tunesmith/extract/on_demand/sampled_grammar.h"
#include "tunesmith/extract/on_demand/suffix_index.h"
#include "tunesmith/grammar/rule_text.h"

namespace tunesmith::bind {

namespace {

using Numbered = std::pair<Vector<int32_t>, Vector<int64_t>>;
using Words = std::pair<Vector<uint8_t>, Vector<int64_t>>;

void build(const Numbered& source, const Numbered& target, const Words& source_words,
           const Words& target_words, const std::pair<Matrix<int32_t>, Vector<int64_t>>& links,
           const std::string& path, bool both_sides, int threads) {
  const corpus::AlignedBitext bitext{
      sentences(source.first, source.second), sentences(target.first, target.second),
      alignments(links.first, links.second), texts(source_words.first, source_words.second),
      texts(target_words.first, target_words.second)};
  without_gil([&] { extract::on_demand::build_suffix_index(bitext, path, both_sides, threads); });
}

TextArray words_of(const corpus::VocabularyView& vocabulary) {
  TextColumn column;
  for (size_t i = 0; i < vocabulary.size(); ++i) column.add(vocabulary.words()[i]);
  return to_numpy(std::move(column));
}

/// The numbers of the words of texts in the source vocabulary; -1 for unknown words.
std::pair<NewVector<int32_t>, NewVector<int64_t>> encode(const extract::on_demand::SuffixIndex& self,
                                                         const Vector<uint8_t>& blob,
                                                         const Vector<int64_t>& offsets) {
  const Texts lines = texts(blob, offsets);
  std::vector<int32_t> words;
  std::vector<int64_t> ends{0};
  for (size_t i = 0; i < lines.size(); ++i) {
    corpus::for_each_token(
        lines[i], [&](std::string_view token) { words.push_back(self.source().vocabulary.find(token)); });
    ends.push_back(static_cast<int64_t>(words.size()));
  }
  return {to_numpy(std::move(words)), to_numpy(std::move(ends))};
}

void add_suffix_index(nb::module_& m) {
  m.def("build_suffix_index", &build, "source"_a, "target"_a, "source_words"_a, "target_words"_a,
        "alignments"_a, "path"_a, "both_sides"_a, "threads"_a);
  nb::class_<extract::on_demand::SuffixIndex>(m, "SuffixIndex")
      .def(nb::init<const std::string&, bool>(), "path"_a, "verify"_a)
      .def("__len__", &extract::on_demand::SuffixIndex::size)
      .def_prop_ro("both_sides", &extract::on_demand::SuffixIndex::both_sides)
      .def("source_words",
           [](const extract::on_demand::SuffixIndex& self) { return words_of(self.source().vocabulary); })
      .def("target_words",
           [](const extract::on_demand::SuffixIndex& self) { return words_of(self.target().vocabulary); })
      .def("encode", &encode, "blob"_a, "offsets"_a);
}

/// Rows of a sentence number and the positions in the sentence of the chunks of a pattern.
NewMatrix<int64_t> find_pattern(const extract::on_demand::SuffixIndex& index, const Vector<int32_t>& words,
                                const Vector<int32_t>& lengths, const extract::rules::RuleLimits& limits,
                                size_t samples) {
  extract::on_demand::Pattern pattern;
  pattern.words.assign(words.data(), words.data() + words.size());
  pattern.chunks = static_cast<int>(lengths.size());
  if (lengths.size() < 1 || lengths.size() > static_cast<size_t>(extract::on_demand::kMaxChunks))
    throw InputError("found " + std::to_string(lengths.size()) + " chunks of a pattern; expected 1 to 3");
  size_t total = 0;
  for (size_t c = 0; c < lengths.size(); ++c) {
    const int32_t length = lengths.data()[c];
    if (length < 1 || length > extract::rules::kSpanBits)
      throw InputError("found a chunk of " + std::to_string(length) +
                       " words in a pattern; expected 1 to 31");
    pattern.lengths[c] = static_cast<uint8_t>(length);
    total += static_cast<size_t>(length);
  }
  if (total != words.size())
    throw InputError("the chunks of a pattern have " + std::to_string(total) + " words; expected " +
                     std::to_string(words.size()));
  std::vector<int64_t> rows;
  without_gil([&] {
    extract::on_demand::PatternIndex finder(index.source(), limits, samples);
    std::vector<std::vector<extract::on_demand::Occurrence>> found;
    finder.find({&pattern, 1}, extract::on_demand::ExcludedText(), found);
    for (const extract::on_demand::Occurrence& occurrence : found[0]) {
      const size_t sentence = index.source().sentence_of(occurrence.chunks[0]);
      rows.push_back(static_cast<int64_t>(sentence));
      for (size_t c = 0; c < lengths.size(); ++c)
        rows.push_back(static_cast<int64_t>(occurrence.chunks[c]) - index.source().starts[sentence]);
    }
  });
  return to_numpy(std::move(rows), lengths.size() + 1);
}

void add_pattern_index(nb::module_& m) {
  m.def("find_pattern", &find_pattern, "index"_a, "words"_a, "lengths"_a, "limits"_a, "samples"_a);
}

static_assert(sizeof(extract::on_demand::SampledCounts) % sizeof(float) == 0);
constexpr size_t kCounts = sizeof(extract::on_demand::SampledCounts) / sizeof(float);

NewMatrix<float> counts_matrix(const std::vector<extract::on_demand::SampledCounts>& counts) {
  std::vector<float> values(counts.size() * kCounts);
  if (!counts.empty())
    std::memcpy(values.data(), counts.data(), counts.size() * sizeof(extract::on_demand::SampledCounts));
  return to_numpy(std::move(values), kCounts);
}

struct GrammarArrays {
  NewVector<int32_t> source;
  NewVector<int64_t> source_offsets, rules;
  NewVector<int32_t> target;
  NewVector<int64_t> target_offsets;
  std::pair<NewMatrix<int32_t>, NewVector<int64_t>> alignment;
  NewMatrix<float> counts;

  explicit GrammarArrays(extract::on_demand::Grammar&& grammar)
      : source(to_numpy(std::move(grammar.source))),
        source_offsets(to_numpy(std::move(grammar.source_offsets))),
        rules(to_numpy(std::move(grammar.rules))),
        target(to_numpy(std::move(grammar.target))),
        target_offsets(to_numpy(std::move(grammar.target_offsets))),
        alignment(to_numpy(std::move(grammar.links), std::move(grammar.link_offsets))),
        counts(counts_matrix(grammar.counts)) {}
};

template <class Array>
auto span_of(const Array& array) {
  using T = std::remove_pointer_t<decltype(array.data())>;
  return std::span<const T>(array.data(), array.size());
}

extract::on_demand::GrammarView view_of(const GrammarArrays& arrays) {
  const auto& [links, link_offsets] = arrays.alignment;
  return {span_of(arrays.source),
          span_of(arrays.source_offsets),
          span_of(arrays.rules),
          span_of(arrays.target),
          span_of(arrays.target_offsets),
          {reinterpret_cast<const corpus::Link*>(links.data()), links.shape(0)},
          span_of(link_offsets),
          {reinterpret_cast<const extract::on_demand::SampledCounts*>(arrays.counts.data()),
           arrays.counts.shape(0)}};
}

/// One row of features per rule.
NewMatrix<double> features(const GrammarArrays& arrays, bool coherent) {
  const extract::on_demand::GrammarView grammar = view_of(arrays);
  std::vector<double> values;
  values.reserve(grammar.counts.size() * extract::rules::RuleLines::kFeatures);
  for (const extract::on_demand::SampledCounts& counts : grammar.counts) {
    const auto row = extract::rules::rule_features(extract::on_demand::scored(counts, coherent));
    values.insert(values.end(), row.begin(), row.end());
  }
  return to_numpy(std::move(values), extract::rules::RuleLines::kFeatures);
}

nb::bytes lines(const extract::on_demand::GrammarLines& self, const GrammarArrays& arrays) {
  const std::string text = without_gil([&] { return self.lines(view_of(arrays)); });
  return nb::bytes(text.data(), text.size());
}

std::shared_ptr<grammar::MemoryGrammar> trie(const GrammarArrays& arrays,
                                             const extract::on_demand::SuffixIndex& index,
                                             const Matrix<double>& values,
                                             const std::vector<std::string>& names) {
  const MatrixView rows = view(values);
  return without_gil([&] {
    return extract::on_demand::sampled_grammar(index.source().vocabulary, index.target().vocabulary,
                                               view_of(arrays), rows, names);
  });
}

/// A sentence with its words escaped as in rule tables.
std::string escape_rule_words(const std::string& sentence) {
  TextColumn tokens;
  corpus::for_each_token(sentence, [&](std::string_view token) { tokens.add(token); });
  std::string text;
  for (const std::string& word : grammar::rule_words(tokens.view()))
    text.append(text.empty() ? "" : " ").append(word);
  return text;
}

/// Inverse of `escape_rule_words`.
std::string unescape_rule_words(const std::string& sentence) {
  std::string text;
  corpus::for_each_token(sentence, [&](std::string_view token) {
    text.append(text.empty() ? "" : " ").append(grammar::unescaped_rule_word(token));
  });
  return text;
}

std::vector<GrammarArrays> extract(extract::on_demand::GrammarExtractor& self, const Vector<int32_t>& words,
                                   const Vector<int64_t>& offsets,
                                   const std::vector<std::vector<int64_t>>& excluded, int threads) {
  const corpus::Sentences input = sentences(words, offsets);
  std::vector<extract::on_demand::Grammar> grammars =
      without_gil([&] { return extract::on_demand::extract_grammars(self, input, excluded, threads); });
  std::vector<GrammarArrays> arrays;
  for (extract::on_demand::Grammar& grammar : grammars) arrays.emplace_back(std::move(grammar));
  return arrays;
}

void add_grammar_extraction(nb::module_& m) {
  nb::class_<GrammarArrays>(m, "GrammarArrays")
      .def_ro("source", &GrammarArrays::source, nb::rv_policy::automatic)
      .def_ro("source_offsets", &GrammarArrays::source_offsets, nb::rv_policy::automatic)
      .def_ro("rules", &GrammarArrays::rules, nb::rv_policy::automatic)
      .def_ro("target", &GrammarArrays::target, nb::rv_policy::automatic)
      .def_ro("target_offsets", &GrammarArrays::target_offsets, nb::rv_policy::automatic)
      .def_ro("alignment", &GrammarArrays::alignment, nb::rv_policy::automatic)
      .def_ro("counts", &GrammarArrays::counts, nb::rv_policy::automatic)
      .def("features", &features, "coherent"_a)
      .def("trie", &trie, "index"_a, "values"_a, "names"_a);
  m.def("escape_rule_words", &escape_rule_words, "sentence"_a);
  m.def("unescape_rule_words", &unescape_rule_words, "sentence"_a);
  nb::class_<extract::on_demand::GrammarLines>(m, "GrammarLines")
      .def(
          "__init__",
          [](extract::on_demand::GrammarLines* self, const extract::on_demand::GrammarExtractor& extractor,
             bool moses, std::vector<std::string> names, bool coherent) {
            new (self) extract::on_demand::GrammarLines(
                extractor.index(), extractor.lexicon(),
                moses ? extract::rules::RuleFormat::kMoses : extract::rules::RuleFormat::kCdec,
                std::move(names), coherent);
          },
          "extractor"_a, "moses"_a, "names"_a, "coherent"_a, nb::keep_alive<1, 2>())
      .def("lines", &lines, "grammar"_a);
  nb::class_<extract::on_demand::GrammarExtractor>(m, "GrammarExtractor")
      .def(
          "__init__",
          [](extract::on_demand::GrammarExtractor* self, const extract::on_demand::SuffixIndex& index,
             const extract::rules::RuleLimits& limits, size_t samples, bool target_counts,
             size_t target_samples, size_t breadth, size_t cache_bytes, const Vector<int64_t>& excluded) {
            const extract::on_demand::GrammarOptions options{limits,         samples, target_counts,
                                                             target_samples, breadth, cache_bytes};
            new (self) extract::on_demand::GrammarExtractor(index, options, view(excluded));
          },
          "index"_a, "limits"_a, nb::kw_only(), "samples"_a, "target_counts"_a, "target_samples"_a,
          "breadth"_a, "cache_bytes"_a, "excluded"_a, nb::keep_alive<1, 2>())
      .def("extract", &extract, "words"_a, "offsets"_a, "excluded"_a, "threads"_a);
}

void add_grammar_file(nb::module_& m) {
  using extract::on_demand::GrammarFile;
  using extract::on_demand::GrammarFileWriter;
  nb::class_<GrammarFileWriter>(m, "GrammarFileWriter")
      .def(nb::init<const std::string&, const extract::on_demand::SuffixIndex&>(), "path"_a, "index"_a)
      .def(
          "add",
          [](GrammarFileWriter& self, const GrammarArrays& grammar) {
            without_gil([&] { self.add(view_of(grammar)); });
          },
          "grammar"_a)
      .def("finish", &GrammarFileWriter::finish, "meta"_a)
      .def("__len__", &GrammarFileWriter::size);
  nb::class_<GrammarFile>(m, "GrammarFile")
      .def(nb::init<const std::string&>(), "path"_a)
      .def("__len__", &GrammarFile::size)
      .def_prop_ro("meta", [](const GrammarFile& self) { return std::string(self.meta()); })
      .def(
          "trie",
          [](const GrammarFile& self, size_t sentence, const std::vector<std::string>& names, bool coherent) {
            return without_gil([&] { return self.trie(sentence, names, coherent); });
          },
          "sentence"_a, "names"_a, "coherent"_a);
}

}  // namespace

void bind_extract_on_demand(nb::module_& m) {
  add_suffix_index(m);
  add_pattern_index(m);
  add_grammar_extraction(m);
  add_grammar_file(m);
}

}  // namespace tunesmith::bind
