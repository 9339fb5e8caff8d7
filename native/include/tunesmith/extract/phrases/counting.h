// Counting of all phrase pairs of a bitext into a file of phrase counts.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "tunesmith/corpus/alignment.h"
#include "tunesmith/corpus/sentences.h"

namespace tunesmith::extract::phrases {

/// An aligned bitext in folds.
struct FoldedBitext : corpus::AlignedBitext {
  std::span<const int32_t> folds;  // of each sentence pair; empty is fold 0 for all
};

struct CountingOptions {
  int max_length = 7;
  uint64_t memory = uint64_t{2} << 30;  // bytes of extracted pairs that are held; more go to disk
  std::string temporary;                // the folder for them
  int threads = 1;
  std::function<void(const std::string&)> progress;  // called by the caller's thread; may be empty
};

/// Extracts all phrase pairs with their links and orientations, and writes their counts to `path`, the same
/// bytes for any memory and number of threads.
void count_phrase_pairs(const FoldedBitext& bitext, const std::string& path, const CountingOptions& options);

}  // namespace tunesmith::extract::phrases
