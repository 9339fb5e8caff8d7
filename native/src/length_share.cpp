#include "tunesmith/length_share.h"

#include <algorithm>

#include "tunesmith/inside_outside.h"

namespace tunesmith {

namespace {

// Yields may be exponentially long in the size of a forest; longer ones are all alike.
constexpr double kMany = 1e15;

/// The shortest lengths (sign -1, lengths negated) or the longest ones (sign 1).
template <int Sign>
struct LengthSemiring {
  using Value = double;
  static Value zero() { return kLogZero; }
  static Value one() { return 0; }
  static Value plus(Value a, Value b) { return std::max(a, b); }
  static Value times(Value a, Value b) {
    return a == kLogZero || b == kLogZero ? kLogZero : std::clamp(a + b, -kMany, kMany);
  }
};

template <int Sign>
void add_lengths(const Forest& forest, std::vector<double>& below, std::vector<double>& around) {
  using Lengths = LengthSemiring<Sign>;
  const auto words = [&](uint32_t edge) {
    return Sign * static_cast<double>(forest.target(edge).size() - forest.tails(edge).size());
  };
  const std::vector<double> beta = inside<Lengths>(forest, words);
  const std::vector<double> alpha = outside<Lengths>(forest, words, beta);
  for (size_t node = 0; node < forest.node_count(); ++node) {
    if (alpha[node] == kLogZero) continue;
    below[node] += Sign * beta[node] / 2;
    around[node] += Sign * alpha[node] / 2;
  }
}

}  // namespace

std::vector<double> length_shares(const Forest& forest) {
  std::vector<double> below(forest.node_count(), 0), around(forest.node_count(), 0);
  add_lengths<-1>(forest, below, around);
  add_lengths<1>(forest, below, around);
  for (size_t node = 0; node < forest.node_count(); ++node)
    below[node] = below[node] > 0 ? below[node] / (below[node] + around[node]) : 0.0;
  return below;
}

}  // namespace tunesmith
