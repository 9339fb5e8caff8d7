// Combination of phrase tables: linear interpolation and fill-up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/vocabulary.h"
#include "tunesmith/tables/phrase_sink.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::tables {

/// Several tables with their words in one numbering. Keeps pointers to the tables.
class JoinedTables {
 public:
  /// Throws InputError if the tables differ in their numbers of scores or reordering probabilities.
  explicit JoinedTables(std::vector<const PhraseTable*> tables);

  /// Weights of tables: `tables[k]` for table k; unless `scores` is empty, `scores[i * tables.size() + k]` in
  /// their place for score i. A table whose `tables[k]` is 0 has no part in anything.
  struct Weights {
    std::span<const double> tables;
    std::span<const double> scores = {};
  };

  /// p(pair) = sum_k weights[k] * p_k(pair) for each score; a table without the pair adds 0. Reordering
  /// probabilities are a distribution given the pair, so the weights of the tables that have it are
  /// normalized. Counts are summed over the tables with weight > 0: c(f, e) where the pair exists, c(f) where
  /// the source phrase does, c(e) where the target phrase does. The alignment comes from the table with the
  /// highest weight that has the pair (the first of equals). Pairs of total weight 0 are dropped. Throws
  /// InputError if a table has sparse scores: they are not probabilities.
  void interpolate(const Weights& weights, PhraseSink& sink) const;

  /// Takes each pair from the first table that has it (Bisazza et al. 2011). With `indicators`, adds one
  /// score per table after the first: e if the pair is from that table, else 1 (1 or 0 as logs).
  void fill_up(bool indicators, PhraseSink& sink) const;

  Texts source_words() const { return source_words_.names().view(); }
  Texts target_words() const { return target_words_.names().view(); }
  Texts sparse_names() const { return sparse_names_.names().view(); }
  size_t size() const { return tables_.size(); }

 private:
  /// A pair of a table, its target in the joined numbering.
  struct Entry {
    size_t table;
    uint32_t pair;
    size_t begin, end;  // in a buffer of words
  };

  template <class Enter, class Combine>
  void for_each_pair(PhraseSink& sink, Enter enter, Combine combine) const;
  /// c(e) summed over the tables with weight > 0, by table and its own number of the target phrase. Pairs of
  /// a filled-up table may disagree on c(e): the largest count is used.
  std::vector<std::vector<double>> sum_target_counts(std::span<const double> weights) const;
  /// c(f) likewise, given all pairs of a source phrase.
  double sum_source_counts(std::span<const Entry> pairs, std::span<const double> weights) const;
  void collect(std::span<const int32_t> source, size_t first, std::vector<Entry>& entries,
               std::vector<int32_t>& words) const;
  bool has_source(size_t table, std::span<const int32_t> source, PairRange& pairs) const;

  std::vector<const PhraseTable*> tables_;
  corpus::Vocabulary source_words_, target_words_;
  NameTable sparse_names_;
  std::vector<std::vector<uint32_t>> joined_sparse_;                 // by table, then by its own number
  std::vector<std::vector<int32_t>> joined_source_, joined_target_;  // by table, then by its own number
  std::vector<std::vector<int32_t>>
      own_source_;  // by table, then by joined number; -1 if the table lacks the word
};

}  // namespace tunesmith::tables
