// Lexical translation probabilities from alignment links, in a hash table that can be memory-mapped.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/corpus/alignment.h"
#include "tunesmith/corpus/sentences.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::extract::rules {

/// p(e|f) = c(f, e) / sum_e' c(f, e') and the reverse, where c counts links, and an unaligned word counts
/// once with NULL. A hash table of linked pairs; others have probability 0. O(1) per look-up.
class LinkLexicon {
 public:
  /// NULL, on either side.
  static constexpr int32_t kEmpty = -1;

  struct Entry {
    int32_t source = kEmpty;
    int32_t target = kEmpty;
    float target_given_source = 0;
    float source_given_target = 0;
  };

  LinkLexicon() = default;
  explicit LinkLexicon(std::span<const Entry> slots);

  /// The entry of a pair; both probabilities are 0 if the pair was never linked.
  Entry find(int32_t source, int32_t target) const;

  /// Cost of a word without any probability, as in cdec.
  static constexpr double kNever = 99;

  struct Costs {
    float source_given_target = 0;
    float target_given_source = 0;
  };
  /// sum_t -log10 max_s p(t|s) over the words t of one side, where s is any word of the other side or NULL,
  /// regardless of the alignment, as in cdec. O(source words * target words).
  Costs best_costs(std::span<const grammar::Symbol> source, std::span<const grammar::Symbol> target) const;

 private:
  std::span<const Entry> slots_;  // open addressing; free slots have probabilities of 0
};

/// Collects the links of sentence pairs, and turns them into the slots of a lexicon.
class LinkCounter {
 public:
  /// Reserves room for this many links.
  explicit LinkCounter(size_t links) { pairs_.reserve(links + links / 4); }

  /// Counts the links of a sentence pair, and its unaligned words with NULL.
  void add(std::span<const int32_t> source, std::span<const int32_t> target,
           std::span<const corpus::Link> links);
  /// The slots, given the sizes of the vocabularies; consumes what was counted. O(links log links).
  std::vector<LinkLexicon::Entry> slots(size_t source_words, size_t target_words);

 private:
  std::vector<uint64_t> pairs_;
  std::vector<char> source_linked_, target_linked_;
};

/// Computes the slots of a bitext's lexicon.
std::vector<LinkLexicon::Entry> count_link_lexicon(const corpus::Sentences& source,
                                                   const corpus::Sentences& target,
                                                   const corpus::Alignments& alignments, size_t source_words,
                                                   size_t target_words);

}  // namespace tunesmith::extract::rules
