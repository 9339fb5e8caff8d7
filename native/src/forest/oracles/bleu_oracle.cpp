#include "tunesmith/forest/oracles/bleu_oracle.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/edge_scores.h"
#include "tunesmith/forest/kbest.h"
#include "tunesmith/forest/oracles/candidates.h"
#include "tunesmith/forest/oracles/gains.h"
#include "tunesmith/forest/oracles/joins.h"
#include "tunesmith/forest/oracles/kbest.h"
#include "tunesmith/forest/oracles/length_share.h"
#include "tunesmith/forest/oracles/rows.h"
#include "tunesmith/forest/oracles/statistics.h"

namespace tunesmith::forest::oracles {

namespace {

// Keeping a dominated item costs time but never the optimum; comparing with all others costs more.
constexpr size_t kMostRivals = 32;

// No forest is asked for more; the sums of a few such numbers fit.
constexpr size_t kMostStrings = size_t{1} << 30;

/// Losses are estimates: more strings are found than asked for, and the best of them taken.
size_t with_more(size_t strings) { return strings + std::max<size_t>(10, strings / 4); }

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
        gains_(references_, statistics_, scorer, options),
        scores_(forest, scores),
        best_models_(inside_scores<ViterbiSemiring>(forest, scores_)),
        options_(options),
        preference_(options.model_weight == 0 ? 1.0 : options.model_weight),
        needs_(context_needs(forest)),
        keys_(forest.node_count()),
        first_item_(forest.node_count() + 1, 0),
        joins_(forest, references_, needs_) {
    check_derivable(forest, best_models_);
    graph_.has_losses = strings > 1 && options.beam > 0;
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
    OracleCandidates candidates(key_width());
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
  struct Ranked {
    double rank;
    uint32_t candidate;
  };

  /// Of a context and statistics, rounded up to an even number.
  size_t key_width() const { return (2 + statistics_.width()) / 2 * 2; }
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
      if (ranks[i] < item_count(tails[i]) && (options_.beam == 0 || product <= options_.beam)) return true;
      ranks[i] = 0;
    }
    return false;
  }

  void add(uint32_t node, uint32_t edge, const std::vector<uint32_t>& ranks, OracleCandidates& candidates) {
    work(1 + statistics_.width());
    const auto tails = forest_.tails(edge);
    contexts_of_tails_.clear();
    for (size_t i = 0; i < tails.size(); ++i) contexts_of_tails_.push_back(key(tails[i], ranks[i])[0]);
    const OracleJoin& join = joins_.of(node, edge, contexts_of_tails_);
    if (tails.empty()) {
      key_.assign(key_width(), 0);
    } else {
      const auto first = key(tails[0], ranks[0]);
      key_.assign(first.begin(), first.end());
    }
    key_[0] = static_cast<int32_t>(join.context);
    const auto row = std::span<int32_t>(key_).subspan(1);
    for (size_t i = 1; i < tails.size(); ++i) statistics_.add_row(row, key(tails[i], ranks[i]).subspan(1));
    double model = scores_(edge);
    for (size_t i = 0; i < tails.size(); ++i) model += graph_.best(first_item_[tails[i]] + ranks[i]).model;
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
  /// For n strings without a beam, those follow that fewer than n better ones dominate: one that n others
  /// dominate, whose strings differ, is part of no derivation among the n best. With a beam, a dominated one
  /// is not extended by itself: it may take the place of the one that dominates it.
  std::vector<uint32_t> choose(uint32_t node, OracleCandidates& candidates) {
    const auto count = static_cast<uint32_t>(candidates.items.size());
    if (count < 2) return std::vector<uint32_t>(count, 0);
    const std::vector<double>& found = gains_.partial(candidates, shares_[node]);
    std::vector<Ranked>& heap = ranked_;
    heap.clear();
    for (uint32_t i = 0; i < count; ++i) heap.push_back({objective(candidates.items[i], found[i]), i});
    const auto after = [&](const Ranked& a, const Ranked& b) {
      return a.rank != b.rank ? a.rank < b.rank : is_preferred(candidates, b.candidate, a.candidate);
    };
    std::make_heap(heap.begin(), heap.end(), after);
    const size_t most = options_.beam > 0 ? options_.beam : heap.size();
    const size_t most_rivals = options_.beam > 0 ? kMostRivals : std::max(kMostRivals, strings_);
    std::vector<uint32_t> chosen, spare;
    rivals_.clear();
    for (auto end = heap.end(); end != heap.begin() && chosen.size() < most; --end) {
      std::pop_heap(heap.begin(), end, after);
      const uint32_t candidate = (end - 1)->candidate;
      const auto key = candidates.keys[candidate];
      uint32_t better_one = candidate;
      const auto is_better = [&](uint32_t rival) {
        if (!dominates(candidates, rival, candidate)) return false;
        better_one = rival;
        return true;
      };
      const int32_t length = OracleStatistics::words(key.subspan(1));
      const size_t enough = options_.beam > 0 ? 1 : strings_;
      const size_t better = rivals_.count(key[0], length, enough, is_better);
      work(rivals_.size());  // usually the first numbers decide
      if (better == enough) {
        if (graph_.has_losses)
          candidates.add_dominated(better_one, candidate,
                                   gains_.loss(found[better_one] - found[candidate], length, shares_[node]));
        continue;
      }
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

  void keep(uint32_t node, OracleCandidates& candidates) {
    const std::vector<uint32_t> order = choose(node, candidates);
    keys_[node].reserve(order.size() * key_width());
    for (const uint32_t number : order) {
      const auto found = candidates.keys[number];
      keys_[node].insert(keys_[node].end(), found.begin(), found.end());
      candidates.keep_ways(number, forest_, graph_);
      graph_.first_way.push_back(static_cast<uint32_t>(graph_.ways.size()));
    }
    first_item_[node + 1] = graph_.size();
  }

  /// The best derivations of the root with different strings. Its candidates become one item: each way to
  /// make it has the gain of its candidate.
  std::vector<BleuOracle> best(const OracleCandidates& candidates) {
    const std::vector<double>& found = gains_.whole(candidates);
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
      candidates.keep_ways(order[i], forest_, graph_);
      const size_t ways = graph_.ways.size() - graph_.first_way.back();
      owners.resize(ways, order[i]);
      bonuses.resize(ways, options_.metric_weight * found[order[i]]);
    }
    graph_.first_way.push_back(static_cast<uint32_t>(graph_.ways.size()));
    const auto spellings = strings_ > 1 ? spellings_of(forest_) : std::vector<uint32_t>();
    OracleKbest derivations(forest_, graph_, spellings, bonuses, options_.model_weight,
                            strings_ * KbestOptions().patience);
    OracleRows rows(forest_, statistics_, joins_);
    const size_t most = graph_.has_losses ? with_more(strings_) : strings_;
    std::vector<BleuOracle> oracles;
    for (auto& [way, derivation, loss] : derivations.best(static_cast<uint32_t>(most))) {
      const uint32_t owner = owners[way];
      const auto row = loss > 0 ? rows.of(derivation.edges) : candidates.keys[owner].subspan(1);
      BleuOracle oracle{std::move(derivation), 0.0, found[owner], gains_.stats(row)};
      if (loss > 0) oracle.gain = gains_.whole(oracle.stats);
      if (graph_.has_losses && !oracles.empty()) oracle.derivation.score = model_score(oracle.derivation);
      oracle.value = options_.model_weight * oracle.derivation.score + options_.metric_weight * oracle.gain;
      oracles.push_back(std::move(oracle));
    }
    if (graph_.has_losses) keep_best(oracles);
    return oracles;
  }

  double model_score(const Derivation& derivation) const {
    double score = 0;
    for (const uint32_t edge : derivation.edges) score += scores_(edge);
    return score;
  }

  /// Sorts oracles by their objective. The first one is the best, as it has no loss; rounding does not move
  /// it.
  void keep_best(std::vector<BleuOracle>& oracles) const {
    const bool by_model = options_.model_weight == 0;
    std::stable_sort(oracles.begin() + 1, oracles.end(), [&](const BleuOracle& a, const BleuOracle& b) {
      return by_model && a.value == b.value ? a.derivation.score > b.derivation.score : a.value > b.value;
    });
    if (oracles.size() > strings_) oracles.resize(strings_);
  }

  size_t strings_;  // how many are asked for
  const Forest& forest_;
  ReferenceNgrams references_;
  OracleStatistics statistics_;
  OracleGains gains_;
  EdgeScores scores_;
  std::vector<double> best_models_;  // of each node
  const BleuOracleOptions& options_;
  double preference_;  // weight of model scores among derivations with equal statistics: 1 if it is 0
  ContextNeeds needs_;
  std::vector<double> shares_;
  std::vector<uint32_t> last_use_;  // the last node that has an edge with this tail

  std::vector<std::vector<int32_t>> keys_;  // of the items of each node
  std::vector<uint32_t> first_item_;        // of each node, in `graph_`
  OracleGraph graph_;
  OracleRivals rivals_;
  size_t work_ = 0;

  OracleJoins joins_;
  std::vector<int32_t> key_, contexts_of_tails_;
  std::vector<Ranked> ranked_;
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
  return BleuOracleSearch(forest, references, scorer, scores, options, std::min(strings, kMostStrings)).run();
}

}  // namespace tunesmith::forest::oracles
