#include "tunesmith/forest/ngram_presence.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/forest/edge_scores.h"
#include "tunesmith/forest/inside_outside.h"

namespace tunesmith::forest {

namespace {

constexpr size_t kLanes = 8;  // n-grams per block: a cache line of doubles

using Lanes = std::array<double, kLanes>;

/// An n-gram of a block (its lane) that is new at an edge.
struct Hit {
  uint32_t edge;
  uint32_t lane;
};

void check_ngrams(const Forest& forest, const EdgeNgrams& ngrams) {
  const auto& offsets = ngrams.offsets;
  if (offsets.size() != forest.edge_count() + 1 || offsets.front() != 0 ||
      static_cast<size_t>(offsets.back()) != ngrams.ids.size() || !std::ranges::is_sorted(offsets))
    throw InputError("the n-grams of edges do not fit the forest; expected one row per edge");
  for (const int32_t id : ngrams.ids)
    if (id < 0 || static_cast<size_t>(id) >= ngrams.count)
      throw InputError("an edge has an n-gram that is out of range");
}

/// The hits of each block, by edge, sorted by counting.
Rows<Hit> hits_of_blocks(const Forest& forest, const EdgeNgrams& ngrams) {
  Rows<Hit> hits;
  hits.offsets.assign(chunk_count(ngrams.count, kLanes) + 1, 0);
  for (const int32_t id : ngrams.ids) ++hits.offsets[static_cast<size_t>(id) / kLanes + 1];
  for (size_t i = 1; i < hits.offsets.size(); ++i) hits.offsets[i] += hits.offsets[i - 1];
  std::vector<uint32_t> next(hits.offsets);
  hits.values.resize(ngrams.ids.size());
  for (uint32_t edge = 0; edge < forest.edge_count(); ++edge)
    for (int32_t i = ngrams.offsets[edge]; i < ngrams.offsets[edge + 1]; ++i) {
      const auto id = static_cast<size_t>(ngrams.ids[static_cast<size_t>(i)]);
      hits.values[next[id / kLanes]++] = {edge, static_cast<uint32_t>(id % kLanes)};
    }
  return hits;
}

/// p(e | head) of each edge; sums to one at every node that has a derivation.
std::vector<double> edge_choices(const Forest& forest, std::span<const double> edge_scores) {
  const EdgeScores scores(forest, edge_scores);
  const auto beta = inside_scores<LogSemiring>(forest, scores);
  check_derivable(forest, beta);
  std::vector<double> choices(forest.edge_count());
  for (uint32_t node = 0; node < forest.node_count(); ++node) {
    if (beta[node] == kLogZero) continue;
    double sum = 0;
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      choices[edge] = std::exp(score_below(forest, scores, beta, edge) - beta[node]);
      sum += choices[edge];
    }
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) choices[edge] /= sum;
  }
  return choices;
}

/// The recursion for one block; memory is reused by the next.
class PresenceRecursion {
 public:
  PresenceRecursion(const Forest& forest, std::span<const double> choices)
      : forest_(forest), choices_(choices), present_(forest.node_count()), touched_(forest.node_count()) {}

  /// For each lane the probability that a derivation of the root has a hit.
  Lanes run(std::span<const Hit> hits) {
    if (hits.empty()) return {};
    const auto& offsets = forest_.arrays().edge_offsets;
    const auto above = std::ranges::upper_bound(offsets, hits.front().edge);
    const auto first = static_cast<uint32_t>(above - offsets.begin() - 1);
    std::fill(touched_.begin(), touched_.begin() + first, 0);
    auto hit = hits.begin();
    for (uint32_t node = first; node < forest_.node_count(); ++node) {
      const auto begin = hit;
      while (hit != hits.end() && hit->edge < forest_.last_edge(node)) ++hit;
      touched_[node] = begin != hit || has_touched_tail(node);
      if (touched_[node]) present_[node] = sum(node, {begin, hit});
    }
    return touched_[forest_.root()] ? present_[forest_.root()] : Lanes{};
  }

 private:
  bool has_touched_tail(uint32_t node) const {
    for (uint32_t edge = forest_.first_edge(node); edge < forest_.last_edge(node); ++edge)
      for (const uint32_t tail : forest_.tails(edge))
        if (touched_[tail]) return true;
    return false;
  }

  Lanes sum(uint32_t node, std::span<const Hit> hits) const {
    Lanes sums{};
    auto hit = hits.begin();
    for (uint32_t edge = forest_.first_edge(node); edge < forest_.last_edge(node); ++edge) {
      Lanes present{};
      for (; hit != hits.end() && hit->edge == edge; ++hit) present[hit->lane] = 1;
      for (const uint32_t tail : forest_.tails(edge)) {
        if (!touched_[tail]) continue;
        const Lanes& below = present_[tail];
        for (size_t i = 0; i < kLanes; ++i) present[i] += below[i] * (1 - present[i]);
      }
      for (size_t i = 0; i < kLanes; ++i) sums[i] += choices_[edge] * present[i];
    }
    return sums;
  }

  const Forest& forest_;
  std::span<const double> choices_;
  std::vector<Lanes> present_;    // defined if touched, else 0
  std::vector<uint8_t> touched_;  // whether a derivation of the node may have a hit
};

}  // namespace

std::vector<double> ngram_presence(const Forest& forest, std::span<const double> scores,
                                   const EdgeNgrams& ngrams, int threads) {
  check_ngrams(forest, ngrams);
  std::vector<double> presence(ngrams.count);
  if (forest.empty()) return presence;
  const auto choices = edge_choices(forest, scores);
  const auto hits = hits_of_blocks(forest, ngrams);
  const size_t blocks = hits.size();
  const size_t portion = std::max<size_t>(1, chunk_count(blocks, static_cast<size_t>(std::max(threads, 1))));
  // Blocks are independent, so that their chunks may depend on the number of threads.
  parallel_chunks(blocks, portion, threads, [&](size_t, size_t begin, size_t end) {
    PresenceRecursion recursion(forest, choices);
    for (size_t block = begin; block < end; ++block) {
      const Lanes present = recursion.run(hits[block]);
      for (size_t i = 0; i < kLanes && block * kLanes + i < ngrams.count; ++i)
        presence[block * kLanes + i] = std::min(present[i], 1.0);
    }
  });
  return presence;
}

}  // namespace tunesmith::forest
