// Counting of all hierarchical rules of a bitext; spilled to disk beyond a memory limit.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/base/rows.h"
#include "tunesmith/base/scratch.h"
#include "tunesmith/corpus/alignment.h"
#include "tunesmith/corpus/sentences.h"
#include "tunesmith/extract/rules/key.h"
#include "tunesmith/extract/rules/limits.h"
#include "tunesmith/extract/rules/tally.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::extract::rules {

struct RuleCountOptions {
  RuleLimits limits;
  bool fractional = false;  // each initial phrase distributes a count of 1 evenly over its rules
  size_t memory_bytes = size_t{2} << 30;
  std::string folder = "/tmp";
  int threads = 1;
};

/// Rules are partitioned by the hash of their source side, so that threads count parts independently, and
/// each part is small enough to be sorted in memory.
class RuleCounts {
 public:
  static constexpr size_t kParts = 64;

  /// Computes the sort order of the words; throws InputError if the limits are invalid.
  RuleCounts(const Texts& source_words, const Texts& target_words, const RuleCountOptions& options);

  /// From now on counts rules of these source sides only, in the words of the vocabulary: memory is then that
  /// of their rules. Counts of target sides are those of the counted rules.
  void count_only(const Rows<grammar::Symbol>& sides);

  /// Counts the rules of the sentence pairs [begin, end). O(occurrences of rules). Throws InputError if a
  /// word is not in the vocabulary or a link is outside of its sentences.
  void add(const corpus::Sentences& source, const corpus::Sentences& target,
           const corpus::Alignments& alignments, size_t begin, size_t end);

  /// Counts a rule that was found elsewhere, in the words of the vocabularies. Not thread-safe.
  void add(const grammar::Rule& rule, const Tally& tally);

  const RuleCountOptions& options() const { return options_; }
  const SymbolOrder& source_order() const { return source_order_; }
  const SymbolOrder& target_order() const { return target_order_; }
  uint64_t occurrences() const { return occurrences_; }
  bool on_disk() const { return on_disk_; }

  /// Moves the tallies of a part out, from memory and disk.
  TallyTable take_part(size_t part);

 private:
  void add_round(const corpus::Sentences& source, const corpus::Sentences& target,
                 const corpus::Alignments& alignments, size_t begin, size_t end);
  /// Counts the records of a part and frees them; thread-safe.
  void count(size_t part, std::string& records);
  void spill();
  void spill(size_t part);

  RuleCountOptions options_;
  size_t source_words_;
  size_t target_words_;
  SymbolOrder source_order_;
  SymbolOrder target_order_;
  std::vector<TallyTable> tables_;
  std::vector<Scratch> files_;
  std::vector<std::mutex> locks_;  // one per part
  uint64_t occurrences_ = 0;
  std::atomic<bool> on_disk_ = false;
  FlatMap<uint8_t> only_;  // hashes of source sides; empty: all are counted
};

}  // namespace tunesmith::extract::rules
