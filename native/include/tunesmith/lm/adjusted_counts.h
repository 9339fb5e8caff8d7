// Kneser-Ney adjusted counts of all orders, from the counts of the highest order.
#pragma once

#include <array>

#include "tunesmith/base/merge_reader.h"
#include "tunesmith/lm/records.h"

namespace tunesmith::lm {

/// The adjusted count of an n-gram is its count if it has the highest order or begins with `<s>`, else the
/// number of distinct words before it (Kneser and Ney 1995).
///
/// `full` gives the n-grams of the highest order N in suffix order; sentences `a b` were padded to
/// `<s> ... <s> a b </s>` with N - 1 times `<s>`. Calls emit(n, key, adjusted count, pruned) for each n-gram
/// of each order n except the words `<unk>` and `<s>`, within an order in suffix order. One pass: n-grams
/// with the same suffix are adjacent, so that at any time one n-gram per order is open.
template <int Parts, class Emit>
void adjust_counts(MergeReader<CountedNgram<Parts>>& full, const KeyLayout<Parts>& layout,
                   const Pruning& pruning, Emit emit) {
  struct Open {
    uint64_t adjusted = 0;
    uint64_t count = 0;
    bool has_pruned_word = false;
  };
  const int highest = layout.order();
  std::array<Open, kMaxNgramOrder + 1> open{};  // the suffixes of `previous`, by order; [0] is empty
  int open_to = 0;
  NgramKey<Parts> previous{};

  auto close_above = [&](int n) {
    for (; open_to > n; --open_to) {
      const Open& ngram = open[open_to];
      const bool rare = ngram.count <= pruning.thresholds[open_to - 1];
      emit(open_to, layout.prefix(previous, open_to), ngram.adjusted, rare || ngram.has_pruned_word);
    }
  };

  for (CountedNgram<Parts> ngram; full.next(ngram);) {
    const int common = std::min(open_to, layout.common(previous, ngram.key));
    close_above(common);
    previous = ngram.key;

    // Counted from its last word, the n-gram extends to the nearest `<s>`; the rest is padding.
    int length = common;
    bool has_pruned_word = open[common].has_pruned_word;
    for (bool begins = false; length < highest && !begins; ++length) {
      const uint32_t word = layout.field(ngram.key, length);
      begins = word == kSentenceBegin;
      has_pruned_word = has_pruned_word || pruning.word(word);
      if (length + 1 < highest) open[length + 1] = {0, 0, has_pruned_word};
    }
    open_to = std::min(length, highest - 1);

    for (int n = std::max(common, 1); n < length; ++n) ++open[n].adjusted;
    for (int n = 1; n <= open_to; ++n) open[n].count += ngram.count;
    if (length < highest)
      open[length].adjusted = ngram.count;
    else
      emit(highest, ngram.key, ngram.count,
           ngram.count <= pruning.thresholds[highest - 1] || has_pruned_word);
  }
  close_above(0);
}

}  // namespace tunesmith::lm
