// Class bigram counts, updated incrementally while words move between classes.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/sentences.h"

namespace tunesmith::extract::classes {

/// x log x, tabulated for small x.
class XLogX {
 public:
  XLogX() : table_(kTable) {
    for (size_t x = 1; x < kTable; ++x) table_[x] = double(x) * std::log(double(x));
  }
  double operator()(int64_t x) const {
    return x < kTable ? table_[static_cast<size_t>(x)] : double(x) * std::log(double(x));
  }

 private:
  static constexpr int64_t kTable = 1 << 16;
  std::vector<double> table_;
};

/// An adjacent word, with the count of the bigram.
struct Neighbor {
  int32_t word;
  int32_t count;
};

/// The distinct neighbors of each word. The last word is the sentence boundary.
struct Neighbors {
  std::vector<int64_t> offsets;
  std::vector<Neighbor> all;

  std::span<const Neighbor> operator[](size_t word) const {
    return {all.data() + offsets[word], static_cast<size_t>(offsets[word + 1] - offsets[word])};
  }
};

struct Bigrams {
  Neighbors after, before;
  std::vector<int64_t> counts;  // of each word; the boundary's is the number of non-empty sentences
};

/// Counts word bigrams; word number `words` is the boundary before and after each sentence.
Bigrams count_bigrams(const corpus::Sentences& sentences, size_t words);

/// Counts of a word's neighbors by class; bigrams of the word with itself are counted separately.
struct ContextCounts {
  std::vector<int32_t> after, before;  // classes with a count > 0, ascending
  std::vector<int64_t> after_count, before_count;
  int64_t self = 0;
  int64_t total = 0;  // of the word
};

/// The criterion sum_ab f(N(a, b)) - sum_a f(N(a, .)) - sum_b f(N(., b)), f(x) = x log x, is monotone in the
/// mutual information. The change by a move depends only on the rows and columns of two classes.
class ClassCounts {
 public:
  ClassCounts(const Bigrams& bigrams, std::vector<int32_t> classes, size_t n_classes);

  /// Fills `to` for a word; `scratch` has one zero per class, before and after.
  void count_context(size_t word, std::vector<int64_t>& scratch, ContextCounts& to) const;
  /// The change of the criterion if the word moves from class `from` to class `to`.
  double gain(const ContextCounts& word, int32_t from, int32_t to) const;
  /// The same for all classes `to` from 0 on, bit for bit, but in the order of the cells in memory: the sums
  /// over the word's neighbors are the outer loop.
  void gains(const ContextCounts& word, int32_t from, std::vector<double>& gains) const;
  void move(size_t word, const ContextCounts& context, int32_t to);

  const std::vector<int32_t>& classes() const { return classes_; }
  size_t size() const { return n_; }
  int64_t at(int32_t a, int32_t b) const {
    return counts_[static_cast<size_t>(a) * n_ + static_cast<size_t>(b)];
  }
  int64_t total(int32_t a) const { return totals_[static_cast<size_t>(a)]; }
  double mutual_information() const;

 private:
  void add(const ContextCounts& word, int32_t to, int64_t sign);

  const Bigrams& bigrams_;
  std::vector<int32_t> classes_;
  size_t n_;
  std::vector<int64_t> counts_;      // row a, column b: count of class a before class b
  std::vector<int64_t> transposed_;  // row b, column a
  std::vector<int64_t> totals_;  // of each class; left and right totals are equal thanks to the boundaries
  XLogX f_;
};

}  // namespace tunesmith::extract::classes
