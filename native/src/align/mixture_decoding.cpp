#include <algorithm>

#include "tunesmith/align/mixture.h"

namespace tunesmith::align {

namespace {

/// Finds the best partners; row(i) begins with the cells of source word i, and may have more.
template <class Row>
BothWays<std::vector<corpus::Link>> best_partners(const LexicalTable& table, std::span<const int32_t> source,
                                                  std::span<const int32_t> target, const MixturePrior& prior,
                                                  const MixtureFactors& factors, Row row) {
  const size_t n = source.size(), m = target.size();
  std::vector<float> scratch[4];
  const auto forward_i = factors.forward.side(n, scratch[0]), forward_j = factors.forward.side(m, scratch[1]);
  const auto reverse_i = factors.reverse.side(n, scratch[2]), reverse_j = factors.reverse.side(m, scratch[3]);
  std::vector<float> best(m, 0), weights(m, 0);
  std::vector<int32_t> partner(m, -1);
  BothWays<std::vector<corpus::Link>> links;
  const double null_source = prior.null_share(m), null_target = prior.null_share(n);
  for (size_t i = 0; i < n; ++i) {
    const auto cells = row(i);
    float reverse_best = 0, reverse_weights = 0;
    int32_t reverse_partner = -1;
    for (size_t j = 0; j < m; ++j) {
      prefetch_ahead(table.probabilities, cells, j);
      const BothWays<float> p = table.probabilities[cells[j]];
      const float weight = std::min(forward_i.up[i] * forward_j.down[j], forward_i.down[i] * forward_j.up[j]);
      const float reverse_weight =
          std::min(reverse_i.up[i] * reverse_j.down[j], reverse_i.down[i] * reverse_j.up[j]);
      weights[j] += weight;
      reverse_weights += reverse_weight;
      if (p.forward * weight > best[j]) {
        best[j] = p.forward * weight;
        partner[j] = static_cast<int32_t>(i);
      }
      if (p.reverse * reverse_weight > reverse_best) {
        reverse_best = p.reverse * reverse_weight;
        reverse_partner = static_cast<int32_t>(j);
      }
    }
    const double without = null_source * static_cast<double>(table.null_source(source[i]));
    if ((1 - null_source) * static_cast<double>(reverse_best) / static_cast<double>(reverse_weights) >
        without)
      links.reverse.push_back({static_cast<int32_t>(i), reverse_partner});
  }
  for (size_t j = 0; j < m; ++j) {
    const double without = null_target * static_cast<double>(table.null_target(target[j]));
    if ((1 - null_target) * static_cast<double>(best[j]) / static_cast<double>(weights[j]) > without)
      links.forward.push_back({partner[j], static_cast<int32_t>(j)});
  }
  std::sort(links.forward.begin(), links.forward.end());
  return links;
}

}  // namespace

BothWays<std::vector<corpus::Link>> decode_pair(const LexicalTable& table, std::span<const int32_t> source,
                                                std::span<const int32_t> target, const MixturePrior& prior) {
  if (source.empty() || target.empty()) return {};
  std::vector<uint32_t> cells(target.size());
  return best_partners(table, source, target, prior, MixtureFactors(prior),
                       [&](size_t i) -> std::span<const uint32_t> {
                         for (size_t j = 0; j < target.size(); ++j)
                           cells[j] = table.pairs.find(source[i], target[j]);
                         return cells;
                       });
}

BothWays<PairLinks> decode_mixture(PairCells& cells, const LexicalTable& table, const MixturePrior& prior,
                                   int threads) {
  const MixtureFactors factors(prior);
  BothWays<PairLinks> links{PairLinks(cells.source().size()), PairLinks(cells.source().size())};
  struct Decode {
    const PairCells& cells;
    const LexicalTable& table;
    const MixturePrior& prior;
    const MixtureFactors& factors;
    BothWays<PairLinks>& links;
    void operator()(size_t pair, std::span<const uint32_t> found) {
      const auto source = cells.source()[pair], target = cells.target()[pair];
      auto best = best_partners(table, source, target, prior, factors,
                                [&](size_t i) { return found.subspan(i * target.size()); });
      links.forward[pair] = std::move(best.forward);
      links.reverse[pair] = std::move(best.reverse);
    }
    void finish() {}
  };
  cells.visit(threads, [&] { return Decode{cells, table, prior, factors, links}; });
  for (size_t pair = 0; pair < cells.source().size(); ++pair) {
    if (has_cells(cells.source(), cells.target(), pair)) continue;
    auto best = decode_pair(table, cells.source()[pair], cells.target()[pair], prior);
    links.forward[pair] = std::move(best.forward);
    links.reverse[pair] = std::move(best.reverse);
  }
  return links;
}

}  // namespace tunesmith::align
