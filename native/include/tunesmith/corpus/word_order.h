// How far apart the words of aligned text stand: the jumps and the spans that decoders need to reproduce it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/alignment.h"

namespace tunesmith::corpus {

/// A phrase pair of a sentence pair: source words [source_begin, source_end), target words likewise.
struct OrderBlock {
  int32_t source_begin, source_end;
  int32_t target_begin, target_end;

  friend bool operator==(const OrderBlock&, const OrderBlock&) = default;
};

/// Counts of a text; index i of a histogram is the value i.
///
/// `jumps` and `spans` have one entry per jump and per reordered segment, `longest_jumps` and `widest_spans`
/// one per sentence pair with links: the limits that let a decoder reproduce its whole order.
struct WordOrder {
  std::vector<int64_t> jumps, longest_jumps;
  std::vector<int64_t> spans, widest_spans;
  int64_t pairs = 0, source_words = 0, target_words = 0;
  int64_t unaligned_source = 0, unaligned_target = 0;
};

/// The finest phrase pairs that cover all links and do not overlap on either side, in source order. Unaligned
/// source words belong to the phrase before them (at the start: after them), so that the phrases tile the
/// source. O(rounds * n log n) for n links; rounds are few, since each merges blocks.
std::vector<OrderBlock> minimal_blocks(int32_t source_length, std::span<const Link> links);

/// Counts jumps and spans over `minimal_blocks`:
///
/// - a jump is |begin of a block - end of the block before it in target order|, and of the first block its
///   begin: Moses' distortion of a derivation with these phrases;
/// - a segment is a shortest run of blocks whose source words are translated without a gap, before all later
///   blocks and after all earlier ones: a decoder that concatenates in order (glue) may cut there and nowhere
///   else. Its span is its number of source words, and 0 if it is a single block, without reordering.
///
/// Links are checked against the lengths of their sentences.
WordOrder measure_word_order(const Alignments& alignments, const Sentences& source, const Sentences& target,
                             int threads);

}  // namespace tunesmith::corpus
