// Extraction and counting of all phrase pairs of a bitext, written to a file of phrase counts.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "tunesmith/corpus/alignment.h"
#include "tunesmith/corpus/sentences.h"
#include "tunesmith/tables/orientation.h"

namespace tunesmith::extract::phrases {

/// An aligned bitext with a fold and a weight per sentence pair. With several `copies` there are as many
/// alignments of each of the n pairs, i, n + i, ... of pair i; phrase pairs of all of them count.
struct FoldedBitext : corpus::AlignedBitext {
  std::span<const int32_t> folds;    // of each sentence pair; empty: fold 0 for all
  std::span<const int64_t> weights;  // what each phrase pair of a sentence pair counts; empty: 1
  uint64_t unit = 1;                 // the weight that counts as one phrase pair
  /// Bits of an OrientationSet per sentence pair: each is one phrase pair, extracted before. Empty: phrase
  /// pairs are extracted.
  std::span<const int32_t> orientations;
  size_t copies = 1;
};

struct CountingOptions {
  int max_length = 7;
  tables::OrientationEvents events = tables::OrientationEvents::kBlocks;
  uint64_t memory = uint64_t{2} << 30;  // bytes of extracted pairs held in memory; the rest goes to disk
  std::string temporary;                // folder of temporary files
  int threads = 1;
  std::function<void(const std::string&)> progress;  // called on the caller's thread; may be empty
};

/// Extracts all phrase pairs with their links and orientations, and writes their counts to `path`. The file
/// does not depend on the memory or the number of threads.
void count_phrase_pairs(const FoldedBitext& bitext, const std::string& path, const CountingOptions& options);

}  // namespace tunesmith::extract::phrases
