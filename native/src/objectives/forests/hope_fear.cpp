#include "tunesmith/objectives/forests/hope_fear.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/forest/oracles/bleu_oracle.h"

namespace tunesmith::objectives::forests {

namespace {

constexpr size_t kChunk = 16;  // sentences

/// features(hope) - features(fear) as a dense vector; only the columns in use are cleared.
class FeatureDifference {
 public:
  explicit FeatureDifference(size_t width) : values_(width, 0.0), seen_(width, 0) {}

  void set(const HopeFearForest& forest, const WeighedDerivation& hope, const WeighedDerivation& fear) {
    for (const uint32_t column : columns_) values_[column] = 0, seen_[column] = 0;
    columns_.clear();
    // Edges used by both cancel before anything is rounded.
    net_.clear();
    for (const auto& use : hope.uses) net_.push_back(use);
    for (const auto& use : fear.uses) net_.push_back({use.edge, -use.times});
    std::stable_sort(net_.begin(), net_.end(), [](const auto& a, const auto& b) { return a.edge < b.edge; });
    for (size_t i = 0; i < net_.size();) {
      const uint32_t edge = net_[i].edge;
      double times = 0;
      for (; i < net_.size() && net_[i].edge == edge; ++i) times += net_[i].times;
      if (times != 0) add(forest, edge, times);
    }
  }

  const std::vector<uint32_t>& columns() const { return columns_; }
  double operator[](uint32_t column) const { return values_[column]; }

  double norm2() const {
    double sum = 0;
    for (const uint32_t column : columns_) sum += values_[column] * values_[column];
    return sum;
  }
  double dot(std::span<const double> weights) const {
    double sum = 0;
    for (const uint32_t column : columns_) sum += values_[column] * weights[column];
    return sum;
  }

 private:
  void add(const HopeFearForest& forest, uint32_t edge, double times) {
    forest.features().visit(edge, [&](const FeatureValue& feature) {
      values_[feature.column] += times * static_cast<double>(feature.value);
      if (!seen_[feature.column]) columns_.push_back(feature.column);
      seen_[feature.column] = 1;
    });
  }

  std::vector<double> values_;
  std::vector<uint8_t> seen_;
  std::vector<uint32_t> columns_;
  std::vector<WeighedDerivation::Use> net_;
};

void update(const FeatureDifference& difference, double rate, const Box& box, HopeFearState& state) {
  for (const uint32_t column : difference.columns()) {
    const double old = state.weights[column];
    const double moved = std::clamp(old + rate * difference[column], box.lower[column], box.upper[column]);
    state.weights[column] = moved;
    state.drift[column] += static_cast<double>(state.steps - 1) * (moved - old);
  }
  ++state.updates;
}

const metrics::BleuScorer& bleu_scorer(const metrics::Scorer& scorer) {
  const auto* bleu = dynamic_cast<const metrics::BleuScorer*>(&scorer);
  if (bleu == nullptr)
    throw InputError("large-margin learning on forests needs BLEU; another metric was given");
  return *bleu;
}

}  // namespace

std::vector<double> background_slopes(const metrics::Scorer& any_scorer, std::span<const double> background) {
  const metrics::BleuScorer& scorer = bleu_scorer(any_scorer);
  if (background.size() != scorer.width())
    throw InputError("the background has " + std::to_string(background.size()) + " statistics; expected " +
                     std::to_string(scorer.width()));
  std::vector<double> gradient(scorer.width());
  scorer.gradient(background.data(), gradient.data());
  const double size = scorer.size(background.data());
  std::vector<double> thetas((scorer.width() - 1) / 2 + 1, 0.0);
  for (size_t n = 1; n < thetas.size(); ++n) {
    thetas[n] = size * gradient[2 * n - 2];
    thetas[0] += size * gradient[2 * n - 1];
  }
  return thetas;
}

HopeFearForests::HopeFearForests(std::shared_ptr<const metrics::Scorer> scorer, size_t width,
                                 uint64_t memory_limit, std::string folder)
    : PackedForests(memory_limit, std::move(folder)),
      scorer_(std::move(scorer)),
      bleu_(&bleu_scorer(*scorer_)),
      width_(width) {}

void HopeFearForests::add(PackedForest<HopeFearForest> packed) {
  const HopeFearForest forest = packed.view();
  if (forest.width() != width_ || 2 * forest.order() + 1 != bleu_->width())
    throw InputError("a forest was compiled for other weights, or for another order of BLEU");
  store(std::move(packed));
}

HopeFearSentence HopeFearForests::sentence(size_t number, std::vector<std::byte>& buffer) const {
  if (number >= size()) throw InputError("no such sentence: " + std::to_string(number));
  return {number, read(number, buffer)};
}

void HopeFearForests::check(std::span<const double> weights, const char* what) const {
  if (weights.size() != width_)
    throw InputError("expected " + std::to_string(width_) + " " + what + ", found " +
                     std::to_string(weights.size()));
}

double HopeFearForests::gain(std::span<const double> background, std::span<const double> stats) const {
  std::vector<double> sums(stats.begin(), stats.end());
  for (size_t s = 0; s < sums.size(); ++s) sums[s] += background[s];
  double result = 0;
  bleu_->gain(sums.data(), 1, &result);
  return result * bleu_->size(sums.data());
}

std::vector<double> HopeFearForests::statistics(std::span<const double> weights, int threads) const {
  check(weights, "weights");
  const size_t columns = bleu_->width();
  std::vector<double> rows(size() * columns);
  parallel_chunks(size(), kChunk, threads, [&](size_t, size_t begin, size_t end) {
    std::vector<std::byte> buffer;
    for (size_t i = begin; i < end; ++i) {
      const HopeFearForest forest = sentence(i, buffer).forest;
      const auto best = forest.best(forest.scores(weights), {});
      std::copy(best.stats.begin(), best.stats.end(), rows.begin() + static_cast<int64_t>(i * columns));
    }
  });
  return rows;
}

void HopeFearForests::pass(const HopeFearFinder& finder, std::span<const int64_t> order,
                           double aggressiveness, double decay, const Box& box, int threads,
                           HopeFearState& state) const {
  check(state.weights, "weights");
  check(state.drift, "drifts");
  check(box.lower, "lower bounds");
  check(box.upper, "upper bounds");
  if (state.background.size() != bleu_->width()) throw InputError("the background does not fit the metric");
  FeatureDifference difference(width_);
  std::vector<std::byte> buffer;
  for (const int64_t number : order) {
    if (number < 0) throw InputError("no such sentence: " + std::to_string(number));
    const HopeFearSentence at = sentence(static_cast<size_t>(number), buffer);
    const std::vector<double> scores = at.forest.scores(state.weights);
    std::array<WeighedDerivation, 2> found;
    parallel_chunks(2, 1, threads, [&](size_t i, size_t, size_t) {
      found[i] = finder.find(at, scores, state.background, i == 0 ? 1.0 : -1.0);
    });
    const auto& [hope, fear] = found;

    ++state.steps;
    const double advantage = gain(state.background, hope.stats) - gain(state.background, fear.stats);
    if (advantage > 0) {
      difference.set(at.forest, hope, fear);
      const double loss = advantage - difference.dot(state.weights), norm2 = difference.norm2();
      if (loss > 0 && norm2 > 0) update(difference, std::min(aggressiveness, loss / norm2), box, state);
    }
    for (size_t s = 0; s < state.background.size(); ++s)
      state.background[s] = decay * state.background[s] + hope.stats[s];
  }
}

LinearFinder::LinearFinder(std::shared_ptr<const metrics::Scorer> scorer) : scorer_(std::move(scorer)) {
  bleu_scorer(*scorer_);
}

WeighedDerivation LinearFinder::find(const HopeFearSentence& sentence, std::span<const double> scores,
                                     std::span<const double> background, double sign) const {
  std::vector<double> thetas = background_slopes(*scorer_, background);
  for (double& theta : thetas) theta *= sign;
  return sentence.forest.best(scores, thetas);
}

BeamFinder::BeamFinder(std::shared_ptr<const forest::ForestStore> forests, std::vector<TextColumn> references,
                       std::shared_ptr<const metrics::Scorer> scorer, metrics::ReferenceLength length,
                       bool monotone, size_t beam)
    : forests_(std::move(forests)),
      references_(std::move(references)),
      scorer_(std::move(scorer)),
      length_(length),
      monotone_(monotone),
      beam_(beam) {
  if (beam_ == 0) throw InputError("the beam must be at least 1, not 0");
  if (references_.size() != forests_->size())
    throw InputError("references of " + std::to_string(references_.size()) + " sentences for " +
                     std::to_string(forests_->size()) + " forests");
}

WeighedDerivation BeamFinder::find(const HopeFearSentence& sentence, std::span<const double> scores,
                                   std::span<const double> background, double sign) const {
  const Texts references = references_.at(sentence.number).view();
  forest::oracles::BleuOracleOptions options;
  options.reference_length = length_;
  options.background.assign(background.begin(), background.end());
  options.scaled = true;
  options.monotone = monotone_;
  options.model_weight = 1;
  options.metric_weight = sign;
  options.beam = beam_;
  forest::oracles::BleuOracle oracle =
      forest::oracles::bleu_oracle(*(*forests_)[sentence.number], references, *scorer_, scores, options);
  WeighedDerivation result{{}, std::move(oracle.stats)};
  for (const uint32_t edge : oracle.derivation.edges) result.uses.push_back({edge, 1.0});
  return result;
}

}  // namespace tunesmith::objectives::forests
