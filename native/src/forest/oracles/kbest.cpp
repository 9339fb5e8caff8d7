#include "tunesmith/forest/oracles/kbest.h"

#include <algorithm>

namespace tunesmith::forest::oracles {

OracleKbest::OracleKbest(const Forest& forest, const OracleGraph& graph, std::span<const uint32_t> spellings,
                         std::span<const double> bonuses, double model_weight, uint64_t max_repeats)
    : forest_(forest),
      graph_(graph),
      spellings_(spellings),
      bonuses_(bonuses),
      model_weight_(model_weight),
      repeats_left_(max_repeats) {}

bool OracleKbest::worse(const Candidate& a, const Candidate& b) const {
  if (a.score != b.score) return a.score < b.score;
  if (model_weight_ == 0 && a.model != b.model) return a.model < b.model;
  if (a.way != b.way) return a.way > b.way;
  const size_t count = tails(a.way).size();
  const auto* first = ranks_.data();
  return std::lexicographical_compare(first + b.ranks, first + b.ranks + count, first + a.ranks,
                                      first + a.ranks + count);
}

/// A way of the last item has a bonus; those of others are comparable without.
OracleKbest::Candidate OracleKbest::made(uint32_t way, double model, double loss, uint32_t ranks) const {
  const uint32_t first = graph_.first_way[graph_.size() - 1];
  const double bonus = way >= first ? bonuses_[way - first] : 0.0;
  return {model_weight_ * model + bonus - loss, model, loss, way, ranks};
}

/// Opens an item, and before it those of its best derivation, by an explicit stack.
void OracleKbest::open(uint32_t item) {
  std::vector<uint32_t> stack{item};
  while (!stack.empty()) {
    const uint32_t top = stack.back();
    const size_t before = stack.size();
    if (opened_.find(top) == nullptr) {
      const auto first = [&](uint32_t way) { return made(way, graph_.ways[way].model, graph_.loss(way), 0); };
      Candidate best = first(graph_.first_way[top]);
      for (uint32_t way = best.way + 1; way < graph_.first_way[top + 1]; ++way)
        if (const Candidate other = first(way); worse(best, other)) best = other;
      for (const uint32_t tail : tails(best.way))
        if (opened_.find(tail) == nullptr) stack.push_back(tail);
    }
    if (stack.size() > before) continue;
    stack.pop_back();
    if (opened_.find(top) == nullptr) fill(top);
  }
}

/// Fills the heap of an item with its ways, and pops the best, whose tails are open.
void OracleKbest::fill(uint32_t item) {
  const auto number = static_cast<uint32_t>(items_.size());
  opened_.insert(item, number);
  Item& opened = items_.emplace_back();
  opened.number = item;
  for (uint32_t way = graph_.first_way[item]; way < graph_.first_way[item + 1]; ++way) {
    const double model = graph_.ways[way].model;
    opened.heap.push_back(made(way, model, graph_.loss(way), static_cast<uint32_t>(ranks_.size())));
    ranks_.resize(ranks_.size() + tails(way).size(), 0);
  }
  std::make_heap(opened.heap.begin(), opened.heap.end(),
                 [this](const Candidate& a, const Candidate& b) { return worse(a, b); });
  pop(number);
}

/// Moves the best of the heap to those found, unless its string was found before. Estimated losses may be
/// such that the one found later has the better model score: then it takes the place of the other. The first
/// one stays: it is that of a search for one string.
void OracleKbest::pop(uint32_t number) {
  {
    Item& item = items_[number];
    std::pop_heap(item.heap.begin(), item.heap.end(),
                  [this](const Candidate& a, const Candidate& b) { return worse(a, b); });
    item.last = item.heap.back();
    item.heap.pop_back();
    item.extended = 0;
    item.any = true;
  }
  for (const uint32_t tail : tails(items_[number].last.way)) open(tail);  // may move the items
  Item& item = items_[number];
  const YieldHash made = yield(item.last);
  if (const auto known = std::ranges::find(item.yields, made); known != item.yields.end()) {
    Candidate& found = item.found[static_cast<size_t>(known - item.yields.begin())];
    const bool is_first = known == item.yields.begin();
    const double preference = model_weight_ == 0 ? 1.0 : model_weight_;
    if (graph_.has_losses && !is_first && preference * item.last.model > preference * found.model)
      found = item.last;
    repeats_left_ -= repeats_left_ > 0;
    return;
  }
  item.yields.push_back(made);
  item.found.push_back(item.last);
}

YieldHash OracleKbest::yield(const Candidate& candidate) const {
  const auto below = tails(candidate.way);
  YieldHash result;
  for (const grammar::Symbol symbol : forest_.target(graph_.ways[candidate.way].edge)) {
    if (!grammar::is_gap(symbol)) {
      const auto word = static_cast<uint32_t>(symbol);
      result.append(spellings_.empty() ? word : spellings_[word]);
      continue;
    }
    const size_t gap = grammar::gap_index(symbol);
    result.append(at(below[gap]).yields[ranks_[candidate.ranks + gap]]);
  }
  return result;
}

/// Pushes the successors of the last derivation of an item: one rank higher at one tail. Only tails from the
/// last one with a rank above 0 are raised, so that each tuple of ranks is pushed once. If a derivation of a
/// tail must be found first, returns it, and must be called again.
std::optional<OracleKbest::ItemRank> OracleKbest::extend(uint32_t number) {
  Item& item = items_[number];
  const Candidate last = item.last;
  const auto below = tails(last.way);
  size_t first = 0;
  for (size_t i = 0; i < below.size(); ++i)
    if (ranks_[last.ranks + i] > 0) first = i;
  for (; item.extended < below.size(); ++item.extended) {
    if (item.extended < first) continue;
    const ItemRank wanted{below[item.extended], ranks_[last.ranks + item.extended] + 1};
    const Item& tail = at(wanted.item);
    if (!has(wanted)) {
      if (!spent(tail)) return wanted;
      continue;
    }
    const auto ranks = static_cast<uint32_t>(ranks_.size());
    for (size_t i = 0; i < below.size(); ++i) ranks_.push_back(ranks_[last.ranks + i]);
    ++ranks_[ranks + item.extended];
    const double model = last.model + tail.found[wanted.rank].model - tail.found[wanted.rank - 1].model;
    double loss = graph_.loss(last.way);  // added up anew: it is 0 only if all are
    for (size_t i = 0; i < below.size(); ++i) loss += at(below[i]).found[ranks_[ranks + i]].loss;
    item.heap.push_back(made(last.way, model, loss, ranks));
    std::push_heap(item.heap.begin(), item.heap.end(),
                   [this](const Candidate& a, const Candidate& b) { return worse(a, b); });
  }
  return std::nullopt;
}

/// Whether all derivations of an item were found: the heap is empty, and the last one has no successor left.
bool OracleKbest::spent(const Item& item) const {
  return item.heap.empty() && (!item.any || item.extended == tails(item.last.way).size());
}

/// Finds derivations of an item up to a rank, and those of its tails that this needs, by an explicit stack.
void OracleKbest::find(ItemRank wanted) {
  std::vector<ItemRank> stack{wanted};
  while (!stack.empty() && repeats_left_ > 0) {
    const ItemRank top = stack.back();
    open(top.item);
    const uint32_t number = *opened_.find(top.item);
    if (has(top) || spent(items_[number])) {
      stack.pop_back();
    } else if (const auto missing = extend(number)) {
      stack.push_back(*missing);
    } else if (!items_[number].heap.empty()) {
      pop(number);
    }
  }
}

std::vector<OracleKbest::Found> OracleKbest::best(uint32_t most) {
  if (graph_.size() == 0 || most == 0) return {};
  const uint32_t root = graph_.size() - 1;
  find({root, most - 1});
  const auto used = [this](ItemRank item) -> const Candidate& { return at(item.item).found[item.rank]; };
  std::vector<Found> result;
  for (uint32_t rank = 0; rank < std::min<size_t>(most, at(root).found.size()); ++rank) {
    const Candidate& top = used({root, rank});
    result.push_back({top.way - graph_.first_way[root], {top.model, {}}, top.loss});
    result.back().derivation.edges = unfold(
        forest_, ItemRank{root, rank}, [&](ItemRank item) { return graph_.ways[used(item).way].edge; },
        [&](ItemRank item, size_t i) {
          const Candidate& candidate = used(item);
          return ItemRank{tails(candidate.way)[i], ranks_[candidate.ranks + i]};
        });
  }
  return result;
}

}  // namespace tunesmith::forest::oracles
