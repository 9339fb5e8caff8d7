// The HMM passes of both directions over one sentence pair.
#pragma once

#include <span>

#include "tunesmith/align/hmm.h"

namespace tunesmith::align {

/// The two passes over a sentence pair. Forward: positions are source words and target words are generated;
/// reverse: the opposite.
class PairPasses {
 public:
  PairPasses(const LexicalTable& table, const HmmModel& model)
      : forward(model.widths.forward, model.null), reverse(model.widths.reverse, model.null), table_(table) {}

  void look_up(std::span<const int32_t> source, std::span<const int32_t> target,
               std::span<const uint32_t> cells) {
    const size_t n = source.size(), m = target.size();
    forward.resize(n, m);
    reverse.resize(m, n);
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < m; ++j) {
        prefetch_ahead(table_.probabilities, cells, i * m + j);
        const BothWays<float> p = table_.probabilities[cells[i * m + j]];
        forward.emissions[j * n + i] = p.forward;
        reverse.emissions[i * m + j] = p.reverse;
      }
    for (size_t i = 0; i < n; ++i) reverse.none[i] = table_.null_source(source[i]);
    for (size_t j = 0; j < m; ++j) forward.none[j] = table_.null_target(target[j]);
  }

  HmmPass forward, reverse;

 private:
  const LexicalTable& table_;
};

}  // namespace tunesmith::align
