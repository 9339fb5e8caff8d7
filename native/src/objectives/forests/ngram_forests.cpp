#include "tunesmith/objectives/forests/ngram_forests.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/base/work_shares.h"

namespace tunesmith::objectives::forests {

namespace {

/// Number of shares of the work, whatever the number of threads; each has its own gradient.
constexpr size_t kShares = 16;

/// The recursions over one sentence after another, which reuse memory. Not those of forest/inside_outside.h:
/// p(e | head) takes one exp per edge, and all further passes multiply and add only.
class Recursions {
 public:
  explicit Recursions(const DerivationModel& model) : model_(model) {}

  /// beta(v) = log of the summed exp(score) of the derivations of v, and p(e | head). One exp per edge.
  void inside(const NgramForest& forest) {
    forest.features.score(model_.weights, model_.scale, of_rule_, scores_);
    beta_.resize(forest.node_count());
    share_.resize(forest.edge_count());
    for (uint32_t node = 0; node < forest.node_count(); ++node) {
      const uint32_t begin = forest.first_edge(node), end = forest.last_edge(node);
      double largest = -std::numeric_limits<double>::infinity();
      for (uint32_t edge = begin; edge < end; ++edge) {
        double sum = scores_[edge];
        for (const uint32_t tail : forest.tails(edge)) sum += beta_[tail];
        share_[edge] = sum;
        largest = std::max(largest, sum);
      }
      double total = 0;
      for (uint32_t edge = begin; edge < end; ++edge)
        total += share_[edge] = std::exp(share_[edge] - largest);
      beta_[node] = largest + std::log(total);
      for (uint32_t edge = begin; edge < end; ++edge) share_[edge] /= total;
    }
    if (!std::isfinite(beta_.back()))
      throw InputError("the scores of a forest's derivations are not finite; expected smaller weights");
  }

  /// p(v) of each node, from the root down; calls visit(edge, p(e)).
  template <class Visit>
  void outside(const NgramForest& forest, Visit visit) {
    usage_.assign(forest.node_count(), 0);
    usage_.back() = 1;
    for (auto node = static_cast<uint32_t>(forest.node_count()); node-- > 0;)
      for (uint32_t edge = forest.last_edge(node); edge-- > forest.first_edge(node);) {
        const double posterior = usage_[node] * share_[edge];
        for (const uint32_t tail : forest.tails(edge)) usage_[tail] += posterior;
        visit(edge, posterior);
      }
  }

  /// H = log Z - E[score] of the current sentence, given E[score].
  double entropy(double mean_score) const { return std::max(beta_.back() - mean_score, 0.0); }
  double score(uint32_t edge) const { return scores_[edge]; }

  /// E[r | v] of each node, where `reward(edge)` is r(e); returns E[r].
  template <class Reward>
  double means(const NgramForest& forest, Reward reward) {
    mean_.resize(forest.node_count());
    below_.resize(forest.edge_count());
    for (uint32_t node = 0; node < forest.node_count(); ++node) {
      double mean = 0;
      for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
        double sum = reward(edge);
        for (const uint32_t tail : forest.tails(edge)) sum += mean_[tail];
        below_[edge] = sum;
        mean += share_[edge] * sum;
      }
      mean_[node] = mean;
    }
    return mean_.back();
  }

  /// Adds the derivative of E[r] by the weights to `gradient`; call `means` first.
  void add_gradient(const NgramForest& forest, std::vector<double>& gradient) {
    usage_.assign(forest.node_count(), 0);
    change_.assign(forest.node_count(), 0);
    of_rule_.assign(forest.features.of_rules.size(), 0);
    usage_.back() = 1;
    for (auto node = static_cast<uint32_t>(forest.node_count()); node-- > 0;) {
      const double usage = usage_[node], change = change_[node], mean = mean_[node];
      for (uint32_t edge = forest.last_edge(node); edge-- > forest.first_edge(node);) {
        const double slope = share_[edge] * (usage * (below_[edge] - mean) + change);
        for (const uint32_t tail : forest.tails(edge)) {
          usage_[tail] += usage * share_[edge];
          change_[tail] += slope;
        }
        of_rule_[forest.features.rules[edge]] += slope;
        for (const FeatureValue& feature : forest.features.of_edges[edge])
          gradient[feature.column] += model_.scale * slope * feature.value;
      }
    }
    for (size_t rule = 0; rule < of_rule_.size(); ++rule)
      for (const FeatureValue& feature : forest.features.of_rules[rule])
        gradient[feature.column] += model_.scale * of_rule_[rule] * feature.value;
  }

 private:
  const DerivationModel& model_;
  std::vector<double> scores_, beta_, share_, usage_, mean_, below_, change_, of_rule_;
};

/// Reward of one unit of a total that the forest counts, given the rewards of n-grams by order: if it counts
/// words alone, one more word is one more n-gram of every order.
double total_value(const NgramForest& forest, std::span<const double> values, size_t total) {
  if (forest.total_count > 1) return values[total];
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

}  // namespace

NgramForests::NgramForests(size_t order, size_t width, uint64_t memory_limit, std::string folder)
    : PackedForests(memory_limit, std::move(folder)), order_(order), width_(width) {}

void NgramForests::add(PackedForest<NgramForest> packed) {
  const NgramForest forest = packed.view();
  if (forest.order != order_) throw InputError("a forest was compiled for n-grams of another order");
  for (const auto& rows : {forest.features.of_rules, forest.features.of_edges})
    for (const FeatureValue& each : rows.values)
      if (each.column >= width_) throw InputError("a feature of a forest is beyond the last column");
  if (size() > 0 && forest.reference_lengths.size() != references_)
    throw InputError("sentences have different numbers of references");
  references_ = forest.reference_lengths.size();
  reference_lengths_.insert(reference_lengths_.end(), forest.reference_lengths.begin(),
                            forest.reference_lengths.end());
  lengths_.insert(lengths_.end(), forest.ngram_lengths.begin(), forest.ngram_lengths.end());
  limits_.insert(limits_.end(), forest.ngram_limits.begin(), forest.ngram_limits.end());
  offsets_.push_back(static_cast<int64_t>(lengths_.size()));
  work_.push_back(static_cast<int64_t>(forest.edge_count()));
  store(std::move(packed));
}

void NgramForests::check(const DerivationModel& model) const {
  if (model.weights.size() != width_)
    throw InputError(std::to_string(model.weights.size()) + " weights for " + std::to_string(width_) +
                     " features");
  if (!std::isfinite(model.scale)) throw InputError("the scale of scores is not finite");
}

template <class Body>
size_t NgramForests::in_shares(int threads, Body body) const {
  const std::vector<size_t> borders = work_shares(work_, kShares);
  parallel_chunks(borders.size() - 1, 1, threads, [&](size_t share, size_t, size_t) {
    std::vector<std::byte> buffer;
    for (size_t sentence = borders[share]; sentence < borders[share + 1]; ++sentence)
      body(share, sentence, read(sentence, buffer));
  });
  return borders.size() - 1;
}

ExpectedCounts NgramForests::expected(const DerivationModel& model, int threads) const {
  check(model);
  ExpectedCounts result;
  result.counts.assign(lengths_.size(), 0);
  result.totals.assign(size() * order_, 0);
  result.entropy.assign(size(), 0);
  std::vector<Recursions> recursions(kShares, Recursions(model));
  in_shares(threads, [&](size_t share, size_t sentence, const NgramForest& forest) {
    Recursions& at = recursions[share];
    at.inside(forest);
    std::vector<double> counts(forest.ngram_count() + forest.total_count, 0);
    double score = 0;
    at.outside(forest, [&](uint32_t edge, double posterior) {
      score += posterior * at.score(edge);
      for (const uint32_t each : forest.counted[edge])
        counts[counted_number(each)] += posterior * count_of(each);
    });
    const auto matches = counts.begin() + static_cast<int64_t>(forest.ngram_count());
    std::copy(counts.begin(), matches, result.counts.begin() + offsets_[sentence]);
    for (size_t n = 0; n < order_; ++n)
      result.totals[sentence * order_ + n] =
          forest.total_count > 1 ? matches[static_cast<int64_t>(n)] : *matches - static_cast<double>(n);
    result.entropy[sentence] = at.entropy(score);
  });
  return result;
}

ExpectedReward NgramForests::reward(const DerivationModel& model, const CountValues& values,
                                    double temperature, int threads) const {
  check(model);
  if (values.counts.size() != lengths_.size() || values.totals.size() != size() * order_)
    throw InputError("a value is needed for each n-gram and each total");
  std::vector<Recursions> recursions(kShares, Recursions(model));
  std::vector<ExpectedReward> parts(kShares);
  const size_t shares = in_shares(threads, [&](size_t share, size_t sentence, const NgramForest& forest) {
    Recursions& at = recursions[share];
    ExpectedReward& part = parts[share];
    part.gradient.resize(width_);
    const auto totals = values.totals.subspan(sentence * order_, order_);
    std::vector<double> reward(forest.ngram_count() + forest.total_count);
    std::copy_n(values.counts.begin() + offsets_[sentence], forest.ngram_count(), reward.begin());
    for (size_t i = 0; i < forest.total_count; ++i)
      reward[forest.ngram_count() + i] = total_value(forest, totals, i);

    at.inside(forest);
    // H = log Z - E[score], so that E[r] + T H = E[r - T score] + T log Z. The derivatives of T log Z and of
    // the values -T score cancel: the gradient is that of E[r - T score] with the values held constant.
    double score = 0;
    if (temperature != 0) score = at.means(forest, [&](uint32_t edge) { return at.score(edge); });
    const double mean = at.means(forest, [&](uint32_t edge) {
      double sum = temperature == 0 ? 0 : -temperature * at.score(edge);
      for (const uint32_t each : forest.counted[edge]) sum += reward[counted_number(each)] * count_of(each);
      return sum;
    });
    at.add_gradient(forest, part.gradient);
    part.mean += mean + temperature * score;
    if (temperature != 0) part.entropy += at.entropy(score);
    if (forest.total_count == 1)  // there are n - 1 fewer n-grams of n words than words
      for (size_t n = 1; n < order_; ++n) part.mean -= static_cast<double>(n) * totals[n];
  });
  ExpectedReward result;
  result.gradient.assign(width_, 0);
  for (size_t share = 0; share < shares; ++share) {
    result.mean += parts[share].mean;
    result.entropy += parts[share].entropy;
    for (size_t i = 0; i < parts[share].gradient.size(); ++i) result.gradient[i] += parts[share].gradient[i];
  }
  return result;
}

}  // namespace tunesmith::objectives::forests
