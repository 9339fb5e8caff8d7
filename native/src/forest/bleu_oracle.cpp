#include "tunesmith/forest/bleu_oracle.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/edge_scores.h"
#include "tunesmith/forest/kbest.h"
#include "tunesmith/forest/length_share.h"
#include "tunesmith/forest/oracle_candidates.h"
#include "tunesmith/forest/oracle_joins.h"
#include "tunesmith/forest/oracle_kbest.h"
#include "tunesmith/forest/oracle_statistics.h"

namespace tunesmith::forest {

namespace {

// Keeping a dominated item costs time but never the optimum; comparing with all others costs more.
constexpr size_t kMostRivals = 32;

/// A number for each word that rules of a forest have, equal if two are spelled alike.
std::vector<uint32_t> spellings_of(const Forest& forest) {
  NameTable names;
  std::vector<uint32_t> spellings(forest.names().words.size());
  for (const grammar::Symbol symbol : forest.rules().targets.values)
    if (!grammar::is_gap(symbol)) {
      const auto word = static_cast<size_t>(symbol);
      spellings[word] = static_cast<uint32_t>(names.intern(forest.names().words[word]));
    }
  return spellings;
}

class BleuOracleSearch {
 public:
  BleuOracleSearch(const Forest& forest, const Texts& references, const metrics::Scorer& scorer,
                   std::span<const double> scores, const BleuOracleOptions& options, size_t strings)
      : strings_(strings),
        forest_(forest),
        references_(forest, references, (scorer.width() - 1) / 2),
        statistics_(forest, references_),
        scorer_(scorer),
        ranking_(references_.order(), metrics::BleuSmoothing::add, 1.0),
        scores_(forest, scores),
        best_models_(inside_scores<ViterbiSemiring>(forest, scores_)),
        options_(options),
        preference_(options.model_weight == 0 ? 1.0 : options.model_weight),
        needs_(context_needs(forest)),
        keys_(forest.node_count()),
        first_item_(forest.node_count() + 1, 0),
        joins_(forest, references_, needs_) {
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

  std::vector<BleuOracle> run() {
    std::vector<std::vector<uint32_t>> done(forest_.node_count());
    for (uint32_t node = 0; node < forest_.node_count(); ++node) done[last_use_[node]].push_back(node);
    OracleCandidates candidates;
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
  /// Items per node: with more than one string, also some that are dominated.
  size_t width() const { return strings_ > 1 ? 2 * options_.beam : options_.beam; }
  size_t key_width() const { return 1 + statistics_.width(); }
  uint32_t item_count(uint32_t node) const { return first_item_[node + 1] - first_item_[node]; }
  std::span<const int32_t> key(uint32_t node, uint32_t rank) const {
    return std::span<const int32_t>(keys_[node]).subspan(rank * key_width(), key_width());
  }

  void combine(uint32_t node, OracleCandidates& candidates) {
    std::vector<uint32_t> ranks;
    for (uint32_t edge = forest_.first_edge(node); edge < forest_.last_edge(node); ++edge) {
      const auto tails = forest_.tails(edge);
      if (score_below(forest_, scores_, best_models_, edge) == kLogZero) continue;  // forbidden
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
      if (ranks[i] < item_count(tails[i]) && (options_.beam == 0 || product <= width())) return true;
      ranks[i] = 0;
    }
    return false;
  }

  void add(uint32_t node, uint32_t edge, const std::vector<uint32_t>& ranks, OracleCandidates& candidates) {
    work(key_width());
    const auto tails = forest_.tails(edge);
    contexts_of_tails_.clear();
    for (size_t i = 0; i < tails.size(); ++i) contexts_of_tails_.push_back(key(tails[i], ranks[i])[0]);
    const OracleJoin& join = joins_.of(node, edge, contexts_of_tails_);
    key_.assign(key_width(), 0);
    key_[0] = static_cast<int32_t>(join.context);
    const auto row = std::span<int32_t>(key_).subspan(1);
    double model = scores_(edge);
    for (size_t i = 0; i < tails.size(); ++i) {
      statistics_.add_row(row, key(tails[i], ranks[i]).subspan(1));
      model += graph_.best(first_item_[tails[i]] + ranks[i]).model;
    }
    if (model == kLogZero) throw InputError("scores have no finite sum: make weights or features smaller");
    statistics_.add_words(row, join.words);
    for (const uint32_t ngram : join.matches) statistics_.add_match(row, ngram);

    const uint32_t number = candidates.keys.intern(key_);
    const bool is_new = number == candidates.items.size();
    const bool is_better = is_new || preference_ * model > preference_ * candidates.items[number].model;
    if (!is_better && strings_ == 1) return;
    const OracleWay way{edge, static_cast<uint32_t>(candidates.tails.size()), model};
    for (size_t i = 0; i < tails.size(); ++i) candidates.tails.push_back(first_item_[tails[i]] + ranks[i]);
    if (is_new) {
      candidates.add(way);
    } else if (is_better) {
      const OracleWay before = std::exchange(candidates.items[number], way);
      if (strings_ > 1) candidates.add_other(number, before);
    } else {
      candidates.add_other(number, way);
    }
  }

  void work(size_t numbers) {
    work_ += numbers;
    if (options_.beam == 0 && work_ > options_.max_work)
      throw InputError("an exact oracle creates and compares more than " + std::to_string(options_.max_work) +
                       " numbers for this forest; give it a beam");
  }

  /// Gains of candidates that are a share of the sentence, with the background added.
  std::vector<double> gains(const OracleCandidates& candidates, double share,
                            const metrics::Scorer& scorer) const {
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

  double objective(const OracleWay& item, double gain) const {
    return options_.model_weight * item.model + options_.metric_weight * gain;
  }

  /// Whether one of two candidates with equal objectives comes before the other. If the objective has no
  /// model score, it decides here.
  bool is_preferred(const OracleCandidates& candidates, uint32_t a, uint32_t b) const {
    const double left = candidates.items[a].model, right = candidates.items[b].model;
    return options_.model_weight == 0 && left != right ? left > right : a < b;
  }

  /// The candidates to keep, best first: those not found to be dominated by a better one, up to the beam.
  /// For n strings, as many that fewer than n better ones dominate follow: without a beam, all of them, since
  /// one that n others dominate, whose strings differ, is part of no derivation among the n best.
  std::vector<uint32_t> choose(uint32_t node, const OracleCandidates& candidates) {
    std::vector<uint32_t> heap(candidates.items.size());
    std::iota(heap.begin(), heap.end(), 0);
    if (heap.size() < 2) return heap;
    std::vector<double> ranks = gains(candidates, shares_[node], has_background_ ? scorer_ : ranking_);
    for (size_t i = 0; i < ranks.size(); ++i) ranks[i] = objective(candidates.items[i], ranks[i]);
    const auto after = [&](uint32_t a, uint32_t b) {
      return ranks[a] != ranks[b] ? ranks[a] < ranks[b] : is_preferred(candidates, b, a);
    };
    std::make_heap(heap.begin(), heap.end(), after);
    const size_t most = options_.beam > 0 ? options_.beam : heap.size();
    const size_t most_rivals = std::max(kMostRivals, strings_);
    std::vector<uint32_t> chosen, spare;
    rivals_.clear();
    for (auto end = heap.end(); end != heap.begin() && chosen.size() < most; --end) {
      std::pop_heap(heap.begin(), end, after);
      const uint32_t candidate = *(end - 1);
      const auto key = candidates.keys[candidate];
      const auto is_better = [&](uint32_t rival) { return dominates(candidates, rival, candidate); };
      const int32_t length = OracleStatistics::words(key.subspan(1));
      const size_t enough = spare.size() < most ? strings_ : 1;  // without room, one that dominates it
      const size_t better = rivals_.count(key[0], length, enough, is_better);
      work(rivals_.size());  // usually the first numbers decide
      if (better == enough) continue;
      if (rivals_.size() < most_rivals) rivals_.add(candidate);
      (better == 0 ? chosen : spare).push_back(candidate);
    }
    chosen.insert(chosen.end(), spare.begin(), spare.end());
    return chosen;
  }

  /// For candidates of one context and length.
  bool dominates(const OracleCandidates& candidates, uint32_t a, uint32_t b) const {
    const double model = candidates.items[a].model - candidates.items[b].model;
    if (!options_.monotone || options_.model_weight * model < 0) return false;
    const auto left = candidates.keys[a].subspan(1), right = candidates.keys[b].subspan(1);
    if (options_.metric_weight > 0) return statistics_.at_least(left, right);
    return options_.metric_weight == 0 || statistics_.at_least(right, left);
  }

  void keep(uint32_t node, const OracleCandidates& candidates) {
    const std::vector<uint32_t> order = choose(node, candidates);
    keys_[node].reserve(order.size() * key_width());
    for (const uint32_t number : order) {
      const auto found = candidates.keys[number];
      keys_[node].insert(keys_[node].end(), found.begin(), found.end());
      keep_ways(number, candidates);
      graph_.first_way.push_back(static_cast<uint32_t>(graph_.ways.size()));
    }
    first_item_[node + 1] = graph_.size();
  }

  /// Adds the ways to make a candidate to the graph.
  void keep_ways(uint32_t number, const OracleCandidates& candidates) {
    keep_way(candidates.items[number], candidates);
    for (uint32_t at = candidates.last_other[number]; at != OracleCandidates::kNone;
         at = candidates.others[at].next)
      keep_way(candidates.others[at].way, candidates);
  }

  void keep_way(OracleWay way, const OracleCandidates& candidates) {
    const auto first = candidates.tails.begin() + way.first_tail;
    way.first_tail = static_cast<uint32_t>(graph_.tails.size());
    const auto arity = static_cast<std::ptrdiff_t>(forest_.tails(way.edge).size());
    graph_.tails.insert(graph_.tails.end(), first, first + arity);
    graph_.ways.push_back(way);
  }

  /// The best derivations of the root with different strings. Its candidates become one item: each way to
  /// make it has the gain of its candidate.
  std::vector<BleuOracle> best(const OracleCandidates& candidates) {
    const std::vector<double> found = gains(candidates, 1.0, scorer_);
    std::vector<uint32_t> order(found.size());
    std::iota(order.begin(), order.end(), 0);
    const auto value = [&](uint32_t i) { return objective(candidates.items[i], found[i]); };
    const auto before = [&](uint32_t a, uint32_t b) {
      return value(a) != value(b) ? value(a) > value(b) : is_preferred(candidates, a, b);
    };
    // Each candidate has a string that no other one has.
    const size_t count = std::min(strings_, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), before);
    std::vector<double> bonuses;
    std::vector<uint32_t> owners;
    for (size_t i = 0; i < count; ++i) {
      keep_ways(order[i], candidates);
      const size_t ways = graph_.ways.size() - graph_.first_way.back();
      owners.resize(ways, order[i]);
      bonuses.resize(ways, options_.metric_weight * found[order[i]]);
    }
    graph_.first_way.push_back(static_cast<uint32_t>(graph_.ways.size()));
    const auto spellings = strings_ > 1 ? spellings_of(forest_) : std::vector<uint32_t>();
    OracleKbest derivations(forest_, graph_, spellings, bonuses, options_.model_weight,
                            strings_ * KbestOptions().patience);
    std::vector<BleuOracle> oracles;
    while (oracles.size() < strings_) {
      auto next = derivations.next();
      if (!next) break;
      const uint32_t owner = owners[next->way];
      const double model = next->derivation.score;
      BleuOracle oracle{std::move(next->derivation),
                        options_.model_weight * model + options_.metric_weight * found[owner], found[owner],
                        std::vector<double>(scorer_.width())};
      const auto row = candidates.keys[owner].subspan(1);
      statistics_.bleu(row, references_.length(options_.reference_length, OracleStatistics::words(row)),
                       oracle.stats.data());
      oracles.push_back(std::move(oracle));
    }
    return oracles;
  }

  size_t strings_;  // how many are asked for
  const Forest& forest_;
  ReferenceNgrams references_;
  OracleStatistics statistics_;
  const metrics::Scorer& scorer_;
  metrics::BleuScorer ranking_;
  EdgeScores scores_;
  std::vector<double> best_models_;  // of each node
  const BleuOracleOptions& options_;
  double preference_;  // weight of model scores among derivations with equal statistics: 1 if it is 0
  ContextNeeds needs_;
  bool has_background_ = false;
  std::vector<double> shares_;
  std::vector<uint32_t> last_use_;  // the last node that has an edge with this tail

  std::vector<std::vector<int32_t>> keys_;  // of the items of each node
  std::vector<uint32_t> first_item_;        // of each node, in `graph_`
  OracleGraph graph_;
  OracleRivals rivals_;
  size_t work_ = 0;

  OracleJoins joins_;
  std::vector<int32_t> key_, contexts_of_tails_;
};

}  // namespace

BleuOracle bleu_oracle(const Forest& forest, const Texts& references, const metrics::Scorer& scorer,
                       std::span<const double> scores, const BleuOracleOptions& options) {
  return std::move(bleu_oracles(forest, references, scorer, scores, options, 1).front());
}

std::vector<BleuOracle> bleu_oracles(const Forest& forest, const Texts& references,
                                     const metrics::Scorer& scorer, std::span<const double> scores,
                                     const BleuOracleOptions& options, size_t strings) {
  if (options.background.size() != scorer.width() || scorer.width() < 3 || scorer.width() % 2 == 0)
    throw InputError("the background has " + std::to_string(options.background.size()) +
                     " statistics; expected " + std::to_string(scorer.width()));
  if (strings == 0) throw InputError("no oracle was asked for; expected at least 1");
  return BleuOracleSearch(forest, references, scorer, scores, options, strings).run();
}

}  // namespace tunesmith::forest
