// Memory-mapped index for on-demand extraction: aligned bitext, suffix arrays, span bits and lexicon.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tunesmith/base/container.h"
#include "tunesmith/corpus/alignment.h"
#include "tunesmith/corpus/sentences.h"
#include "tunesmith/corpus/suffix_array.h"
#include "tunesmith/corpus/vocabulary.h"
#include "tunesmith/extract/rules/link_lexicon.h"
#include "tunesmith/extract/rules/span_bits.h"

namespace tunesmith::extract::on_demand {

/// One side of the bitext.
struct IndexSide {
  corpus::SuffixArray array;
  std::span<const uint32_t> starts;        // sentence i is text[starts[i], starts[i + 1] - 1)
  std::span<const rules::SpanBits> spans;  // one per position of the text
  corpus::VocabularyView vocabulary;

  std::span<const int32_t> sentence(size_t i) const {
    return array.text.subspan(starts[i], starts[i + 1] - starts[i] - 1);
  }
  /// The sentence of a position of the text. O(log sentences).
  size_t sentence_of(uint32_t position) const;
};

/// The memory-mapped file. The target side has suffixes and spans only if built with `both_sides`.
class SuffixIndex {
 public:
  /// Throws InputError if the file is missing, of another kind, truncated or inconsistent; `verify` compares
  /// checksums too. O(words + links), some milliseconds per million. A suffix array that is out of order is
  /// detected later: looking up its words throws InputError.
  explicit SuffixIndex(const std::string& path, bool verify = false);

  size_t size() const { return source_.starts.size() - 1; }
  const IndexSide& source() const { return source_; }
  const IndexSide& target() const { return target_; }
  bool both_sides() const { return both_sides_; }
  corpus::Alignments alignments() const { return alignments_; }
  const rules::LinkLexicon& lexicon() const { return lexicon_; }
  const std::string& path() const { return container_.path(); }

 private:
  Container container_;
  IndexSide source_, target_;
  corpus::Alignments alignments_;
  rules::LinkLexicon lexicon_;
  bool both_sides_ = false;
};

/// Builds the index of a bitext and writes it. With `both_sides`, target patterns can be looked up too, at
/// twice the time and size. O(n log n).
void build_suffix_index(const corpus::AlignedBitext& bitext, const std::string& path, bool both_sides,
                        int threads);

}  // namespace tunesmith::extract::on_demand
