#include "tunesmith/align/mixture.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/base/errors.h"

namespace tunesmith::align {

namespace {

/// The posteriors of one sentence pair in both directions. `joint[i * m + j]` is t(i, j) times the prior's
/// weight; times target[j].scale (forward) or source[i].scale (reverse) it is the posterior of the link.
class PairPosteriors {
 public:
  struct Word {
    float weights = 0;  // Z, the sum of the prior's weights
    float joint = 0;    // the sum of weights times translation probabilities
    float scale = 0;
    float null = 0;  // posterior of being unaligned
  };

  PairPosteriors(const LexicalTable& table, const MixturePrior& prior, const MixtureFactors& factors)
      : table_(table), prior_(prior), factors_(factors) {}

  void compute(std::span<const int32_t> source, std::span<const int32_t> target,
               std::span<const uint32_t> cells) {
    const size_t n = source.size(), m = target.size();
    joint.resize(n * m);
    source_words.assign(n, {});
    target_words.assign(m, {});
    const auto forward_i = factors_.forward.side(n, scratch_[0]);
    const auto forward_j = factors_.forward.side(m, scratch_[1]);
    const auto reverse_i = factors_.reverse.side(n, scratch_[2]);
    const auto reverse_j = factors_.reverse.side(m, scratch_[3]);
    for (size_t i = 0; i < n; ++i) {
      const float up = forward_i.up[i], down = forward_i.down[i];
      const float reverse_up = reverse_i.up[i], reverse_down = reverse_i.down[i];
      Word& here = source_words[i];
      for (size_t j = 0; j < m; ++j) {
        prefetch_ahead(table_.probabilities, cells, i * m + j);
        const BothWays<float> p = table_.probabilities[cells[i * m + j]];
        const float weight = std::min(up * forward_j.down[j], down * forward_j.up[j]);
        const float reverse_weight = std::min(reverse_up * reverse_j.down[j], reverse_down * reverse_j.up[j]);
        const BothWays<float> product{p.forward * weight, p.reverse * reverse_weight};
        joint[i * m + j] = product;
        target_words[j].weights += weight;
        target_words[j].joint += product.forward;
        here.weights += reverse_weight;
        here.joint += product.reverse;
      }
    }
    likelihood.forward = finish(target_words, prior_.null_share(n), target, table_.null_forward);
    likelihood.reverse = finish(source_words, prior_.null_share(m), source, table_.null_reverse);
  }

  BothWays<float> posterior(size_t i, size_t j) const {
    const BothWays<float> product = joint[i * target_words.size() + j];
    return {product.forward * target_words[j].scale, product.reverse * source_words[i].scale};
  }

  void write(bool reverse, float* out) const {
    for (size_t i = 0; i < source_words.size(); ++i)
      for (size_t j = 0; j < target_words.size(); ++j)
        *out++ = reverse ? posterior(i, j).reverse : posterior(i, j).forward;
  }

  std::vector<BothWays<float>> joint;
  std::vector<Word> source_words, target_words;
  BothWays<double> likelihood;

 private:
  /// p(word) = null * p(word | null) + (1 - null) * joint / Z. Returns the sum of log p.
  static double finish(std::vector<Word>& words, double null, std::span<const int32_t> sentence,
                       std::span<const float> null_probability) {
    double sum = 0;
    for (size_t k = 0; k < words.size(); ++k) {
      const size_t slot = sentence[k] < 0 ? null_probability.size() - 1 : static_cast<size_t>(sentence[k]);
      const double without = null * static_cast<double>(null_probability[slot]);
      const double scale = (1 - null) / static_cast<double>(words[k].weights);
      const double total = without + scale * static_cast<double>(words[k].joint);
      words[k].scale = static_cast<float>(scale / total);
      words[k].null = static_cast<float>(without / total);
      sum += std::log(total);
    }
    return sum;
  }

  const LexicalTable& table_;
  const MixturePrior& prior_;
  const MixtureFactors& factors_;
  std::vector<float> scratch_[4];
};

/// Contribution of one pair to the summary, stored per pair so that sums are in text order.
struct PairSummary {
  BothWays<double> likelihood, feature, null;
};

template <bool kShared>
class ExpectMixture {
 public:
  ExpectMixture(const PairCells& cells, const LexicalTable& table, const MixturePrior& prior,
                const MixtureFactors& factors, bool agree, LexicalCounts& counts,
                std::vector<PairSummary>& summaries)
      : cells_(cells),
        shift_(prior.gradient == TensionGradient::kFastAlign ? 1 : 0),
        agree_(agree),
        counts_(counts),
        summaries_(summaries),
        pair_(table, prior, factors) {}

  void operator()(size_t number, std::span<const uint32_t> cells) {
    const auto source = cells_.source()[number], target = cells_.target()[number];
    const size_t n = source.size(), m = target.size();
    pair_.compute(source, target, cells);
    PairSummary& summary = summaries_[number];
    summary.likelihood = pair_.likelihood;
    place(m, 0, at_);
    place(m, shift_, observed_);
    for (size_t j = 0; j < m; ++j) {
      summary.null.forward += static_cast<double>(pair_.target_words[j].null);
      counts_.add_word<kShared>(counts_.null_forward, target[j], pair_.target_words[j].null);
    }
    for (size_t i = 0; i < n; ++i) {
      summary.null.reverse += static_cast<double>(pair_.source_words[i].null);
      counts_.add_word<kShared>(counts_.null_reverse, source[i], pair_.source_words[i].null);
      const float here = static_cast<float>(i + 1) / static_cast<float>(n);
      const float observed = (static_cast<float>(i + 1) - shift_) / static_cast<float>(n);
      BothWays<float> feature;
      for (size_t j = 0; j < m; ++j) {
        prefetch_ahead(counts_.pairs, cells, i * m + j);
        BothWays<float> posterior = pair_.posterior(i, j);
        feature.forward -= posterior.forward * std::abs(here - observed_[j]);
        feature.reverse -= posterior.reverse * std::abs(observed - at_[j]);
        if (agree_) posterior.forward = posterior.reverse = posterior.forward * posterior.reverse;
        BothWays<int64_t>& count = counts_.pairs[cells[i * m + j]];
        LexicalCounts::add<kShared>(count.forward, counts_.fixed(posterior.forward));
        LexicalCounts::add<kShared>(count.reverse, counts_.fixed(posterior.reverse));
      }
      summary.feature.forward += static_cast<double>(feature.forward);
      summary.feature.reverse += static_cast<double>(feature.reverse);
    }
  }
  void finish() {}

 private:
  static void place(size_t m, float shift, std::vector<float>& at) {
    at.resize(m);
    for (size_t j = 0; j < m; ++j) at[j] = (static_cast<float>(j + 1) - shift) / static_cast<float>(m);
  }

  const PairCells& cells_;
  float shift_;
  bool agree_;
  LexicalCounts& counts_;
  std::vector<PairSummary>& summaries_;
  PairPosteriors pair_;
  std::vector<float> at_, observed_;  // j/m, and j/m as measured by the gradient
};

}  // namespace

MixtureSummary expect_mixture(PairCells& cells, const LexicalTable& table, const MixturePrior& prior,
                              bool agree, LexicalCounts& counts, int threads) {
  const MixtureFactors factors(prior);
  std::vector<PairSummary> summaries(cells.source().size());
  const auto visit = [&]<bool kShared>() {
    cells.visit(threads, [&] {
      return ExpectMixture<kShared>(cells, table, prior, factors, agree, counts, summaries);
    });
  };
  if (threads > 1)
    visit.template operator()<true>();
  else
    visit.template operator()<false>();

  MixtureSummary sum;
  BothWays<double> words;
  const bool all = prior.gradient == TensionGradient::kFastAlign;
  for (size_t pair = 0; pair < summaries.size(); ++pair) {
    if (!has_cells(cells.source(), cells.target(), pair)) continue;
    const PairSummary& each = summaries[pair];
    sum.likelihood.forward += each.likelihood.forward;
    sum.likelihood.reverse += each.likelihood.reverse;
    sum.feature.forward += each.feature.forward;
    sum.feature.reverse += each.feature.reverse;
    words.forward += static_cast<double>(cells.target()[pair].size()) - (all ? 0 : each.null.forward);
    words.reverse += static_cast<double>(cells.source()[pair].size()) - (all ? 0 : each.null.reverse);
  }
  sum.feature.forward /= std::max(words.forward, 1e-9);
  sum.feature.reverse /= std::max(words.reverse, 1e-9);
  return sum;
}

void fill_posteriors(const LexicalTable& table, std::span<const int32_t> source,
                     std::span<const int32_t> target, std::span<const uint32_t> cells,
                     const MixturePrior& prior, bool reverse, float* out) {
  const MixtureFactors factors(prior);
  PairPosteriors pair(table, prior, factors);
  pair.compute(source, target, cells);
  pair.write(reverse, out);
}

std::vector<float> mixture_posteriors(PairCells& cells, const LexicalTable& table, const MixturePrior& prior,
                                      bool reverse, int threads) {
  const MixtureFactors factors(prior);
  PosteriorMatrices all(cells.source(), cells.target());
  struct Fill {
    const PairCells& cells;
    bool reverse;
    PosteriorMatrices& all;
    PairPosteriors pair;
    void operator()(size_t number, std::span<const uint32_t> found) {
      pair.compute(cells.source()[number], cells.target()[number], found);
      pair.write(reverse, all.matrix(number));
    }
    void finish() {}
  };
  cells.visit(threads, [&] { return Fill{cells, reverse, all, PairPosteriors(table, prior, factors)}; });
  return std::move(all.values);
}

}  // namespace tunesmith::align
