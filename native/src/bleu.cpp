#include "tunesmith/bleu.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "tunesmith/errors.h"
#include "tunesmith/parallel.h"
#include "tunesmith/text.h"

namespace tunesmith {

namespace {

using Words = std::vector<std::string_view>;

/// Word ids that are equal only for equal words, within one list.
class WordIds {
 public:
  void clear(size_t most_words) {
    slots_.assign(std::bit_ceil(2 * most_words + 2), -1);
    words_.clear();
  }
  /// Returns the id of a word; adds it, or returns -1 if it is new and `add` is false.
  int32_t find(std::string_view word, bool add) {
    const size_t mask = slots_.size() - 1;
    size_t slot = hash_bytes(word) & mask;
    for (; slots_[slot] >= 0; slot = (slot + 1) & mask)
      if (words_[slots_[slot]] == word) return slots_[slot];
    if (!add) return -1;
    slots_[slot] = static_cast<int32_t>(words_.size());
    words_.push_back(word);
    return slots_[slot];
  }

 private:
  std::vector<int32_t> slots_;
  Words words_;
};

/// The n-grams of a list's references. An n-gram is a pair (id of its first n-1 words, last word),
/// so equality is exact: no two n-grams share an id.
class NgramTable {
 public:
  struct Entry {
    int32_t prefix = -1, word = -1;
    int32_t limit = 0;   // the largest count in any one reference
    int32_t count = 0;   // the count in the text at hand
    int32_t stamp = -1;  // the text that `count` belongs to
  };

  void clear(size_t most_ngrams) {
    entries_.clear();
    slots_.assign(std::bit_ceil(2 * most_ngrams + 2), -1);
  }
  int32_t find(int32_t prefix, int32_t word, bool add) {
    const size_t mask = slots_.size() - 1;
    size_t slot = mix(static_cast<uint32_t>(prefix + 1), static_cast<uint32_t>(word)) & mask;
    for (; slots_[slot] >= 0; slot = (slot + 1) & mask) {
      const Entry& entry = entries_[slots_[slot]];
      if (entry.prefix == prefix && entry.word == word) return slots_[slot];
    }
    if (!add) return -1;
    slots_[slot] = static_cast<int32_t>(entries_.size());
    entries_.push_back({prefix, word, 0, 0, -1});
    return slots_[slot];
  }
  /// Counts one occurrence in text `stamp` and returns the count so far.
  int32_t count(int32_t ngram, int32_t stamp) {
    Entry& entry = entries_[ngram];
    if (entry.stamp != stamp) entry.stamp = stamp, entry.count = 0;
    return ++entry.count;
  }
  Entry& operator[](int32_t ngram) { return entries_[ngram]; }

 private:
  std::vector<int32_t> slots_;
  std::vector<Entry> entries_;
};

class ListCounter {
 public:
  explicit ListCounter(const BleuOptions& options) : options_(options) {}

  void set_references(const std::vector<Texts>& references, size_t list) {
    lengths_.clear();
    stamp_ = 0;
    reference_words_.resize(references.size());
    size_t words = 0;
    for (size_t r = 0; r < references.size(); ++r) {
      split_words(references[r][list], reference_words_[r]);
      lengths_.push_back(reference_words_[r].size());
      words += reference_words_[r].size();
    }
    ids_.clear(words);
    ngrams_.clear(words * options_.order);
    for (const Words& text : reference_words_) {
      to_ids(text, true);
      for (size_t start = 0; start < text_.size(); ++start) {
        int32_t ngram = -1;
        for (size_t n = 0; n < options_.order && start + n < text_.size(); ++n) {
          ngram = ngrams_.find(ngram, text_[start + n], true);
          const int32_t seen = ngrams_.count(ngram, stamp_);
          ngrams_[ngram].limit = std::max(ngrams_[ngram].limit, seen);
        }
      }
      ++stamp_;
    }
  }

  void count(std::string_view hypothesis, double* stats) {
    split_words(hypothesis, words_);
    to_ids(words_, false);
    const size_t length = text_.size();
    std::fill(stats, stats + 2 * options_.order + 1, 0.0);
    for (size_t n = 0; n < options_.order; ++n) stats[2 * n + 1] = length > n ? double(length - n) : 0.0;
    for (size_t start = 0; start < length; ++start) {
      int32_t ngram = -1;
      for (size_t n = 0; n < options_.order && start + n < length && text_[start + n] >= 0; ++n) {
        ngram = ngrams_.find(ngram, text_[start + n], false);
        if (ngram < 0) break;
        if (ngrams_.count(ngram, stamp_) <= ngrams_[ngram].limit) stats[2 * n] += 1;
      }
    }
    ++stamp_;
    stats[2 * options_.order] = reference_length(length);
  }

 private:
  void to_ids(const Words& words, bool add) {
    text_.clear();
    for (std::string_view word : words) text_.push_back(ids_.find(word, add));
  }

  double reference_length(size_t length) const {
    if (options_.reference_length == ReferenceLength::average) {
      double sum = 0;
      for (size_t r : lengths_) sum += double(r);
      return sum / double(lengths_.size());
    }
    size_t best = lengths_[0];
    for (size_t r : lengths_) {
      if (options_.reference_length == ReferenceLength::shortest) {
        best = std::min(best, r);
      } else {  // closest; of two equally close, the shorter
        const auto distance = [&](size_t x) { return x > length ? x - length : length - x; };
        if (distance(r) < distance(best) || (distance(r) == distance(best) && r < best)) best = r;
      }
    }
    return double(best);
  }

  const BleuOptions& options_;
  WordIds ids_;
  NgramTable ngrams_;
  std::vector<Words> reference_words_;
  std::vector<size_t> lengths_;
  Words words_;
  std::vector<int32_t> text_;
  int32_t stamp_ = 0;
};

}  // namespace

void bleu_stats(const Texts& hypotheses, std::span<const int64_t> lists, const std::vector<Texts>& references,
                const BleuOptions& options, int threads, std::span<double> out) {
  if (options.order < 1) throw InputError("the order of BLEU must be at least 1");
  constexpr size_t kListsAChunk = 64;
  const size_t width = 2 * options.order + 1;
  parallel_chunks(lists.size() - 1, kListsAChunk, threads, [&](size_t, size_t begin, size_t end) {
    ListCounter counter(options);
    for (size_t list = begin; list < end; ++list) {
      counter.set_references(references, list);
      for (int64_t h = lists[list]; h < lists[list + 1]; ++h)
        counter.count(hypotheses[h], out.data() + h * width);
    }
  });
}

}  // namespace tunesmith
