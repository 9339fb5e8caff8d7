// Contexts: the boundary words of a yield, from which n-grams across its ends are counted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// A context is a short sequence of words with at most one break, where words were omitted: the whole yield
/// if it is shorter than n - 1 words, else its first n - 1 words, a break, and its last n - 1 words. Two
/// yields with equal contexts form the same n-grams with any words before and after them.
inline constexpr int32_t kBreak = -1;

/// Which ends of a node's yield can be next to other words in a derivation of the root. In a left-to-right
/// forest (gaps come first, as in phrase lattices) no left end can; at the root neither end can.
struct ContextNeeds {
  std::vector<uint8_t> used;  // by some derivation of the root
  std::vector<uint8_t> left, right;
};

/// O(symbols of all edges), from the root down.
ContextNeeds context_needs(const Forest& forest);

/// The yield of an edge, with the contexts of its tails in their gaps.
class YieldSequence {
 public:
  void clear() {
    words_.clear();
    owners_.clear();
  }
  /// Appends the context in a gap or, for gap -1, words of the edge itself; kBreak marks omitted words.
  void add_context(std::span<const int32_t> context, int32_t gap) {
    words_.insert(words_.end(), context.begin(), context.end());
    owners_.insert(owners_.end(), context.size(), gap);
  }
  /// Reads the yield of an edge: `words(symbol)` are the numbers of a word, `context(i)` that of tail i.
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

  /// Calls `visit(ngram, is_new)` for each n-gram of up to `order` words without a break. It is new unless it
  /// lies within a single gap: each n-gram of a derivation's yield is new at exactly one edge, the lowest
  /// that contains it. N-grams that begin at the same word are visited by increasing length, until `visit`
  /// returns false.
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

  /// The context of the sequence: up to `size` words of each end that is needed.
  void shorten(size_t size, bool left, bool right, std::vector<int32_t>& context) const;

 private:
  std::vector<int32_t> words_;
  std::vector<int32_t> owners_;  // the gap of each word, -1 for the edge's own
};

}  // namespace tunesmith::forest
