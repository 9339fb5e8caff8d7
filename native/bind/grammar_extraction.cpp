#include "tunesmith/grammar_extraction.h"

#include "corpus.h"

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

RuleLimits limits_of(int max_span, int max_target_span, int max_symbols, int max_gaps, int min_hole,
                     bool adjacent_gaps, bool require_link, bool tight) {
  return {max_span, max_target_span, max_symbols, max_gaps, min_hole, adjacent_gaps, require_link, tight};
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
      .def_ro("counts", &GrammarArrays::counts, nb::rv_policy::automatic);
  nb::class_<GrammarExtractor>(m, "GrammarExtractor")
      .def(
          "__init__",
          [](GrammarExtractor* self, const SuffixIndex& index, int max_span, int max_target_span,
             int max_symbols, int max_gaps, int min_hole, bool adjacent_gaps, bool require_link, bool tight,
             size_t samples, bool target_counts, size_t target_samples, size_t cache_bytes, const Vector<int64_t>& excluded) {
            const GrammarOptions options{limits_of(max_span, max_target_span, max_symbols, max_gaps, min_hole,
                                                   adjacent_gaps, require_link, tight),
                                         samples, target_counts, target_samples, cache_bytes};
            new (self) GrammarExtractor(index, options, view(excluded));
          },
          "index"_a, nb::kw_only(), "max_span"_a, "max_target_span"_a, "max_symbols"_a, "max_gaps"_a,
          "min_hole"_a, "adjacent_gaps"_a, "require_link"_a, "tight"_a, "samples"_a, "target_counts"_a, "target_samples"_a, "cache_bytes"_a,
          "excluded"_a, nb::keep_alive<1, 2>())
      .def("extract", &extract, "words"_a, "offsets"_a, "excluded"_a, "threads"_a);
});

}  // namespace tunesmith::bind
