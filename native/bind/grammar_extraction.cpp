#include "tunesmith/grammar_extraction.h"

#include <nanobind/stl/shared_ptr.h>

#include "corpus.h"
#include "tunesmith/grammar_format.h"
#include "tunesmith/sampled_grammar.h"

namespace tunesmith::bind {

namespace {

static_assert(sizeof(SampledCounts) % sizeof(float) == 0);
constexpr size_t kCounts = sizeof(SampledCounts) / sizeof(float);

NewMatrix<float> counts_matrix(const std::vector<SampledCounts>& counts) {
  std::vector<float> values(counts.size() * kCounts);
  if (!counts.empty()) std::memcpy(values.data(), counts.data(), counts.size() * sizeof(SampledCounts));
  return to_numpy(std::move(values), kCounts);
}

struct GrammarArrays {
  NewVector<int32_t> source;
  NewVector<int64_t> source_offsets, rules;
  NewVector<int32_t> target;
  NewVector<int64_t> target_offsets;
  std::pair<NewMatrix<int32_t>, NewVector<int64_t>> alignment;
  NewMatrix<float> counts;

  explicit GrammarArrays(Grammar&& grammar)
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

GrammarView view_of(const GrammarArrays& arrays) {
  const auto& [links, link_offsets] = arrays.alignment;
  return {span_of(arrays.source),
          span_of(arrays.source_offsets),
          span_of(arrays.rules),
          span_of(arrays.target),
          span_of(arrays.target_offsets),
          {reinterpret_cast<const Link*>(links.data()), links.shape(0)},
          span_of(link_offsets),
          {reinterpret_cast<const SampledCounts*>(arrays.counts.data()), arrays.counts.shape(0)}};
}

/// A row of features a rule.
NewMatrix<double> features(const GrammarArrays& arrays, bool coherent) {
  const GrammarView grammar = view_of(arrays);
  std::vector<double> values;
  values.reserve(grammar.counts.size() * RuleLines::kFeatures);
  for (const SampledCounts& counts : grammar.counts) {
    const auto row = rule_features(scored(counts, coherent));
    values.insert(values.end(), row.begin(), row.end());
  }
  return to_numpy(std::move(values), RuleLines::kFeatures);
}

nb::bytes lines(const GrammarLines& self, const GrammarArrays& arrays) {
  std::string text;
  {
    nb::gil_scoped_release release;
    text = self.lines(view_of(arrays));
  }
  return nb::bytes(text.data(), text.size());
}

std::shared_ptr<MemoryGrammar> trie(const GrammarArrays& arrays, const SuffixIndex& index,
                                    const Matrix<double>& values, const std::vector<std::string>& names) {
  const MatrixView rows = view(values);
  return without_gil([&] { return sampled_grammar(index, view_of(arrays), rows, names); });
}

/// A sentence with its words as grammars have them.
std::string escape_rule_words(const std::string& sentence) {
  TextColumn tokens;
  for_each_token(sentence, [&](std::string_view token) { tokens.add(token); });
  std::string text;
  for (const std::string& word : rule_words(tokens.view())) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

/// A sentence with its words as they were before `escape_rule_words`.
std::string unescape_rule_words(const std::string& sentence) {
  std::string text;
  for_each_token(sentence, [&](std::string_view token) {
    text.append(text.empty() ? "" : " ").append(unescaped_rule_word(token));
  });
  return text;
}

std::vector<GrammarArrays> extract(GrammarExtractor& self, const Vector<int32_t>& words,
                                   const Vector<int64_t>& offsets,
                                   const std::vector<std::vector<int64_t>>& excluded, int threads) {
  const Sentences input = sentences(words, offsets);
  std::vector<Grammar> grammars;
  {
    nb::gil_scoped_release release;
    grammars = extract_grammars(self, input, excluded, threads);
  }
  std::vector<GrammarArrays> arrays;
  for (Grammar& grammar : grammars) arrays.emplace_back(std::move(grammar));
  return arrays;
}

}  // namespace

static const Join join([](nb::module_& m) {
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
  nb::class_<GrammarLines>(m, "GrammarLines")
      .def(
          "__init__",
          [](GrammarLines* self, const SuffixIndex& index, bool moses, std::vector<std::string> names,
             bool coherent) {
            new (self) GrammarLines(index, moses ? RuleFormat::kMoses : RuleFormat::kCdec, std::move(names),
                                    coherent);
          },
          "index"_a, "moses"_a, "names"_a, "coherent"_a, nb::keep_alive<1, 2>())
      .def("lines", &lines, "grammar"_a);
  nb::class_<GrammarExtractor>(m, "GrammarExtractor")
      .def(
          "__init__",
          [](GrammarExtractor* self, const SuffixIndex& index, const RuleLimits& limits, size_t samples,
             bool target_counts, size_t target_samples, size_t cache_bytes, const Vector<int64_t>& excluded) {
            const GrammarOptions options{limits, samples, target_counts, target_samples, cache_bytes};
            new (self) GrammarExtractor(index, options, view(excluded));
          },
          "index"_a, "limits"_a, nb::kw_only(), "samples"_a, "target_counts"_a, "target_samples"_a,
          "cache_bytes"_a, "excluded"_a, nb::keep_alive<1, 2>())
      .def("extract", &extract, "words"_a, "offsets"_a, "excluded"_a, "threads"_a);
});

}  // namespace tunesmith::bind
