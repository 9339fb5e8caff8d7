// Word translation probabilities by the links of an alignment.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/corpus/alignment.h"
#include "tunesmith/corpus/sentences.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::extract::rules {

/// p(e|f) = c(f, e) / sum_e' c(f, e') and the reverse, where c counts links, and a word without links counts
/// as one with the empty word. A hash table of the pairs that were linked; others have probability 0. O(1) a
/// look-up.
class LinkLexicon {
 public:
  /// The empty word, on either side.
  static constexpr int32_t kEmpty = -1;

  struct Entry {
    int32_t source = kEmpty;
    int32_t target = kEmpty;
    float target_given_source = 0;
    float source_given_target = 0;
  };

  LinkLexicon() = default;
  explicit LinkLexicon(std::span<const Entry> slots);

  /// The entry of a pair; both probabilities are 0 where the pair was never linked.
  Entry find(int32_t source, int32_t target) const;

  /// What a word without any probability costs: cdec's convention.
  static constexpr double kNever = 99;

  struct Costs {
    float source_given_target = 0;
    float target_given_source = 0;
  };
  /// Sums over the words of a side -log10 of the largest probability that a word of the other side, or the
  /// empty word, gives it, whatever the alignment, as cdec has it. O(source words * target words).
  Costs best_costs(std::span<const grammar::Symbol> source, std::span<const grammar::Symbol> target) const;

 private:
  std::span<const Entry> slots_;  // open addressing; free ones have probabilities of 0
};

/// The slots of the table of a bitext.
std::vector<LinkLexicon::Entry> count_link_lexicon(const corpus::Sentences& source,
                                                   const corpus::Sentences& target,
                                                   const corpus::Alignments& alignments, size_t source_words,
                                                   size_t target_words);

}  // namespace tunesmith::extract::rules
