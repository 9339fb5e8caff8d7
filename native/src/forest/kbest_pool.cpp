#include "tunesmith/forest/kbest_pool.h"

#include <map>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/forest/derivation_features.h"

namespace tunesmith::forest {

namespace {

constexpr size_t kForestsPerChunk = 4;

/// One list before the columns of the pool are known.
struct List {
  TextColumn texts;
  std::vector<double> totals;
  Rows<std::pair<uint32_t, double>> features;  // columns of the forest
};

List best_list(const Forest& forest, std::span<const double> scores, const KbestOptions& options,
               DerivationFeatures& sums) {
  List list;
  KbestTexts found(forest, scores, options);
  while (const auto candidate = found.next()) {
    list.texts.add(candidate->text);
    list.totals.push_back(candidate->derivation.score);
    sums.add(forest, candidate->derivation.edges);
    for (const uint32_t column : sums.columns()) list.features.values.emplace_back(column, sums[column]);
    list.features.close();
    sums.clear();
  }
  return list;
}

/// Adds lists to a pool; columns are numbered in the order in which candidates first have them.
class ListJoiner {
 public:
  explicit ListJoiner(candidates::PoolBuilder& pool) : pool_(pool) {}

  void add(const Forest& forest, const List& list, std::string_view id) {
    const TextColumn& names = forest.names().features;
    auto& columns = by_names_.try_emplace(&forest.names(), names.size(), NameTable::kUnknown).first->second;
    for (size_t i = 0; i < list.totals.size(); ++i) {
      pool_.add_text(list.texts[i]);
      pool_.add_total(list.totals[i]);
      for (const auto& [column, value] : list.features[i]) {
        if (columns[column] == NameTable::kUnknown) columns[column] = pool_.column(names[column]);
        pool_.add_feature(columns[column], value);
      }
      pool_.end_candidate();
    }
    pool_.end_list(id);
  }

 private:
  candidates::PoolBuilder& pool_;
  std::map<const ForestNames*, std::vector<int32_t>> by_names_;
};

}  // namespace

candidates::PoolArrays kbest_pool(std::span<const Forest* const> forests, const NamedWeights& weights,
                                  const Texts& ids, const KbestOptions& options, bool allow_missing,
                                  int threads) {
  if (ids.size() != forests.size())
    throw InputError(std::to_string(ids.size()) + " ids for " + std::to_string(forests.size()) + " forests");
  ColumnWeights by_column(weights);
  std::vector<const std::vector<double>*> forest_weights;
  for (const Forest* forest : forests) forest_weights.push_back(&by_column.of(*forest));
  std::vector<List> lists(forests.size());
  parallel_chunks(forests.size(), kForestsPerChunk, threads, [&](size_t, size_t begin, size_t end) {
    DerivationFeatures sums;
    for (size_t i = begin; i < end; ++i)
      lists[i] = best_list(*forests[i], forests[i]->scores(*forest_weights[i]), options, sums);
  });
  candidates::PoolBuilder pool;
  ListJoiner joiner(pool);
  for (size_t i = 0; i < lists.size(); ++i) {
    const List list = std::move(lists[i]);
    if (!list.totals.empty())
      joiner.add(*forests[i], list, ids[i]);
    else if (!allow_missing)
      throw InputError("the forest of sentence " + quoted(ids[i]) + " has no derivation");
  }
  return pool.take();
}

}  // namespace tunesmith::forest
