#include "tunesmith/forest/kbest.h"

#include <algorithm>

#include "tunesmith/base/text.h"
#include "tunesmith/forest/viterbi.h"

namespace tunesmith::forest {

LazyKbest::LazyKbest(const Forest& forest, std::span<const double> scores)
    : forest_(forest),
      scores_(forest, scores),
      beta_(inside_scores<ViterbiSemiring>(forest, scores_)),
      nodes_(forest.node_count()) {}

LazyKbest LazyKbest::unique(const Forest& forest, std::span<const double> scores, uint64_t max_repeats) {
  LazyKbest result(forest, scores);
  result.unique_ = true;
  result.repeats_left_ = max_repeats;
  result.yields_.resize(forest.node_count());
  result.find_best_yields();
  return result;
}

bool LazyKbest::worse(const Candidate& a, const Candidate& b) const {
  if (a.score != b.score) return a.score < b.score;
  if (a.edge != b.edge) return a.edge > b.edge;
  const size_t tails = forest_.tails(a.edge).size();
  const auto* first = ranks_.data();
  return std::lexicographical_compare(first + b.ranks, first + b.ranks + tails, first + a.ranks,
                                      first + a.ranks + tails);
}

void LazyKbest::push(Node& node, const Candidate& candidate) {
  node.heap.push_back(candidate);
  std::push_heap(node.heap.begin(), node.heap.end(),
                 [this](const Candidate& a, const Candidate& b) { return worse(a, b); });
}

void LazyKbest::pop(uint32_t number) {
  Node& node = nodes_[number];
  std::pop_heap(node.heap.begin(), node.heap.end(),
                [this](const Candidate& a, const Candidate& b) { return worse(a, b); });
  node.last = node.heap.back();
  node.heap.pop_back();
  node.extended = 0;
  node.any = true;
  if (!unique_ || !repeats(number, node.last)) node.found.push_back(node.last);
}

/// Whether the node has the yield of a candidate already; if not, records it.
bool LazyKbest::repeats(uint32_t number, const Candidate& candidate) {
  const YieldHash found = yield(candidate);
  std::vector<YieldHash>& known = yields_[number];
  // As in Interner: another yield with this hash, or of another node, and the next key is tried.
  for (uint64_t key = mix(number, YieldHash::Hasher()(found));; ++key) {
    const auto [seen, is_new] = seen_.insert(key, {number, static_cast<uint32_t>(known.size())});
    if (is_new) {
      known.push_back(found);
      return false;
    }
    if (seen.node != number || known[seen.rank] != found) continue;
    repeats_left_ -= repeats_left_ > 0;
    return true;
  }
}

YieldHash LazyKbest::yield(const Candidate& candidate) const {
  const auto tails = forest_.tails(candidate.edge);
  YieldHash result;
  for (const grammar::Symbol symbol : forest_.target(candidate.edge)) {
    if (!grammar::is_gap(symbol)) {
      result.append(static_cast<uint32_t>(symbol));
      continue;
    }
    const size_t gap = grammar::gap_index(symbol);
    const uint32_t rank = ranks_[candidate.ranks + gap];
    result.append(rank == 0 ? best_yields_[tails[gap]] : yields_[tails[gap]][rank]);
  }
  return result;
}

/// The yields of best derivations, bottom-up, so that no node must be opened for the yields of its tails.
void LazyKbest::find_best_yields() {
  ranks_.assign(64, 0);  // the largest number of tails of an edge
  best_yields_.resize(forest_.node_count());
  for (uint32_t node = 0; node < forest_.node_count(); ++node)
    best_yields_[node] = yield({beta_[node], best_edge(forest_, scores_, beta_, node), 0});
}

/// Fills the heap with the best derivation of each edge. Only Viterbi scores of the tails are needed.
void LazyKbest::open(uint32_t number) {
  Node& node = nodes_[number];
  if (node.open) return;
  node.open = true;
  for (uint32_t edge = forest_.first_edge(number); edge < forest_.last_edge(number); ++edge) {
    const double score = score_below(forest_, scores_, beta_, edge);
    if (score == kLogZero) continue;
    node.heap.push_back({score, edge, ranks_.size()});
    ranks_.resize(ranks_.size() + forest_.tails(edge).size());
  }
  std::make_heap(node.heap.begin(), node.heap.end(),
                 [this](const Candidate& a, const Candidate& b) { return worse(a, b); });
  if (!node.heap.empty()) pop(number);
}

/// Pushes the successors of the last derivation found: one rank higher at one tail. Only tails from the last
/// one with a rank above 0 are raised, so that each tuple of ranks has one predecessor and is pushed once.
/// If a derivation of a tail must be found first, returns it, and must be called again.
std::optional<LazyKbest::NodeRank> LazyKbest::extend(Node& node) {
  const Candidate last = node.last;
  const auto tails = forest_.tails(last.edge);
  size_t first = 0;
  for (size_t i = 0; i < tails.size(); ++i)
    if (ranks_[last.ranks + i] > 0) first = i;
  for (; node.extended < tails.size(); ++node.extended) {
    if (node.extended < first) continue;
    const uint32_t tail = tails[node.extended];
    const uint32_t rank = ranks_[last.ranks + node.extended] + 1;
    if (!has(tail, rank)) {
      if (!spent(nodes_[tail])) return NodeRank{tail, rank};
      continue;
    }
    const uint64_t ranks = ranks_.size();
    for (size_t i = 0; i < tails.size(); ++i) ranks_.push_back(ranks_[last.ranks + i]);
    ++ranks_[ranks + node.extended];
    double score = scores_(last.edge);
    for (size_t i = 0; i < tails.size(); ++i) {
      const uint32_t of_tail = ranks_[ranks + i];
      score += of_tail == 0 ? beta_[tails[i]] : nodes_[tails[i]].found[of_tail].score;
    }
    push(node, {score, last.edge, ranks});
  }
  return std::nullopt;
}

/// Whether all derivations of a node were found: the heap is empty, and the last one has no successor left.
bool LazyKbest::spent(const Node& node) const {
  if (!node.open || !node.heap.empty()) return false;
  return !node.any || node.extended == forest_.tails(node.last.edge).size();
}

/// Finds derivations of a node up to a rank, and those of its tails that this needs, by an explicit stack.
bool LazyKbest::find(uint32_t number, uint32_t rank) {
  std::vector<NodeRank> stack{{number, rank}};
  while (!stack.empty()) {
    const NodeRank wanted = stack.back();
    Node& node = nodes_[wanted.node];
    open(wanted.node);
    if (has(wanted.node, wanted.rank) || spent(node)) {
      stack.pop_back();
    } else if (const auto missing = extend(node)) {
      stack.push_back(*missing);
    } else if (!node.heap.empty()) {
      pop(wanted.node);
      if (unique_ && repeats_left_ == 0) break;
    }
  }
  return has(number, rank);
}

std::optional<Derivation> LazyKbest::next() {
  if (forest_.empty() || !find(forest_.root(), next_)) return std::nullopt;
  const double score = nodes_[forest_.root()].found[next_].score;
  const auto used = [this](NodeRank item) -> const Candidate& {
    open(item.node);
    return nodes_[item.node].found[item.rank];
  };
  auto edges = unfold(
      forest_, NodeRank{forest_.root(), next_}, [&](NodeRank item) { return used(item).edge; },
      [&](NodeRank item, size_t i) {
        const Candidate& candidate = used(item);
        return NodeRank{forest_.tails(candidate.edge)[i], ranks_[candidate.ranks + i]};
      });
  ++next_;
  return Derivation{score, std::move(edges)};
}

KbestTexts::KbestTexts(const Forest& forest, std::span<const double> scores, const KbestOptions& options)
    : forest_(forest),
      options_(options),
      derivations_(options.unique ? LazyKbest::unique(forest, scores, uint64_t{options.k} * options.patience)
                                  : LazyKbest(forest, scores)) {}

std::optional<TextDerivation> KbestTexts::next() {
  while (given_ < options_.k && repeats_ <= uint64_t{options_.k} * options_.patience) {
    auto derivation = derivations_.next();
    if (!derivation) break;
    std::string text;
    append_words(forest_, derivation_words(forest_, derivation->edges), text);
    if (options_.unique && !seen_.insert(text).second) {
      ++repeats_;
      continue;
    }
    ++given_;
    return TextDerivation{std::move(*derivation), std::move(text)};
  }
  return std::nullopt;
}

std::vector<Derivation> kbest(const Forest& forest, std::span<const double> scores,
                              const KbestOptions& options) {
  std::vector<Derivation> result;
  if (options.unique) {
    KbestTexts texts(forest, scores, options);
    while (auto found = texts.next()) result.push_back(std::move(found->derivation));
    return result;
  }
  LazyKbest derivations(forest, scores);
  while (result.size() < options.k) {
    auto found = derivations.next();
    if (!found) break;
    result.push_back(std::move(*found));
  }
  return result;
}

}  // namespace tunesmith::forest
