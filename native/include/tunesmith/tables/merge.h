// One phrase table from several: linear interpolation and fill-up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/vocabulary.h"
#include "tunesmith/tables/phrase_sink.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::tables {

/// Several tables, their words in one numbering. The tables must outlive it.
class JoinedTables {
 public:
  /// Tables of different numbers of scores or reordering probabilities are an InputError.
  explicit JoinedTables(std::vector<const PhraseTable*> tables);

  /// p(pair) = sum over tables k of weights[k] * p_k(pair), for each score; a table without the pair adds 0.
  /// Reordering probabilities are a distribution given the pair, so their weights are those of the tables
  /// that have it, made to sum to 1. Counts are summed over the tables of a weight above 0: c(f, e) over
  /// those that have the pair, c(f) over those that have the source phrase, c(e) the target phrase. The
  /// alignment is that of the table of the highest weight that has the pair, the first of equal ones. A pair
  /// of no weight is left out.
  void interpolate(std::span<const double> weights, PhraseSink& sink) const;

  /// Each pair as the first table has it that has it (Bisazza et al. 2011). With `indicators` a score more
  /// for each table after the first: e where the pair is from that table, else 1, so 1 or 0 as logs.
  void fill_up(bool indicators, PhraseSink& sink) const;

  Texts source_words() const { return source_words_.names().view(); }
  Texts target_words() const { return target_words_.names().view(); }
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
  /// By table and its own number of a target phrase: c(e) summed over the tables of a weight above 0. A
  /// table's pairs may differ where it was filled up: the largest count is taken.
  std::vector<std::vector<double>> sum_target_counts(std::span<const double> weights) const;
  /// The same of c(f), given all pairs of a source phrase.
  double sum_source_counts(std::span<const Entry> pairs, std::span<const double> weights) const;
  void collect(std::span<const int32_t> source, size_t first, std::vector<Entry>& entries,
               std::vector<int32_t>& words) const;
  bool has_source(size_t table, std::span<const int32_t> source, PairRange& pairs) const;

  std::vector<const PhraseTable*> tables_;
  corpus::Vocabulary source_words_, target_words_;
  std::vector<std::vector<int32_t>> joined_source_, joined_target_;  // by table, then by its own number
  std::vector<std::vector<int32_t>>
      own_source_;  // by table, then by joined number; -1 where it lacks the word
};

}  // namespace tunesmith::tables
