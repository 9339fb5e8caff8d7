#include "tunesmith/forest_ngrams.h"

#include <algorithm>
#include <limits>
#include <string>

#include "tunesmith/errors.h"
#include "tunesmith/forest_context.h"

namespace tunesmith {

NgramIncidence ngram_incidence(const Forest& forest, size_t order) {
  const auto contexts = local_contexts(forest, order);
  if (!contexts)
    throw InputError("a node has yields that end in different words, so that n-grams of " +
                     std::to_string(order) + " words are not local to edges; expand_context first");
  NgramIncidence result;
  result.order = order;
  SequencePool<int32_t> ngrams;
  YieldSequence yield;
  std::vector<int32_t> row;
  for (uint32_t node = 0; node < forest.node_count(); ++node)
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      row.clear();
      if (contexts->needs.used[node]) {
        const auto tails = forest.tails(edge);
        yield.read(
            forest.target(edge), [](const Symbol& word) { return std::span<const int32_t>(&word, 1); },
            [&](size_t i) { return (*contexts)[tails[i]]; });
        yield.ngrams(order, [&](std::span<const int32_t> ngram, bool is_new) {
          if (is_new) row.push_back(static_cast<int32_t>(ngrams.intern(ngram)));
          return true;
        });
      }
      std::sort(row.begin(), row.end());
      for (size_t i = 0; i < row.size(); ++i) {
        if (i > 0 && row[i] == row[i - 1]) {
          result.counts.back() += 1;
          continue;
        }
        result.ids.push_back(row[i]);
        result.counts.push_back(1);
      }
      if (result.ids.size() > std::numeric_limits<int32_t>::max())
        throw InputError("the edges of a forest have 2^31 n-grams or more; prune it");
      result.offsets.push_back(static_cast<int32_t>(result.ids.size()));
    }
  result.words.assign(ngrams.size() * order, -1);
  for (uint32_t g = 0; g < ngrams.size(); ++g)
    std::copy(ngrams[g].begin(), ngrams[g].end(), result.words.begin() + static_cast<int64_t>(g * order));
  return result;
}

}  // namespace tunesmith
