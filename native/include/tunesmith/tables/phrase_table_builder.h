// Writes phrase pairs as a table that PhraseTable maps.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/tables/phrase_sink.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::tables {

/// Words in the order of their first use: a table's vocabulary has only the words of its phrases.
class UsedWords {
 public:
  int32_t number(int32_t word);
  /// The texts of the used words among all words.
  TextColumn texts(const Texts& all) const;
  size_t size() const { return used_.size(); }

 private:
  std::vector<int32_t> numbers_;  // by word; -1 is not used
  std::vector<int32_t> used_;
};

/// Pairs go to the file as they come, a source phrase at a time, sorted by the score `order`, highest first,
/// then by the other scores, then by the target's words; in memory stay the trie of source phrases and
/// the distinct target phrases, alignments and reordering rows: about 40 bytes for each phrase of either
/// side. Nothing stays on disk without `finish`.
class PhraseTableBuilder : public PhraseSink {
 public:
  struct Shape {
    size_t scores = 4;
    size_t reordering = 0;
    size_t order = 2;  // p(e|f) in Moses' order
  };

  PhraseTableBuilder(const std::string& path, Shape shape);

  /// A source phrase that came before, or without words, is an InputError.
  void begin_source(std::span<const int32_t> source) override;
  /// So are a pair that came before, numbers of scores other than the shape's, negative or infinite ones, and
  /// links outside of the phrases.
  void add(const ScoredPhrase& phrase) override;
  /// Word i of the sources that came is source_words[i]; `meta` is JSON for the section of this name.
  void finish(const Texts& source_words, const Texts& target_words, std::string_view meta);

  /// Gives up: what was written is removed, and nothing more is taken.
  void abandon() { writer_.reset(); }

  size_t pair_count() const { return pair_count_; }
  size_t source_count() const { return source_count_; }

 private:
  struct Pair {
    uint32_t target, alignment, reordering;
    float target_count, source_count, joint_count;
    uint32_t scores;  // where they begin in group_scores_
  };

  ContainerWriter& writer();
  void check(const ScoredPhrase& phrase) const;
  uint32_t find_step(uint32_t node, int32_t word) const;
  uint32_t add_step(uint32_t node, int32_t word);
  void place(uint32_t node);
  void end_source();
  bool before(const Pair& a, const Pair& b) const;

  Shape shape_;
  std::optional<ContainerWriter> writer_;  // none after the end
  UsedWords source_words_, target_words_;
  std::vector<PhraseNode> nodes_{PhraseNode{}};
  std::vector<uint64_t> slots_;  // open addressing; a power of two, at most three quarters full
  SequencePool<int32_t> targets_;
  SequencePool<corpus::Link> alignments_;
  SequencePool<float> reordering_;
  std::vector<uint32_t>
      last_source_;              // by target: the source phrase that had it last, to find repeated pairs
  std::vector<int32_t> source_;  // of the open group
  std::vector<int32_t> words_;
  bool open_ = false;
  std::vector<uint32_t> path_{PhraseTable::kRoot};  // path_[i] is the node of the first i words of source_
  std::vector<Pair> group_;
  std::vector<float> group_scores_;
  std::vector<uint32_t> rows_;  // not yet written
  size_t pair_count_ = 0, source_count_ = 0, longest_source_ = 0, longest_target_ = 0;
};

}  // namespace tunesmith::tables
