#include "tunesmith/forest/refinement.h"

#include <limits>
#include <numeric>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/compact.h"

namespace tunesmith::forest {

namespace {

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

[[noreturn]] void refuse(const char* what, size_t limit) {
  throw InputError("the refined forest would have more than " + std::to_string(limit) + " " + what +
                   "; prune the forest or raise max_" + what);
}

}  // namespace

ForestRefiner::ForestRefiner(const Forest& forest, const RefinementLimits& limits)
    : forest_(forest), limits_(limits) {}

void ForestRefiner::add(uint32_t edge, uint32_t state, std::span<const uint32_t> tails) {
  if (copies_.size() + new_edges_.size() >= limits_.max_edges) refuse("edges", limits_.max_edges);
  if (state >= slot_of_state_.size()) slot_of_state_.resize(2 * size_t{state} + 1, kNone);
  uint32_t& slot = slot_of_state_[state];
  if (slot == kNone) {
    if (states_.size() + new_states_.size() >= limits_.max_nodes) refuse("nodes", limits_.max_nodes);
    slot = static_cast<uint32_t>(new_states_.size());
    new_states_.push_back(state);
  }
  new_edges_.push_back(edge);
  new_slots_.push_back(slot);
  new_tails_.add(tails);
}

void ForestRefiner::close() {
  std::vector<uint32_t> ends(new_states_.size() + 1, 0);
  for (const uint32_t slot : new_slots_) ++ends[slot + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  for (size_t slot = 0; slot < new_states_.size(); ++slot) {
    states_.push_back(new_states_[slot]);
    edge_offsets_.push_back(static_cast<uint32_t>(copies_.size()) + ends[slot + 1]);
    slot_of_state_[new_states_[slot]] = kNone;
  }
  std::vector<uint32_t> order(new_edges_.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[ends[new_slots_[i]]++] = i;
  for (const uint32_t i : order) {
    copies_.push_back(new_edges_[i]);
    tails_.add(new_tails_[i]);
  }
  first_.push_back(static_cast<uint32_t>(states_.size()));
  new_edges_.clear();
  new_slots_.clear();
  new_states_.clear();
  new_tails_.offsets.resize(1);
  new_tails_.values.clear();
}

ForestRefinement ForestRefiner::below(uint32_t root) const {
  std::vector<uint32_t> number(size_t{root} + 1, 0);
  number[root] = 1;
  for (uint32_t node = root + 1; node-- > 0;) {
    if (number[node] == 0) continue;
    for (uint32_t edge = edge_offsets_[node]; edge < edge_offsets_[node + 1]; ++edge)
      for (const uint32_t tail : tails_[edge]) number[tail] = 1;
  }
  ForestArrays arrays;
  std::vector<uint32_t> edges;
  uint32_t nodes = 0;
  for (uint32_t node = 0; node <= root; ++node) {
    if (number[node] == 0) continue;
    number[node] = nodes++;
    for (uint32_t edge = edge_offsets_[node]; edge < edge_offsets_[node + 1]; ++edge) {
      const uint32_t origin = copies_[edge];
      for (const uint32_t tail : tails_[edge]) arrays.tails.values.push_back(number[tail]);
      arrays.tails.close();
      arrays.edge_rules.push_back(forest_.rule(origin));
      arrays.spans.push_back(forest_.span(origin));
      arrays.features.add(forest_.edge_features(origin));
      edges.push_back(origin);
    }
    arrays.edge_offsets.push_back(static_cast<uint32_t>(edges.size()));
  }
  return make(std::move(arrays), std::move(edges));
}

ForestRefinement ForestRefiner::none() const { return make({}, {}); }

ForestRefinement ForestRefiner::make(ForestArrays arrays, std::vector<uint32_t> edges) const {
  arrays.rules = used_rules(forest_.rules(), arrays.edge_rules);
  return {Forest(std::move(arrays), forest_.shared_names()), std::move(edges)};
}

}  // namespace tunesmith::forest
