// Exact clipped n-gram matching, with a hash table that is reused from list to list.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "tunesmith/base/text.h"

namespace tunesmith::metrics {

/// The n-grams of reference texts. An n-gram is keyed by (id of its first n - 1 symbols, last symbol), so
/// that equality is exact: no two n-grams share an id. A symbol is a word id or a character, at least 0.
class NgramCounter {
 public:
  void clear(size_t most_ngrams) {
    entries_.clear();
    slots_.assign(std::bit_ceil(2 * most_ngrams + 2), -1);
    text_ = 0;
  }

  /// Raises each n-gram's limit to its count in this text, if that is larger.
  template <class Symbol>
  void add_reference(const std::vector<Symbol>& symbols, size_t order) {
    ++text_;
    for (size_t start = 0; start < symbols.size(); ++start) {
      int32_t ngram = -1;
      for (size_t n = 0; n < order && start + n < symbols.size(); ++n) {
        ngram = find(ngram, static_cast<int32_t>(symbols[start + n]), true);
        const int32_t seen = count(ngram);
        if (seen > entries_[ngram].limit) entries_[ngram].limit = seen;
      }
    }
  }

  /// matches[(n - 1) * stride] += number of n-grams of this text that match, clipped to their limits.
  template <class Symbol>
  void match(const std::vector<Symbol>& symbols, size_t order, double* matches, size_t stride) {
    ++text_;
    for (size_t start = 0; start < symbols.size(); ++start) {
      int32_t ngram = -1;
      for (size_t n = 0; n < order && start + n < symbols.size(); ++n) {
        const auto symbol = static_cast<int32_t>(symbols[start + n]);
        if (symbol < 0 || (ngram = find(ngram, symbol, false)) < 0) break;
        if (count(ngram) <= entries_[ngram].limit) matches[n * stride] += 1;
      }
    }
  }

 private:
  struct Entry {
    int32_t prefix, symbol;
    int32_t limit = 0;  // the largest count in any one reference
    int32_t count = 0;  // the count in the current text
    int64_t text = 0;   // the text that `count` belongs to
  };

  int32_t find(int32_t prefix, int32_t symbol, bool add) {
    const size_t mask = slots_.size() - 1;
    size_t slot = mix(static_cast<uint32_t>(prefix + 1), static_cast<uint32_t>(symbol)) & mask;
    for (; slots_[slot] >= 0; slot = (slot + 1) & mask) {
      const Entry& entry = entries_[slots_[slot]];
      if (entry.prefix == prefix && entry.symbol == symbol) return slots_[slot];
    }
    if (!add) return -1;
    slots_[slot] = static_cast<int32_t>(entries_.size());
    entries_.push_back({prefix, symbol});
    return slots_[slot];
  }

  /// Counts one more occurrence in the current text and returns the count so far.
  int32_t count(int32_t ngram) {
    Entry& entry = entries_[ngram];
    if (entry.text != text_) entry.text = text_, entry.count = 0;
    return ++entry.count;
  }

  std::vector<int32_t> slots_;
  std::vector<Entry> entries_;
  int64_t text_ = 0;
};

}  // namespace tunesmith::metrics
