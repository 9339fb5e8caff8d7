#include "tunesmith/forest/oracles/length_share.h"

#include "tunesmith/forest/inside_outside.h"

namespace tunesmith::forest::oracles {

namespace {

/// Adds half of the longest lengths (sign 1), or of the shortest ones (sign -1).
void add_lengths(const Forest& forest, const std::vector<double>& words, double sign,
                 std::vector<double>& below, std::vector<double>& around) {
  const auto score = [&](uint32_t edge) { return sign * words[edge]; };
  const std::vector<double> beta = inside<MostSemiring>(forest, score);
  const std::vector<double> alpha = outside<MostSemiring>(forest, score, beta);
  for (size_t node = 0; node < forest.node_count(); ++node) {
    if (alpha[node] == kLogZero) continue;
    below[node] += sign * beta[node] / 2;
    around[node] += sign * alpha[node] / 2;
  }
}

}  // namespace

std::vector<double> length_shares(const Forest& forest, const std::function<size_t(uint32_t)>& words_of) {
  std::vector<double> words(forest.edge_count());
  for (uint32_t edge = 0; edge < words.size(); ++edge) words[edge] = static_cast<double>(words_of(edge));
  std::vector<double> below(forest.node_count(), 0), around(forest.node_count(), 0);
  add_lengths(forest, words, -1, below, around);
  add_lengths(forest, words, 1, below, around);
  for (size_t node = 0; node < forest.node_count(); ++node)
    below[node] = below[node] > 0 ? below[node] / (below[node] + around[node]) : 0.0;
  return below;
}

}  // namespace tunesmith::forest::oracles
