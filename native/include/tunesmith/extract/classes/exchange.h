// Word classes by the exchange algorithm, under the mutual information of adjacent classes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tunesmith/corpus/sentences.h"

namespace tunesmith::extract::classes {

struct ClassOptions {
  int classes = 80;
  int passes = 30;  // at most; it ends earlier when no word moves
  int threads = 1;
};

struct ExchangedClasses {
  std::vector<int32_t> classes;  // of each word of the vocabulary; -1 for one that does not occur
  double mutual_information = 0;
  int passes = 0;
  int64_t moved = 0;  // words that the last pass moved: 0 is a local optimum
};

/// Called after each pass with its number, the words moved and the mutual information.
using ClassProgress = std::function<void(int, int64_t, double)>;

/// Partitions the words into classes so that the average mutual information of adjacent classes,
///   I = sum_ab p(a, b) log(p(a, b) / (p(a, .) p(., b))),
/// is at a local optimum: no single word can gain by moving (Brown et al. 1992 for the criterion, Martin,
/// Liermann and Ney 1998 for the exchange). The borders of sentences are a class of their own. It starts from
/// more classes than asked for, which the most frequent words found and the others join, and merges the
/// cheapest of them; a plain start ends in poorer optima. Natural logarithm; O(words x classes x distinct
/// neighboring classes) a pass.
ExchangedClasses exchange_classes(const corpus::Sentences& sentences, size_t words,
                                  const ClassOptions& options, const ClassProgress& progress = {});

/// The average mutual information of adjacent classes, borders included, for any classes of the words.
double mutual_information(const corpus::Sentences& sentences, std::span<const int32_t> classes);

}  // namespace tunesmith::extract::classes
