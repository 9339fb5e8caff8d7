// Word clustering by the exchange algorithm, maximizing the mutual information of class bigrams.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tunesmith/corpus/sentences.h"

namespace tunesmith::extract::classes {

struct ClassOptions {
  int classes = 80;
  int passes = 30;  // at most; stops earlier when no word moves
  int threads = 1;
};

struct ExchangedClasses {
  std::vector<int32_t> classes;  // of each word of the vocabulary; -1 if it does not occur
  double mutual_information = 0;
  int passes = 0;
  int64_t moved = 0;  // number of words moved by the last pass; 0 at a local optimum
};

/// Called after each pass with its number, the number of words moved and the mutual information.
using ClassProgress = std::function<void(int, int64_t, double)>;

/// Partitions the words into classes so that the average mutual information of adjacent classes,
///   I = sum_ab p(a, b) log(p(a, b) / (p(a, .) p(., b))),
/// is at a local optimum: no move of a single word increases it (criterion: Brown et al. 1992; exchange:
/// Martin, Liermann and Ney 1998). Sentence boundaries are a class of their own. The initial classes, more
/// than requested, are seeded by the most frequent words; the others join the best class, and the classes
/// whose merge costs least are merged. A plain initialization ends in poorer optima. Natural logarithm;
/// O(words x classes x distinct neighboring classes) per pass.
ExchangedClasses exchange_classes(const corpus::Sentences& sentences, size_t words,
                                  const ClassOptions& options, const ClassProgress& progress = {});

/// The average mutual information of adjacent classes, sentence boundaries included, for given classes.
double mutual_information(const corpus::Sentences& sentences, std::span<const int32_t> classes);

}  // namespace tunesmith::extract::classes
