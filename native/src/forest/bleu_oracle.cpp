#include "tunesmith/forest/bleu_oracle.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/forest/edge_scores.h"
#include "tunesmith/forest/length_share.h"
#include "tunesmith/forest/oracle_statistics.h"

namespace tunesmith::forest {

namespace {

// Keeping a dominated item costs time but never the optimum; comparing with all others costs more.
constexpr size_t kMostRivals = 32;

/// Back-pointers of an item; its statistics are freed after the last use of its node as a tail.
struct OracleItem {
  uint32_t edge;
  uint32_t first_tail;  // in `tail_items`
  double model;
};

/// The items of a node while its edges are combined: distinct keys [context, statistics...], and the best
/// derivation of each.
struct Candidates {
  SequencePool<int32_t> keys;
  std::vector<OracleItem> items;
  std::vector<uint32_t> tails;

  void clear() {
    keys.clear();
    items.clear();
    tails.clear();
  }
};

class BleuOracleSearch {
 public:
  BleuOracleSearch(const Forest& forest, const Texts& references, const metrics::Scorer& scorer,
                   std::span<const double> scores, const BleuOracleOptions& options)
      : forest_(forest),
        references_(forest, references, (scorer.width() - 1) / 2),
        statistics_(forest, references_),
        scorer_(scorer),
        ranking_(references_.order(), metrics::BleuSmoothing::add, 1.0),
        scores_(forest, scores),
        best_models_(inside_scores<ViterbiSemiring>(forest, scores_)),
        options_(options),
        needs_(context_needs(forest)),
        keys_(forest.node_count()),
        first_item_(forest.node_count() + 1, 0) {
    check_derivable(forest, best_models_);
    has_background_ = std::any_of(options_.background.begin(), options_.background.end(),
                                  [](double value) { return value != 0; });
    shares_ =
        length_shares(forest, [&](uint32_t edge) { return references_.own_words(forest.target(edge)); });
    last_use_.resize(forest.node_count());
    std::iota(last_use_.begin(), last_use_.end(), 0);
    for (uint32_t node = 0; node < forest.node_count(); ++node)
      for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge)
        for (const uint32_t tail : forest.tails(edge)) last_use_[tail] = node;
  }

  BleuOracle run() {
    std::vector<std::vector<uint32_t>> done(forest_.node_count());
    for (uint32_t node = 0; node < forest_.node_count(); ++node) done[last_use_[node]].push_back(node);
    Candidates candidates;
    for (uint32_t node = 0;; ++node) {
      candidates.clear();
      if (needs_.used[node]) combine(node, candidates);
      if (node == forest_.root()) return best(candidates);
      keep(node, candidates);
      for (const uint32_t tail : done[node])
        if (tail != node) std::vector<int32_t>().swap(keys_[tail]);
    }
  }

 private:
  size_t key_width() const { return 1 + statistics_.width(); }
  uint32_t item_count(uint32_t node) const { return first_item_[node + 1] - first_item_[node]; }
  std::span<const int32_t> key(uint32_t node, uint32_t rank) const {
    return std::span<const int32_t>(keys_[node]).subspan(rank * key_width(), key_width());
  }

  void combine(uint32_t node, Candidates& candidates) {
    std::vector<uint32_t> ranks;
    for (uint32_t edge = forest_.first_edge(node); edge < forest_.last_edge(node); ++edge) {
      const auto tails = forest_.tails(edge);
      if (score_below(forest_, scores_, best_models_, edge) == kLogZero) continue;  // forbidden
      joined_.tails.clear();
      joined_.joins.clear();
      ranks.assign(tails.size(), 0);
      do {
        add(node, edge, ranks, candidates);
      } while (next(tails, ranks));
    }
  }

  /// Advances to the next ranks of the tails' items whose product is within the beam.
  bool next(std::span<const uint32_t> tails, std::vector<uint32_t>& ranks) const {
    for (size_t i = tails.size(); i-- > 0;) {
      ++ranks[i];
      size_t product = 1;
      for (const uint32_t rank : ranks) product *= size_t{rank} + 1;
      if (ranks[i] < item_count(tails[i]) && (options_.beam == 0 || product <= options_.beam)) return true;
      ranks[i] = 0;
    }
    return false;
  }

  void add(uint32_t node, uint32_t edge, const std::vector<uint32_t>& ranks, Candidates& candidates) {
    work(key_width());
    const auto tails = forest_.tails(edge);
    const Join& join = joined(node, edge, ranks);
    key_.assign(key_width(), 0);
    key_[0] = static_cast<int32_t>(join.context);
    const auto row = std::span<int32_t>(key_).subspan(1);
    double model = scores_(edge);
    for (size_t i = 0; i < tails.size(); ++i) {
      statistics_.add_row(row, key(tails[i], ranks[i]).subspan(1));
      model += items_[first_item_[tails[i]] + ranks[i]].model;
    }
    if (model == kLogZero) throw InputError("scores have no finite sum: make weights or features smaller");
    statistics_.add_words(row, join.words);
    for (const uint32_t ngram : join.matches) statistics_.add_match(row, ngram);

    const uint32_t number = candidates.keys.intern(key_);
    const bool is_new = number == candidates.items.size();
    if (!is_new && !(options_.model_weight * model > options_.model_weight * candidates.items[number].model))
      return;
    const OracleItem item{edge, static_cast<uint32_t>(candidates.tails.size()), model};
    for (size_t i = 0; i < tails.size(); ++i) candidates.tails.push_back(first_item_[tails[i]] + ranks[i]);
    if (is_new)
      candidates.items.push_back(item);
    else
      candidates.items[number] = item;
  }

  void work(size_t numbers) {
    work_ += numbers;
    if (options_.beam == 0 && work_ > options_.max_work)
      throw InputError("an exact oracle creates and compares more than " + std::to_string(options_.max_work) +
                       " numbers for this forest; give it a beam");
  }

  /// Context and matches of an edge, cached by the combination of its tails' contexts.
  struct Join {
    uint32_t context;
    size_t words;  // of the edge itself
    std::vector<uint32_t> matches;
  };
  struct Joined {
    SequencePool<int32_t> tails;
    std::vector<Join> joins;
  };

  const Join& joined(uint32_t node, uint32_t edge, const std::vector<uint32_t>& ranks) {
    const auto tails = forest_.tails(edge);
    combination_.clear();
    for (size_t i = 0; i < tails.size(); ++i) combination_.push_back(key(tails[i], ranks[i])[0]);
    const uint32_t number = joined_.tails.intern(combination_);
    if (number < joined_.joins.size()) return joined_.joins[number];
    Join join{0, references_.own_words(forest_.target(edge)), {}};
    yield_.read(
        forest_.target(edge), [&](grammar::Symbol word) { return references_.words(word); },
        [&](size_t i) { return contexts_[static_cast<uint32_t>(combination_[i])]; });
    references_.matches(yield_, [&](uint32_t ngram) { join.matches.push_back(ngram); });
    yield_.shorten(references_.order() - 1, needs_.left[node], needs_.right[node], context_);
    references_.cut(context_);
    join.context = contexts_.intern(context_);
    joined_.joins.push_back(std::move(join));
    return joined_.joins.back();
  }

  /// Gains of candidates that are a share of the sentence, with the background added.
  std::vector<double> gains(const Candidates& candidates, double share, const metrics::Scorer& scorer) const {
    const size_t width = scorer.width(), count = candidates.items.size();
    std::vector<double> stats(count * width), result(count);
    for (uint32_t i = 0; i < count; ++i) {
      const auto row = candidates.keys[i].subspan(1);
      const double words = OracleStatistics::words(row);
      const double length =
          share > 0 ? share * references_.length(options_.reference_length, words / share) : 0.0;
      statistics_.bleu(row, length, &stats[i * width]);
      for (size_t s = 0; s < width; ++s) stats[i * width + s] += options_.background[s];
    }
    scorer.gain(stats.data(), count, result.data());
    if (options_.scaled)
      for (size_t i = 0; i < count; ++i) result[i] *= scorer.size(&stats[i * width]);
    return result;
  }

  double objective(const OracleItem& item, double gain) const {
    return options_.model_weight * item.model + options_.metric_weight * gain;
  }

  /// The candidates to keep, best first: those not found to be dominated by a better one, up to the beam.
  std::vector<uint32_t> choose(uint32_t node, const Candidates& candidates) {
    std::vector<uint32_t> heap(candidates.items.size());
    std::iota(heap.begin(), heap.end(), 0);
    if (heap.size() < 2) return heap;
    std::vector<double> ranks = gains(candidates, shares_[node], has_background_ ? scorer_ : ranking_);
    for (size_t i = 0; i < ranks.size(); ++i) ranks[i] = objective(candidates.items[i], ranks[i]);
    const auto after = [&](uint32_t a, uint32_t b) {
      return ranks[a] != ranks[b] ? ranks[a] < ranks[b] : a > b;
    };
    std::make_heap(heap.begin(), heap.end(), after);
    const size_t most = options_.beam > 0 ? options_.beam : heap.size();
    std::vector<uint32_t> chosen;
    std::map<std::pair<int32_t, int32_t>, std::vector<uint32_t>> alike;  // by context and length
    for (auto end = heap.end(); end != heap.begin() && chosen.size() < most; --end) {
      std::pop_heap(heap.begin(), end, after);
      const uint32_t candidate = *(end - 1);
      const auto key = candidates.keys[candidate];
      auto& rivals = alike[{key[0], OracleStatistics::words(key.subspan(1))}];
      const auto better = [&](uint32_t rival) { return dominates(candidates, rival, candidate); };
      work(rivals.size());  // usually the first numbers decide
      if (std::any_of(rivals.begin(), rivals.end(), better)) continue;
      if (rivals.size() < kMostRivals) rivals.push_back(candidate);
      chosen.push_back(candidate);
    }
    return chosen;
  }

  /// For candidates of one context and length.
  bool dominates(const Candidates& candidates, uint32_t a, uint32_t b) const {
    const double model = candidates.items[a].model - candidates.items[b].model;
    if (!options_.monotone || options_.model_weight * model < 0) return false;
    const auto left = candidates.keys[a].subspan(1), right = candidates.keys[b].subspan(1);
    if (options_.metric_weight > 0) return statistics_.at_least(left, right);
    return options_.metric_weight == 0 || statistics_.at_least(right, left);
  }

  void keep(uint32_t node, const Candidates& candidates) {
    const std::vector<uint32_t> order = choose(node, candidates);
    keys_[node].reserve(order.size() * key_width());
    for (const uint32_t number : order) {
      const auto found = candidates.keys[number];
      keys_[node].insert(keys_[node].end(), found.begin(), found.end());
      OracleItem item = candidates.items[number];
      const size_t arity = forest_.tails(item.edge).size();
      const auto first = candidates.tails.begin() + item.first_tail;
      item.first_tail = static_cast<uint32_t>(tail_items_.size());
      tail_items_.insert(tail_items_.end(), first, first + static_cast<std::ptrdiff_t>(arity));
      items_.push_back(item);
    }
    first_item_[node + 1] = static_cast<uint32_t>(items_.size());
  }

  BleuOracle best(const Candidates& candidates) {
    const std::vector<double> found = gains(candidates, 1.0, scorer_);
    uint32_t chosen = 0;
    for (uint32_t i = 1; i < found.size(); ++i)
      if (objective(candidates.items[i], found[i]) > objective(candidates.items[chosen], found[chosen]))
        chosen = i;
    const OracleItem& item = candidates.items[chosen];
    BleuOracle oracle{{item.model, {}}, objective(item, found[chosen]), found[chosen], {}};
    oracle.stats.resize(scorer_.width());
    const auto row = candidates.keys[chosen].subspan(1);
    statistics_.bleu(row, references_.length(options_.reference_length, OracleStatistics::words(row)),
                     oracle.stats.data());

    // The item of the root is not in `items_`: it has a number of its own.
    constexpr uint32_t kTop = std::numeric_limits<uint32_t>::max();
    const auto at = [&](uint32_t number) -> const OracleItem& {
      return number == kTop ? item : items_[number];
    };
    oracle.derivation.edges = unfold(
        forest_, kTop, [&](uint32_t number) { return at(number).edge; },
        [&](uint32_t number, size_t i) {
          return (number == kTop ? candidates.tails : tail_items_)[at(number).first_tail + i];
        });
    return oracle;
  }

  const Forest& forest_;
  ReferenceNgrams references_;
  OracleStatistics statistics_;
  const metrics::Scorer& scorer_;
  metrics::BleuScorer ranking_;
  EdgeScores scores_;
  std::vector<double> best_models_;  // of each node
  const BleuOracleOptions& options_;
  ContextNeeds needs_;
  bool has_background_ = false;
  std::vector<double> shares_;
  std::vector<uint32_t> last_use_;  // the last node that has an edge with this tail

  SequencePool<int32_t> contexts_;
  std::vector<std::vector<int32_t>> keys_;  // of the items of each node
  std::vector<uint32_t> first_item_;        // of each node, in `items_`
  std::vector<OracleItem> items_;
  std::vector<uint32_t> tail_items_;
  size_t work_ = 0;

  Joined joined_;  // of the current edge
  YieldSequence yield_;
  std::vector<int32_t> key_, context_, combination_;
};

}  // namespace

BleuOracle bleu_oracle(const Forest& forest, const Texts& references, const metrics::Scorer& scorer,
                       std::span<const double> scores, const BleuOracleOptions& options) {
  if (options.background.size() != scorer.width() || scorer.width() < 3 || scorer.width() % 2 == 0)
    throw InputError("the background has " + std::to_string(options.background.size()) +
                     " statistics; expected " + std::to_string(scorer.width()));
  return BleuOracleSearch(forest, references, scorer, scores, options).run();
}

}  // namespace tunesmith::forest
