#include "tunesmith/objectives/forests/ngram_forest.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/context.h"
#include "tunesmith/forest/inside_outside.h"
#include "tunesmith/forest/ngrams.h"
#include "tunesmith/forest/reference_ngrams.h"

namespace tunesmith::objectives::forests {

namespace {

/// The smallest number of words of a derivation.
double shortest_yield(const forest::Forest& forest, const forest::ReferenceNgrams& references) {
  return -forest::inside<forest::MostSemiring>(forest, [&](uint32_t edge) {
            return -static_cast<double>(references.own_words(forest.target(edge)));
          }).back();
}

/// Rows of packed counts.
struct CountRows {
  std::vector<uint32_t> offsets{0};
  std::vector<uint32_t> values;

  void add(uint32_t number, uint64_t count) {
    for (; count > kLargestCount; count -= kLargestCount) values.push_back(pack_count(number, kLargestCount));
    if (count > 0) values.push_back(pack_count(number, static_cast<uint32_t>(count)));
  }
  void close() {
    if (values.size() > std::numeric_limits<uint32_t>::max())
      throw InputError("the edges of a forest have 2^32 n-grams or more; prune it");
    offsets.push_back(static_cast<uint32_t>(values.size()));
  }
};

/// Matches of each edge, followed by its number of words (if `all` is empty) or of n-grams by order.
CountRows count_rows(const forest::NgramIncidence& matches,
                     const std::optional<forest::NgramIncidence>& all) {
  const auto ngrams = static_cast<uint32_t>(matches.words.size() / matches.order);
  if (ngrams + matches.order >= (1u << (32 - kCountBits)))
    throw InputError("the references of a sentence have 2^24 n-grams or more");
  CountRows rows;
  rows.values.reserve(matches.ids.size() + matches.edge_words.size());
  std::vector<uint64_t> totals(matches.order);
  for (size_t edge = 0; edge + 1 < matches.offsets.size(); ++edge) {
    for (int32_t i = matches.offsets[edge]; i < matches.offsets[edge + 1]; ++i)
      rows.add(static_cast<uint32_t>(matches.ids[i]), static_cast<uint64_t>(matches.counts[i]));
    if (!all) {
      rows.add(ngrams, static_cast<uint64_t>(matches.edge_words[edge]));
    } else {
      std::fill(totals.begin(), totals.end(), 0);
      for (int32_t i = all->offsets[edge]; i < all->offsets[edge + 1]; ++i) {
        const int32_t* words = &all->words[static_cast<size_t>(all->ids[i]) * all->order];
        const auto length = std::find(words, words + all->order, -1) - words;
        totals[static_cast<size_t>(length) - 1] += static_cast<uint64_t>(all->counts[i]);
      }
      for (uint32_t n = 0; n < totals.size(); ++n) rows.add(ngrams + n, totals[n]);
    }
    rows.close();
  }
  return rows;
}

}  // namespace

PackedForest<NgramForest> pack_ngram_forest(const forest::Forest& given, std::span<const uint32_t> columns,
                                            const Texts& references, size_t order,
                                            const forest::RefinementLimits& limits) {
  if (given.empty()) throw InputError("a forest is empty: no derivation was found");
  if (columns.size() != given.names().features.size())
    throw InputError(std::to_string(columns.size()) + " columns for " +
                     std::to_string(given.names().features.size()) +
                     " features of a forest; expected one per feature");
  const forest::ReferenceNgrams ngrams(given, references, order);
  // The number of n-grams of a shorter yield does not follow from its length alone.
  const bool is_short = shortest_yield(given, ngrams) + 1 < static_cast<double>(order);
  const forest::ContextView contexts = is_short ? forest::ContextView{} : ngrams.view();
  std::optional<forest::ForestRefinement> refined;
  if (!forest::local_contexts(given, order, contexts))
    refined = forest::expand_context(given, order, limits, contexts);
  const forest::Forest& forest = refined ? refined->forest : given;
  std::optional<forest::NgramIncidence> all;
  if (is_short) all = forest::ngram_incidence(forest, order);
  const CountRows counts = count_rows(forest::ngram_incidence(forest, ngrams), all);

  const Rows<FeatureValue> of_rules = forest::in_columns(forest.rules().features, columns);
  const Rows<FeatureValue> of_edges = forest::in_columns(forest.arrays().features, columns);
  std::vector<uint32_t> lengths, caps;
  for (uint32_t i = 0; i < ngrams.size(); ++i) {
    lengths.push_back(static_cast<uint32_t>(ngrams[i].size()));
    caps.push_back(static_cast<uint32_t>(ngrams.limit(i)));
  }
  const std::array<uint32_t, 2> shape{static_cast<uint32_t>(order),
                                      is_short ? static_cast<uint32_t>(order) : 1};

  const forest::ForestArrays& arrays = forest.arrays();
  return {PackedArrays({bytes_of(shape), bytes_of(arrays.edge_offsets), bytes_of(arrays.tails.offsets),
                        bytes_of(arrays.tails.values), bytes_of(arrays.edge_rules),
                        bytes_of(of_rules.offsets), bytes_of(of_rules.values), bytes_of(of_edges.offsets),
                        bytes_of(of_edges.values), bytes_of(counts.offsets), bytes_of(counts.values),
                        bytes_of(lengths), bytes_of(caps), bytes_of(ngrams.lengths())})};
}

NgramForest::NgramForest(std::span<const std::byte> packed) {
  ArrayReader arrays(packed);
  const auto read_rows = [&](auto& rows) {
    arrays.read(rows.offsets);
    arrays.read(rows.values);
  };
  std::span<const uint32_t> shape;
  arrays.read(shape);
  order = shape[0];
  total_count = shape[1];
  arrays.read(edge_offsets);
  read_rows(edge_tails);
  arrays.read(features.rules);
  read_rows(features.of_rules);
  read_rows(features.of_edges);
  read_rows(counted);
  arrays.read(ngram_lengths);
  arrays.read(ngram_limits);
  arrays.read(reference_lengths);
}

}  // namespace tunesmith::objectives::forests
