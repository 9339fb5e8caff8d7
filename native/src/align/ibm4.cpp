#include "tunesmith/align/ibm4.h"

#include "tunesmith/align/pair_passes.h"
#include "tunesmith/align/paths.h"

namespace tunesmith::align {

namespace {

/// 1 in fixed point; sums of 2^32 words fit.
constexpr double kOne = double{1 << 30};

struct Ibm4BothCounts {
  explicit Ibm4BothCounts(const Ibm4Model& model)
      : forward(model.sides.forward.layout), reverse(model.sides.reverse.layout) {}
  Ibm4Counts forward, reverse;
};

/// Both directions' searches over a sentence pair, started with the HMM's Viterbi alignments.
class PairSearches {
 public:
  PairSearches(const LexicalTable& table, const Ibm4Model& model)
      : forward(model.sides.forward.layout, model.sides.forward.tables, model.sides.forward.classes,
                model.null),
        reverse(model.sides.reverse.layout, model.sides.reverse.tables, model.sides.reverse.classes,
                model.null),
        passes_(table, model.hmm) {}

  void start(std::span<const int32_t> source, std::span<const int32_t> target,
             std::span<const uint32_t> cells) {
    passes_.look_up(source, target, cells);
    begin(forward, passes_.forward, source, target);
    begin(reverse, passes_.reverse, target, source);
  }

  void climb(std::span<const int32_t> source, std::span<const int32_t> target,
             std::span<const uint32_t> cells) {
    start(source, target, cells);
    forward.climb();
    reverse.climb();
  }

  template <bool kShared>
  void count(Ibm4BothCounts& counts) {
    forward.count<kShared>(counts.forward, kOne);
    reverse.count<kShared>(counts.reverse, kOne);
  }

  Ibm4Search forward, reverse;

 private:
  static void begin(Ibm4Search& search, HmmPass& pass, std::span<const int32_t> making,
                    std::span<const int32_t> made) {
    search.reset(making, made, pass.emissions, pass.none, pass.best_path());
  }

  PairPasses passes_;
};

void estimate_both(Ibm4Model& model, const Ibm4BothCounts& counts, double unit) {
  model.sides.forward.tables = estimate_ibm4(model.sides.forward.layout, counts.forward, unit);
  model.sides.reverse.tables = estimate_ibm4(model.sides.reverse.layout, counts.reverse, unit);
}

/// Calls body.operator()<kShared>(): whether several threads add to the same counts.
template <class Body>
void with_threads(int threads, Body body) {
  if (threads > 1)
    body.template operator()<true>();
  else
    body.template operator()<false>();
}

template <bool kShared>
struct StartIbm4 {
  const PairCells& cells;
  Ibm4BothCounts& counts;
  PairSearches pair;

  void operator()(size_t number, std::span<const uint32_t> found) {
    const auto source = cells.source()[number], target = cells.target()[number];
    if (!fits_hmm(source, target)) return;
    pair.start(source, target, found);
    pair.template count<kShared>(counts);
  }
  void finish() {}
};

template <bool kShared>
struct ExpectIbm4 {
  const PairCells& cells;
  bool agree;
  LexicalCounts& lexical;
  Ibm4BothCounts& counts;
  std::vector<BothWays<double>>& likelihoods;
  PairSearches pair;

  void operator()(size_t number, std::span<const uint32_t> found) {
    const auto source = cells.source()[number], target = cells.target()[number];
    if (!fits_hmm(source, target)) return;
    pair.climb(source, target, found);
    likelihoods[number] = {pair.forward.posteriors(), pair.reverse.posteriors()};
    pair.template count<kShared>(counts);
    const size_t n = source.size(), m = target.size();
    for (size_t j = 0; j < m; ++j)
      lexical.add_word<kShared>(lexical.null_forward, target[j], pair.forward.none_posteriors[j]);
    for (size_t i = 0; i < n; ++i) {
      lexical.add_word<kShared>(lexical.null_reverse, source[i], pair.reverse.none_posteriors[i]);
      for (size_t j = 0; j < m; ++j) {
        BothWays<float> posterior{pair.forward.position_posteriors[j * n + i],
                                  pair.reverse.position_posteriors[i * m + j]};
        if (agree) posterior.forward = posterior.reverse = posterior.forward * posterior.reverse;
        if (posterior.forward == 0 && posterior.reverse == 0) continue;
        BothWays<int64_t>& count = lexical.pairs[found[i * m + j]];
        LexicalCounts::add<kShared>(count.forward, lexical.fixed(posterior.forward));
        LexicalCounts::add<kShared>(count.reverse, lexical.fixed(posterior.reverse));
      }
    }
  }
  void finish() {}
};

struct DecodeIbm4 {
  const PairCells& cells;
  BothWays<PairLinks>& links;
  PairSearches pair;

  void operator()(size_t number, std::span<const uint32_t> found) {
    const auto source = cells.source()[number], target = cells.target()[number];
    if (!fits_hmm(source, target)) return;
    pair.climb(source, target, found);
    auto found_links = links_of_paths(pair.forward.alignment(), pair.reverse.alignment());
    links.forward[number] = std::move(found_links.forward);
    links.reverse[number] = std::move(found_links.reverse);
  }
  void finish() {}
};

struct FillIbm4 {
  const PairCells& cells;
  const LexicalTable& table;
  const Ibm4Model& model;
  bool reverse;
  PosteriorMatrices& all;
  PairSearches pair;

  void operator()(size_t number, std::span<const uint32_t> found) {
    const auto source = cells.source()[number], target = cells.target()[number];
    float* out = all.matrix(number);
    if (!fits_hmm(source, target)) {
      fill_posteriors(table, source, target, found, model.hmm.for_long_pairs(), reverse, out);
      return;
    }
    pair.start(source, target, found);
    Ibm4Search& one = reverse ? pair.reverse : pair.forward;
    one.climb();
    one.posteriors();
    write_posteriors(one.position_posteriors, source.size(), target.size(), reverse, out);
  }
  void finish() {}
};

}  // namespace

void start_ibm4(PairCells& cells, const LexicalTable& table, Ibm4Model& model, int threads) {
  Ibm4BothCounts counts(model);
  with_threads(threads, [&]<bool kShared>() {
    cells.visit(threads, [&] { return StartIbm4<kShared>{cells, counts, PairSearches(table, model)}; });
  });
  estimate_both(model, counts, 1 / kOne);
}

BothWays<double> expect_ibm4(PairCells& cells, const LexicalTable& table, Ibm4Model& model, bool agree,
                             LexicalCounts& lexical, int threads) {
  Ibm4BothCounts counts(model);
  std::vector<BothWays<double>> likelihoods(cells.source().size());
  with_threads(threads, [&]<bool kShared>() {
    cells.visit(threads, [&] {
      return ExpectIbm4<kShared>{cells, agree, lexical, counts, likelihoods, PairSearches(table, model)};
    });
  });
  estimate_both(model, counts, 1 / kOne);
  return sum_of(likelihoods);
}

BothWays<PairLinks> decode_ibm4(PairCells& cells, const LexicalTable& table, const Ibm4Model& model,
                                int threads) {
  const size_t pairs = cells.source().size();
  BothWays<PairLinks> links{PairLinks(pairs), PairLinks(pairs)};
  cells.visit(threads, [&] { return DecodeIbm4{cells, links, PairSearches(table, model)}; });
  decode_long_pairs(cells, table, model.hmm, links);
  return links;
}

std::vector<float> ibm4_posteriors(PairCells& cells, const LexicalTable& table, const Ibm4Model& model,
                                   bool reverse, int threads) {
  PosteriorMatrices all(cells.source(), cells.target());
  cells.visit(threads,
              [&] { return FillIbm4{cells, table, model, reverse, all, PairSearches(table, model)}; });
  return std::move(all.values);
}

}  // namespace tunesmith::align
