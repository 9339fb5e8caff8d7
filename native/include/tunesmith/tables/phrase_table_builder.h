// Writer of memory-mapped phrase tables.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/base/recent_records.h"
#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/tables/phrase_sink.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::tables {

/// Renumbers words in the order of first use, so that a table's vocabulary has only the words of its phrases.
class UsedWords {
 public:
  int32_t number(int32_t word);
  /// The texts of the used words among all words.
  TextColumn texts(const Texts& all) const;
  size_t size() const { return used_.size(); }

 private:
  std::vector<int32_t> numbers_;  // by word; -1 if unused
  std::vector<int32_t> used_;
};

/// Streams pairs to the file, one source phrase at a time, sorted by the score `order`, highest first, then
/// by the other scores, then by the target's words. Memory holds the trie of source phrases and the distinct
/// target phrases, alignments and reordering rows, about 40 bytes per phrase of either side, up to 8 more per
/// numbered target phrase, and what RecentRecords store: about two bytes per extracted pair, up to 20 per
/// pair if counts hardly repeat, as weighted ones. Without `finish` no file remains.
class PhraseTableBuilder : public PhraseSink {
 public:
  struct Shape {
    size_t scores = 4;
    size_t reordering = 0;
    size_t order = 2;  // p(e|f) in Moses' order
  };

  PhraseTableBuilder(const std::string& path, Shape shape);

  /// Throws InputError if the source phrase is empty or was added before.
  void begin_source(std::span<const int32_t> source) override;
  /// Throws InputError if the pair was added before, if the number of scores differs from the shape, if a
  /// score is negative or not finite, if a sparse score is not finite or occurs twice, or if a link is
  /// outside of the phrases.
  void add(const ScoredPhrase& phrase) override;
  /// Writes the file; source_words[i] is the text of source word i; `meta` is JSON for the section of this
  /// name. Without sparse scores the file has no sections for them.
  void finish(const Texts& source_words, const Texts& target_words, std::string_view meta,
              const Texts& sparse_names = {});

  /// Cancels and removes the partial file; the builder accepts nothing more.
  void abandon() { writer_.reset(); }

  size_t pair_count() const { return pair_count_; }
  size_t source_count() const { return source_count_; }

 private:
  struct Pair {
    uint32_t target, form, counts, sparse;
    uint32_t scores;  // offset in group_scores_
  };

  ContainerWriter& writer();
  void check(const ScoredPhrase& phrase) const;
  uint32_t intern_target(const ScoredPhrase& phrase);
  uint32_t find_child(uint32_t node, int32_t word) const;
  uint32_t add_child(uint32_t node, int32_t word);
  void insert_slot(uint32_t node);
  void resize_slots(size_t size, size_t nodes);
  size_t after(size_t slot) const { return slot + 1 < slots_.size() ? slot + 1 : 0; }
  uint32_t intern_sparse(std::span<const SparseScore> scores);
  void end_source();
  void add_sparse_rows();
  bool before(const Pair& a, const Pair& b) const;

  Shape shape_;
  std::optional<ContainerWriter> writer_;  // none after finish or abandon
  UsedWords source_words_, target_words_, sparse_names_;
  std::vector<PhraseNode> nodes_{PhraseNode{}};
  std::vector<uint64_t> slots_;  // open addressing; at most three quarters full
  SequencePool<int32_t> targets_;
  SequencePool<corpus::Link> alignments_;
  SequencePool<float> reordering_;
  RecentRecords<PairForm> forms_;
  RecentRecords<PairCounts> counts_;
  SequencePool<uint32_t> sparse_;      // names and bits of values; row 0 is empty
  std::vector<uint32_t> sparse_rows_;  // by pair, up to the last one with sparse scores
  std::vector<uint32_t> numbered_;     // by the callers' number of a target: ours
  std::vector<uint32_t> last_source_;  // by target: the last source phrase with it, to detect duplicate pairs
  std::vector<int32_t> source_;        // of the open group
  std::vector<int32_t> words_;
  std::vector<uint32_t> sparse_row_;  // scratch
  bool open_ = false;
  std::vector<uint32_t> path_{PhraseTable::kRoot};  // path_[i] is the node of the first i words of source_
  std::vector<Pair> group_;
  std::vector<float> group_scores_;
  std::vector<uint32_t> rows_;  // not yet written
  size_t pair_count_ = 0, source_count_ = 0, longest_source_ = 0, longest_target_ = 0;
};

}  // namespace tunesmith::tables
