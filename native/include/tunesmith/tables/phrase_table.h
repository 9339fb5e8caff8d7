// Memory-mapped phrase table: a hashed trie of source phrases, with the pairs of each stored contiguously.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/corpus/alignment.h"
#include "tunesmith/corpus/vocabulary.h"
#include "tunesmith/tables/phrase_sink.h"

namespace tunesmith::tables {

/// Tables store probabilities, like text tables, so that printed digits survive. Decoders use their natural
/// logs with the floor -100, as in Moses.
constexpr float kLogFloor = -100.0F;
inline float log_score(float probability) {
  const float log = std::log(probability);
  return log > kLogFloor ? log : kLogFloor;  // also for a NaN from a damaged file
}

/// The pairs [begin, end) of a table.
struct PairRange {
  uint32_t begin = 0;
  uint32_t end = 0;

  uint32_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
};

/// A prefix of source phrases. Node 0 is the empty prefix.
struct PhraseNode {
  uint32_t parent = 0;
  int32_t word = -1;
  uint32_t begin = 0;  // first pair; count is 0 if the prefix is no source phrase
  uint32_t count = 0;
};
static_assert(sizeof(PhraseNode) == 16);

/// What many pairs have in common: the numbers of their links and of their reordering probabilities.
struct PairForm {
  uint32_t alignment = 0;
  uint32_t reordering = 0;
};
static_assert(sizeof(PairForm) == 8);

/// How often the phrases of a pair were seen, and the pair itself: of many pairs the same.
struct PairCounts {
  float target = 0;
  float source = 0;
  float joint = 0;
};
static_assert(sizeof(PairCounts) == 12);

/// Entry of the trie's hash table, keyed by node and word. The high half of the hash gives the first position
/// to probe; the low half is stored beside the child's number, so that other children are hardly ever read.
struct TrieSlot {
  static constexpr uint64_t kFree = std::numeric_limits<uint64_t>::max();

  TrieSlot(uint32_t node, int32_t word);
  /// The first position to probe, in a table of any size.
  size_t position(size_t slots) const { return (hash >> 32) * slots >> 32; }
  uint64_t value(uint32_t child) const { return hash << 32 | child; }
  bool may_match(uint64_t value) const { return (hash & 0xffffffff) == value >> 32; }

  uint64_t hash;
};

/// Opening is O(1): nothing is parsed. Every index read from the file is checked where it is used, so that a
/// damaged file gives an InputError or wrong values, never a crash.
class PhraseTable {
 public:
  static constexpr std::string_view kKind = "phrases";
  static constexpr uint32_t kVersion = 2;
  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  static constexpr size_t kMostScores = 1024;  // of a pair, and of its reordering
  /// Columns of a row of the section `pairs`; the scores start at kScores.
  enum Column : size_t { kTarget, kForm, kCounts, kScores };

  explicit PhraseTable(const std::string& path, bool in_memory = false);

  const std::string& path() const { return container_.path(); }
  const corpus::VocabularyView& source_words() const { return source_words_; }
  const corpus::VocabularyView& target_words() const { return target_words_; }
  size_t pair_count() const { return pair_count_; }
  size_t source_count() const { return source_count_; }
  size_t target_count() const { return target_offsets_.size() - 1; }
  size_t node_count() const { return nodes_.size(); }
  size_t score_count() const { return scores_; }
  size_t reordering_count() const { return reordering_; }
  /// The names of the sparse scores; none if no pair has any.
  const corpus::VocabularyView& sparse_names() const { return sparse_names_; }
  size_t longest_source() const { return longest_source_; }
  size_t longest_target() const { return longest_target_; }
  /// Number of the score that the pairs of a source phrase are sorted by, highest first.
  size_t order() const { return order_; }

  /// The node of a prefix extended by one word; kNone if no source phrase begins with it.
  uint32_t extend(uint32_t node, int32_t word) const;
  /// The pairs of the source phrase that ends at a node.
  PairRange pairs(uint32_t node) const;
  /// The pairs of a source phrase, given by numbers of `source_words`.
  PairRange find(std::span<const int32_t> source) const;
  /// A checked node: its parent precedes it, and its word is in the vocabulary.
  const PhraseNode& node(uint32_t node) const;
  /// The words of a node's prefix.
  std::vector<int32_t> source(uint32_t node) const;

  /// Calls body(begin, end, pairs) for each span of the sentence that is a source phrase; stops extending a
  /// span as soon as no source phrase begins with it.
  template <class Body>
  void for_each_span(std::span<const int32_t> sentence, Body body) const {
    for (size_t begin = 0; begin < sentence.size(); ++begin) {
      uint32_t node = kRoot;
      for (size_t end = begin; end < sentence.size(); ++end) {
        node = extend(node, sentence[end]);
        if (node == kNone) break;
        if (const PairRange found = pairs(node); !found.empty()) body(begin, end + 1, found);
      }
    }
  }

  /// The number of a pair's target phrase.
  uint32_t target(uint32_t pair) const;
  std::span<const int32_t> target_phrase(uint32_t target) const;
  /// Number of a pair's row of reordering probabilities; equal rows have equal numbers.
  uint32_t reordering_row(uint32_t pair) const { return form_of(row(pair)).reordering; }
  size_t reordering_rows() const { return reordering_ == 0 ? 0 : reordering_rows_.size() / reordering_; }
  float joint_count(uint32_t pair) const { return counts_of(row(pair)).joint; }
  /// A pair, by numbers of `target_words`; throws InputError if a link is outside of the phrases.
  ScoredPhrase pair(uint32_t pair, size_t source_length) const;
  std::span<const float> scores(uint32_t pair) const {
    return {reinterpret_cast<const float*>(row(pair).data()) + kScores, scores_};
  }

  /// Changes with the content of the table: a hash of the checksums in the header of its file. O(1).
  uint64_t fingerprint() const;
  /// Reads the whole file and throws InputError if a section does not match its checksum.
  void verify() const { container_.verify(); }

 private:
  std::span<const uint32_t> row(uint32_t pair) const;
  const PairForm& form_of(std::span<const uint32_t> row) const;
  const PairCounts& counts_of(std::span<const uint32_t> row) const;
  std::span<const SparseScore> sparse(uint32_t pair) const;
  [[noreturn]] void damaged(const char* what) const;

  Container container_;
  corpus::VocabularyView source_words_, target_words_, sparse_names_;
  size_t scores_ = 0, reordering_ = 0, longest_source_ = 0, longest_target_ = 0, order_ = 0;
  size_t pair_count_ = 0, source_count_ = 0;
  std::span<const PhraseNode> nodes_;
  std::span<const uint64_t> slots_;
  std::span<const uint32_t> pairs_;  // rows of kScores + scores_ columns
  std::span<const PairForm> forms_;
  std::span<const PairCounts> counts_;
  std::span<const int32_t> targets_;
  std::span<const uint32_t> target_offsets_;
  std::span<const corpus::Link> links_;
  std::span<const uint32_t> link_offsets_;
  std::span<const float> reordering_rows_;
  std::span<const uint32_t> sparse_rows_;  // by pair; none if no pair has sparse scores
  std::span<const SparseScore> sparse_scores_;
  std::span<const uint32_t> sparse_offsets_;
};

}  // namespace tunesmith::tables
