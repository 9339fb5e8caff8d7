// What a yield shows to the words around it: its first and last words, from which n-grams are told.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// A context is a short row of words, with at most one break where words were left out: the whole yield
/// where it is shorter than n - 1 words, else its first n - 1 words, a break, its last n - 1 words. Two
/// yields with equal contexts make the same n-grams with any words put before and after them.
inline constexpr int32_t kBreak = -1;

/// Which ends of a node's yield may meet other words in a derivation of the root. In a forest that grows
/// from left to right (gaps come first, as in phrase lattices) no left end does; at the root neither does.
struct ContextNeeds {
  std::vector<uint8_t> used;  // by some derivation of the root
  std::vector<uint8_t> left, right;
};

/// O(symbols of all edges), from the root down.
ContextNeeds context_needs(const Forest& forest);

/// The yield of an edge, as far as the contexts of its tails tell it.
class YieldSequence {
 public:
  void clear() {
    words_.clear();
    owners_.clear();
  }
  /// What a gap shows, or, for the gap -1, words of the edge itself; kBreak is where words were left out.
  void add_context(std::span<const int32_t> context, int32_t gap) {
    words_.insert(words_.end(), context.begin(), context.end());
    owners_.insert(owners_.end(), context.size(), gap);
  }
  /// All of an edge's yield: `words(symbol)` tells the numbers that stand for a word, `context(i)` what tail
  /// i shows.
  template <class Words, class Context>
  void read(std::span<const grammar::Symbol> target, Words words, Context context) {
    clear();
    for (const grammar::Symbol& symbol : target) {
      if (grammar::is_gap(symbol))
        add_context(context(grammar::gap_index(symbol)), static_cast<int32_t>(grammar::gap_index(symbol)));
      else
        add_context(words(symbol), -1);
    }
  }

  /// Calls `visit(ngram, is_new)` for each n-gram of up to `order` words without a break. It is new unless
  /// it came through a single gap: each n-gram of a derivation's yield is new at exactly one of its edges,
  /// the lowest that holds it. Those that begin at one word come one after another, the shorter first;
  /// where `visit` returns false the longer ones are left out.
  template <class Visit>
  void ngrams(size_t order, Visit visit) const {
    const std::span<const int32_t> words(words_);
    for (size_t begin = 0; begin < words.size(); ++begin) {
      bool within = owners_[begin] >= 0;
      for (size_t end = begin; end < words.size() && end < begin + order && words[end] != kBreak; ++end) {
        within = within && owners_[end] == owners_[begin];
        if (!visit(words.subspan(begin, end + 1 - begin), !within)) break;
      }
    }
  }

  /// The context of the sequence: up to `size` words of the ends that are needed.
  void shorten(size_t size, bool left, bool right, std::vector<int32_t>& context) const;

 private:
  std::vector<int32_t> words_;
  std::vector<int32_t> owners_;  // the gap that a word came through, -1 for the edge's own
};

}  // namespace tunesmith::forest
