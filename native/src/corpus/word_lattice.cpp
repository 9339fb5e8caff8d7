#include "tunesmith/corpus/word_lattice.h"

#include <set>

#include "tunesmith/base/errors.h"
#include "tunesmith/corpus/sentences.h"

namespace tunesmith::corpus {

WordLattice WordLattice::sentence(std::string_view text) {
  WordLattice result;
  for_each_token(text, [&](std::string_view word) {
    const auto end = static_cast<uint32_t>(result.arcs_.size()) + 1;
    result.arcs_.push_back({{end, std::string(word), 0}});
  });
  return result;
}

WordLattice WordLattice::between(std::string_view first, std::string_view last) const {
  std::vector<std::vector<LatticeArc>> arcs{{{1, std::string(first)}}};
  for (const auto& leaving : arcs_) {
    auto& moved = arcs.emplace_back(leaving);
    for (LatticeArc& arc : moved) ++arc.end;
  }
  const auto end = static_cast<uint32_t>(arcs.size()) + 1;
  arcs.push_back({{end, std::string(last)}});
  if (!is_sentence()) return WordLattice(std::move(arcs), kMostNodes + 2);
  WordLattice result;
  result.arcs_ = std::move(arcs);
  return result;
}

WordLattice::WordLattice(std::vector<std::vector<LatticeArc>> arcs, size_t most_nodes)
    : arcs_(std::move(arcs)) {
  const size_t nodes = arcs_.size() + 1;
  if (nodes > most_nodes)
    throw InputError("the lattice has " + std::to_string(nodes) + " nodes; expected at most " +
                     std::to_string(most_nodes));
  std::set<std::string> names;
  distances_.assign(nodes * nodes, kUnreachable);
  for (size_t node = 0; node < nodes; ++node) distances_[node * nodes + node] = 0;
  for (size_t from = nodes - 1; from-- > 0;)
    for (const LatticeArc& arc : arcs_[from]) {
      if (arc.end <= from || arc.end >= nodes)
        throw InputError("an arc of the lattice leads from node " + std::to_string(from) + " to node " +
                         std::to_string(arc.end) + "; expected a higher one, at most " +
                         std::to_string(nodes - 1));
      has_scores_ = has_scores_ || arc.score != 0;
      for (const auto& feature : arc.features) names.insert(feature.first);
      for (size_t to = arc.end; to < nodes; ++to) {
        const uint32_t rest = distances_[arc.end * nodes + to];
        if (rest != kUnreachable) {
          uint32_t& best = distances_[from * nodes + to];
          best = std::min(best, rest + 1);
        }
      }
    }
  for (size_t node = 0; node < nodes; ++node)
    if (distances_[node] == kUnreachable || distances_[node * nodes + nodes - 1] == kUnreachable)
      throw InputError("node " + std::to_string(node) +
                       " of the lattice is on no path from the start to the end");
  feature_names_.assign(names.begin(), names.end());
}

}  // namespace tunesmith::corpus
