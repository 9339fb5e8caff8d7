#include "tunesmith/objectives/forests/packed_hope_fear.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/forest/context.h"
#include "tunesmith/forest/viterbi.h"

namespace tunesmith::objectives::forests {

namespace {

/// Words and n-gram matches that the edges of a forest add.
struct Additions {
  std::vector<uint32_t> of_edges;  // rows of the following
  Rows<uint32_t> ngrams;
  std::vector<uint32_t> words;
};

Additions find_additions(const forest::Forest& forest, size_t order,
                         const forest::ReferenceNgrams& references) {
  const forest::ContextView view = references.view();
  const auto contexts = forest::local_contexts(forest, order, view).value();
  Additions result;
  SequencePool<uint32_t> different;
  std::vector<uint32_t> addition;  // number of words, then n-grams
  forest::YieldSequence yield;
  for (uint32_t edge = 0; edge < forest.edge_count(); ++edge) {
    const auto tails = forest.tails(edge);
    addition.assign(1, static_cast<uint32_t>(references.own_words(forest.target(edge))));
    yield.read(forest.target(edge), view.words, [&](size_t i) { return contexts[tails[i]]; });
    references.matches(yield, [&](uint32_t ngram) { addition.push_back(ngram); });
    std::sort(addition.begin() + 1, addition.end());
    result.of_edges.push_back(different.intern(addition));
  }
  for (uint32_t i = 0; i < different.size(); ++i) {
    result.words.push_back(different[i][0]);
    result.ngrams.add(different[i].subspan(1));
  }
  return result;
}

}  // namespace

PackedForest<HopeFearForest> pack_hope_fear_forest(const forest::Forest& forest,
                                                   std::span<const int64_t> columns, size_t width,
                                                   const Texts& texts, const metrics::BleuOptions& options,
                                                   const forest::RefinementLimits& limits) {
  if (forest.empty()) throw InputError("the forest is empty: no derivation was found");
  forest::check_columns(forest, columns, width);
  const forest::ReferenceNgrams references(forest, texts, options.order);
  const forest::ForestRefinement refined =
      forest::expand_context(forest, options.order, limits, references.view());
  const Additions additions = find_additions(refined.forest, options.order, references);
  const Rows<FeatureValue> rule_features = forest::in_columns(forest.rules().features, columns);
  const Rows<FeatureValue> edge_features = forest::in_columns(forest.arrays().features, columns);
  std::vector<uint32_t> orders, clips;
  for (uint32_t ngram = 0; ngram < references.size(); ++ngram) {
    orders.push_back(static_cast<uint32_t>(references[ngram].size()));
    clips.push_back(static_cast<uint32_t>(references.limit(ngram)));
  }
  const std::array<uint32_t, 3> shape{static_cast<uint32_t>(width), static_cast<uint32_t>(options.order),
                                      static_cast<uint32_t>(options.reference_length)};
  const forest::ForestArrays& arrays = refined.forest.arrays();
  return {PackedArrays({bytes_of(shape), bytes_of(arrays.edge_offsets), bytes_of(arrays.tails.offsets),
                        bytes_of(arrays.tails.values), bytes_of(refined.edges), bytes_of(additions.of_edges),
                        bytes_of(additions.ngrams.offsets), bytes_of(additions.ngrams.values),
                        bytes_of(additions.words), bytes_of(forest.arrays().edge_rules),
                        bytes_of(rule_features.offsets), bytes_of(rule_features.values),
                        bytes_of(edge_features.offsets), bytes_of(edge_features.values), bytes_of(orders),
                        bytes_of(clips), bytes_of(references.lengths())})};
}

HopeFearForest::HopeFearForest(std::span<const std::byte> packed) {
  ArrayReader arrays(packed);
  const auto read_rows = [&](auto& rows) {
    arrays.read(rows.offsets);
    arrays.read(rows.values);
  };
  arrays.read(shape_);
  arrays.read(edge_offsets);
  read_rows(edge_tails);
  arrays.read(origins_);
  arrays.read(additions_);
  read_rows(added_ngrams_);
  arrays.read(added_words_);
  arrays.read(features_.rules);
  read_rows(features_.of_rules);
  read_rows(features_.of_edges);
  arrays.read(ngram_orders_);
  arrays.read(limits_);
  arrays.read(reference_lengths_);
}

std::vector<double> HopeFearForest::scores(std::span<const double> weights) const {
  if (weights.size() != width())
    throw InputError("expected " + std::to_string(width()) + " weights, found " +
                     std::to_string(weights.size()));
  std::vector<double> rule_scores, scores;
  features_.score(weights, 1, rule_scores, scores);
  return scores;
}

std::vector<double> HopeFearForest::rewards(std::span<const double> thetas) const {
  std::vector<double> result(added_words_.size(), 0.0);
  if (thetas.empty()) return result;
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = thetas[0] * added_words_[i];
    for (const uint32_t ngram : added_ngrams_[i]) result[i] += thetas[ngram_orders_[ngram]];
  }
  return result;
}

WeighedDerivation HopeFearForest::best(std::span<const double> scores, std::span<const double> thetas) const {
  if (scores.size() != features_.rules.size() || !(thetas.empty() || thetas.size() == order() + 1))
    throw InputError("the scores or the thetas do not fit the forest");
  const std::vector<double> reward = rewards(thetas);
  const auto score = [&](uint32_t edge) { return scores[origins_[edge]] + reward[additions_[edge]]; };
  const std::vector<double> beta = forest::inside<forest::ViterbiSemiring>(*this, score);
  if (!std::isfinite(beta.back()))
    throw InputError("scores have no finite sum: make weights or features smaller");
  // Nodes may be used many times by a derivation, which may be exponentially long: uses are counted.
  std::vector<double> of_node(beta.size(), 0.0), of_addition(added_words_.size(), 0.0);
  WeighedDerivation result;
  of_node.back() = 1;
  for (auto node = static_cast<uint32_t>(beta.size()); node-- > 0;) {
    if (of_node[node] == 0) continue;
    const uint32_t edge = forest::best_edge(*this, score, beta, node);
    result.uses.push_back({origins_[edge], of_node[node]});
    of_addition[additions_[edge]] += of_node[node];
    for (const uint32_t tail : tails(edge)) of_node[tail] += of_node[node];
  }
  result.stats = bleu(of_addition);
  return result;
}

std::vector<double> HopeFearForest::bleu(std::span<const double> times) const {
  std::vector<double> stats(2 * order() + 1, 0.0), counts(limits_.size(), 0.0);
  double words = 0;
  for (size_t i = 0; i < times.size(); ++i) {
    if (times[i] == 0) continue;
    words += times[i] * added_words_[i];
    for (const uint32_t ngram : added_ngrams_[i]) counts[ngram] += times[i];
  }
  if (!std::isfinite(words))
    throw InputError("a derivation is too long to be counted, as nodes are used many times");
  for (size_t ngram = 0; ngram < counts.size(); ++ngram)
    stats[2 * size_t{ngram_orders_[ngram]} - 2] +=
        std::min(counts[ngram], static_cast<double>(limits_[ngram]));
  for (size_t n = 0; n < order(); ++n) stats[2 * n + 1] = std::max(0.0, words - static_cast<double>(n));
  stats[2 * order()] =
      forest::compared_length(reference_lengths_, static_cast<metrics::ReferenceLength>(shape_[2]), words);
  return stats;
}

}  // namespace tunesmith::objectives::forests
