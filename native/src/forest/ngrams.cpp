#include "tunesmith/forest/ngrams.h"

#include <algorithm>
#include <limits>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/context.h"

namespace tunesmith::forest {

namespace {

/// `number(ngram, is_new)` is negative if neither the n-gram nor a longer one counts.
template <class Number>
NgramIncidence incidence(const Forest& forest, size_t order, const ContextView& view, Number number) {
  const auto contexts = local_contexts(forest, order, view);
  if (!contexts)
    throw InputError("a node has yields with different boundary words, so that n-grams of " +
                     std::to_string(order) + " words are not local to edges; call expand_context first");
  NgramIncidence result;
  result.order = order;
  YieldSequence yield;
  std::vector<int32_t> row;
  for (uint32_t node = 0; node < forest.node_count(); ++node)
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      row.clear();
      if (contexts->needs.used[node]) {
        const auto tails = forest.tails(edge);
        yield.read(forest.target(edge), view.words, [&](size_t i) { return (*contexts)[tails[i]]; });
        yield.ngrams(order, [&](std::span<const int32_t> ngram, bool is_new) {
          const int32_t found = number(ngram, is_new);
          if (is_new && found >= 0) row.push_back(found);
          return found >= 0;
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
  return result;
}

/// `ngrams` has the words of each n-gram.
template <class Ngrams>
void set_words(const Ngrams& ngrams, NgramIncidence& result) {
  result.words.assign(ngrams.size() * result.order, -1);
  for (uint32_t g = 0; g < ngrams.size(); ++g)
    std::copy(ngrams[g].begin(), ngrams[g].end(),
              result.words.begin() + static_cast<int64_t>(g * result.order));
}

}  // namespace

NgramIncidence ngram_incidence(const Forest& forest, size_t order) {
  SequencePool<int32_t> ngrams;
  NgramIncidence result = incidence(forest, order, {}, [&](std::span<const int32_t> ngram, bool is_new) {
    return is_new ? static_cast<int32_t>(ngrams.intern(ngram)) : 0;
  });
  set_words(ngrams, result);
  for (uint32_t edge = 0; edge < forest.edge_count(); ++edge)
    result.edge_words.push_back(static_cast<double>(forest.target(edge).size() - forest.tails(edge).size()));
  return result;
}

NgramIncidence ngram_incidence(const Forest& forest, const ReferenceNgrams& references) {
  const auto number = [&](std::span<const int32_t> ngram, bool) {
    const uint32_t found = references.find(ngram);
    return found == ReferenceNgrams::kUnknown ? -1 : static_cast<int32_t>(found);
  };
  NgramIncidence result = incidence(forest, references.order(), references.view(), number);
  set_words(references, result);
  for (uint32_t edge = 0; edge < forest.edge_count(); ++edge)
    result.edge_words.push_back(static_cast<double>(references.own_words(forest.target(edge))));
  return result;
}

}  // namespace tunesmith::forest
