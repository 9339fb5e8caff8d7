#include "tunesmith/hope_fear_forest.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tunesmith/errors.h"
#include "tunesmith/feature_columns.h"
#include "tunesmith/forest_context.h"
#include "tunesmith/held_bytes.h"
#include "tunesmith/sequence_pool.h"

namespace tunesmith {

namespace {

template <class T>
size_t held(const Rows<T>& rows) {
  return held_bytes(rows.offsets) + held_bytes(rows.values);
}

}  // namespace

HopeFearForest::HopeFearForest(const Forest& forest, std::span<const int64_t> columns, size_t width,
                               const Texts& texts, const BleuOptions& options, const RefinementLimits& limits)
    : width_(width), order_(options.order), reference_length_(options.reference_length) {
  if (forest.empty()) throw InputError("the forest is empty: no derivation was found");
  const ReferenceNgrams references(forest, texts, options.order);
  compile_edges(expand_context(forest, options.order, limits, references.view()), references);
  compile_features(forest, columns);
  reference_lengths_.assign(references.lengths().begin(), references.lengths().end());
  for (uint32_t ngram = 0; ngram < references.size(); ++ngram) {
    ngram_orders_.push_back(static_cast<uint8_t>(references[ngram].size()));
    limits_.push_back(references.limit(ngram));
  }
}

void HopeFearForest::compile_edges(ForestRefinement&& refined, const ReferenceNgrams& references) {
  const Forest& forest = refined.forest;
  const ContextView view = references.view();
  const auto contexts = local_contexts(forest, order_, view).value();
  SequencePool<uint32_t> different;
  std::vector<uint32_t> addition;  // its words, then its n-grams
  YieldSequence yield;
  for (uint32_t edge = 0; edge < forest.edge_count(); ++edge) {
    const auto tails = forest.tails(edge);
    addition.assign(1, static_cast<uint32_t>(references.own_words(forest.target(edge))));
    yield.read(forest.target(edge), view.words, [&](size_t i) { return contexts[tails[i]]; });
    references.matches(yield, [&](uint32_t ngram) { addition.push_back(ngram); });
    std::sort(addition.begin() + 1, addition.end());
    additions_.push_back(different.intern(addition));
  }
  for (uint32_t i = 0; i < different.size(); ++i) {
    added_words_.push_back(different[i][0]);
    added_ngrams_.add(different[i].subspan(1));
  }
  edge_offsets_ = forest.arrays().edge_offsets;
  tails_ = forest.arrays().tails;
  origins_ = std::move(refined.edges);
}

void HopeFearForest::compile_features(const Forest& forest, std::span<const int64_t> columns) {
  if (columns.size() != forest.names().features.size())
    throw InputError("places of " + std::to_string(columns.size()) + " features for a forest of " +
                     std::to_string(forest.names().features.size()));
  for (const int64_t column : columns)
    if (column < 0 || static_cast<size_t>(column) >= width_)
      throw InputError("the place of a feature is " + std::to_string(column) + " among " +
                       std::to_string(width_) + " weights");
  rules_ = forest.arrays().edge_rules;
  rule_features_ = in_columns(forest.rules().features, columns);
  edge_features_ = in_columns(forest.arrays().features, columns);
}

size_t HopeFearForest::bytes() const {
  return sizeof(*this) + held_bytes(edge_offsets_) + held(tails_) + held_bytes(origins_) +
         held_bytes(additions_) + held(added_ngrams_) + held_bytes(added_words_) + held_bytes(rules_) +
         held(rule_features_) + held(edge_features_) + held_bytes(ngram_orders_) + held_bytes(limits_) +
         held_bytes(reference_lengths_);
}

std::vector<double> HopeFearForest::scores(std::span<const double> weights) const {
  if (weights.size() != width_) throw InputError("expected " + std::to_string(width_) + " weights");
  const auto product = [&](std::span<const FeatureValue> row) {
    double sum = 0;
    for (const FeatureValue& feature : row)
      sum += weights[feature.column] * static_cast<double>(feature.value);
    return sum;
  };
  std::vector<double> of_rule(rule_features_.size()), result(rules_.size());
  for (size_t rule = 0; rule < of_rule.size(); ++rule) of_rule[rule] = product(rule_features_[rule]);
  for (size_t edge = 0; edge < result.size(); ++edge)
    result[edge] = of_rule[rules_[edge]] + product(edge_features_[edge]);
  return result;
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

std::vector<uint32_t> HopeFearForest::winners(std::span<const double> scores,
                                              std::span<const double> rewards) const {
  const size_t nodes = edge_offsets_.size() - 1;
  std::vector<double> beta(nodes);
  std::vector<uint32_t> result(nodes);
  for (size_t node = 0; node < nodes; ++node)
    for (uint32_t edge = edge_offsets_[node]; edge < edge_offsets_[node + 1]; ++edge) {
      double score = scores[origins_[edge]] + rewards[additions_[edge]];
      for (const uint32_t tail : tails_[edge]) score += beta[tail];
      if (edge > edge_offsets_[node] && !(score > beta[node])) continue;
      beta[node] = score;
      result[node] = edge;
    }
  if (!std::isfinite(beta.back()))
    throw InputError("scores have no finite sum: make weights or features smaller");
  return result;
}

WeighedDerivation HopeFearForest::best(std::span<const double> scores, std::span<const double> thetas) const {
  if (scores.size() != rules_.size() || !(thetas.empty() || thetas.size() == order_ + 1))
    throw InputError("the scores or the slopes of matches do not fit the forest");
  const std::vector<uint32_t> winner = winners(scores, rewards(thetas));
  // A node may stand in many places of a derivation, which may be exponentially long: uses are counted.
  std::vector<double> of_node(winner.size(), 0.0), of_addition(added_words_.size(), 0.0);
  WeighedDerivation result;
  of_node.back() = 1;
  for (size_t node = winner.size(); node-- > 0;) {
    if (of_node[node] == 0) continue;
    const uint32_t edge = winner[node];
    result.uses.push_back({origins_[edge], of_node[node]});
    of_addition[additions_[edge]] += of_node[node];
    for (const uint32_t tail : tails_[edge]) of_node[tail] += of_node[node];
  }
  result.stats = bleu(of_addition);
  return result;
}

std::vector<double> HopeFearForest::bleu(std::span<const double> times) const {
  std::vector<double> stats(2 * order_ + 1, 0.0), counts(limits_.size(), 0.0);
  double words = 0;
  for (size_t i = 0; i < times.size(); ++i) {
    if (times[i] == 0) continue;
    words += times[i] * added_words_[i];
    for (const uint32_t ngram : added_ngrams_[i]) counts[ngram] += times[i];
  }
  if (!std::isfinite(words))
    throw InputError("a derivation is too long to be counted: nodes are used again and again");
  for (size_t ngram = 0; ngram < counts.size(); ++ngram)
    stats[2 * size_t{ngram_orders_[ngram]} - 2] +=
        std::min(counts[ngram], static_cast<double>(limits_[ngram]));
  for (size_t n = 0; n < order_; ++n) stats[2 * n + 1] = std::max(0.0, words - static_cast<double>(n));
  stats[2 * order_] = compared_length(reference_lengths_, reference_length_, words);
  return stats;
}

}  // namespace tunesmith
