// The n-grams of a mapped model, whose file has only their hashes.
#pragma once

#include <span>

#include "tunesmith/lm/model.h"
#include "tunesmith/lm/sink.h"
#include "tunesmith/lm/suffix_trie.h"

namespace tunesmith::lm {

/// Recovers the words of all n-grams of a model. The hash of an n-gram is a one-to-one function of its oldest
/// word and the hash of the rest, of which it shows 32 bits; a file holds all suffixes of its n-grams, so
/// that joining each order with the next lower one by these bits finds the rest, and with it the word. With V
/// words, a suffix that is not the n-gram's fits with probability V / 2^64; where two fit, the one whose
/// context the model has is taken. O(n) time, for sorting by hash; up to 72 bytes per n-gram of one order.
///
/// In the trie, word w has the number `numbers[w]`; all must differ. Weights are those of the file. A damaged
/// file is an InputError.
SuffixTrie unhash(const NgramLm& model, std::span<const uint32_t> numbers);

/// Sends the n-grams of a model to a sink, those added to reach others included, in suffix order. Compiled
/// again, they give the same model but for rounding: files have natural logs, sinks take logs to base 10.
void send_ngrams(const NgramLm& model, NgramSink& sink);

/// The hash of the context of an n-gram of an order >= 2: of `word`, followed by the n-gram `suffix` of the
/// next lower order without its last word. `own[w]` is the model's number of the trie's word w.
uint64_t context_hash(const SuffixTrie& trie, std::span<const int32_t> own, uint32_t order, uint32_t suffix,
                      uint32_t word);

}  // namespace tunesmith::lm
