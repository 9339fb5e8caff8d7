// Decoding sentences to lists, on several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "tunesmith/base/texts.h"
#include "tunesmith/decode/translate_all.h"
#include "tunesmith/xbleu/list_builder.h"
#include "tunesmith/xbleu/list_file.h"

namespace tunesmith::xbleu {

/// Sentences that have no list, and why; and lists from which nothing can be learned.
struct ListCounts {
  uint64_t missing = 0;    // no translation was found
  uint64_t too_large = 0;  // more than 65,535 columns, words or events
  uint64_t single = 0;     // lists of one candidate

  bool operator==(const ListCounts&) const = default;
};

/// Translates sentences, each with one reference, and appends the lists of their n best strings to a file in
/// the making, in the order of the sentences. `rows` are their rows in the text. The decoders must keep all
/// edges and their scores. The result does not depend on the number of threads; errors and `poll` are as in
/// `for_each_request`, and nothing is appended then.
ListCounts decode_lists(const decode::DecoderMaker& maker, const Texts& sources, const Texts& references,
                        std::span<const uint32_t> rows, uint32_t nbest, int threads,
                        std::function<void()> poll, ListWriter& writer, const CandidateScores& scores = {});

}  // namespace tunesmith::xbleu
