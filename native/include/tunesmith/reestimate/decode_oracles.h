// Oracle-BLEU translations of a text (Dakwale and Monz 2016): decode, search the forest, write, by blocks.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/base/texts.h"
#include "tunesmith/decode/model.h"
#include "tunesmith/decode/translate_all.h"
#include "tunesmith/reestimate/derivation_file.h"
#include "tunesmith/reestimate/draft_builder.h"

namespace tunesmith::reestimate {

/// Statistics of BLEU as `metrics::bleu_stats` orders them.
using BleuSums = std::array<double, 9>;

struct OracleSettings {
  uint32_t nbest = 1;           // different strings per sentence
  double mu = 0.5;              // of the model score; 0: BLEU alone
  double scale = 1;             // a, which brings model scores to the scale of B
  uint32_t beam = 32;           // items per node; 0: exact, where that is feasible
  BleuSums background{};        // O at the start of each block
  double background_words = 0;  // O_f, source words
  double decay = 0.9;
  uint32_t compare = 0;            // sentences per block whose oracle is also searched without a beam
  size_t exact_work = 20'000'000;  // limit of that search; see BleuOracleOptions
};

/// What was found in a block, and how long it took.
struct OracleCounts {
  uint64_t sentences = 0;  // with derivations
  uint64_t missing = 0;    // without a translation
  uint64_t too_large = 0;  // more than 65,535 columns, words or phrases
  uint64_t derivations = 0;
  uint64_t source_words = 0;  // of the sentences with derivations
  double decode_seconds = 0;  // of CPU
  double oracle_seconds = 0;
  BleuSums best{};                     // statistics of the best translations of the model
  BleuSums oracle{};                   // of the best oracles
  uint64_t compared = 0;               // sentences for which an exact search was tried
  uint64_t exact = 0;                  // of those, the ones where it was feasible
  double value_loss = 0;               // sum of (exact - beam) over these, of the best oracles
  double value_loss_of_all = 0;        // the same of the means over all oracles of a sentence
  BleuSums beam_sums{}, exact_sums{};  // statistics over these
};

/// Sentences [begin, end) of a text, and the file that their derivations are written to.
struct OracleBlock {
  size_t begin, end;
  std::string path;
  std::string forests;  // where their forests are written, with the score as the only feature; "" is nowhere
};

/// What the decoders of phrases and of rules have for it. `make` returns decoders that keep all edges and
/// their scores; `draft` what lists the derivations of a forest, given source and row of the sentence;
/// `complete`, which may be empty, adds to a request what it needs besides its words.
struct OracleDecoding {
  decode::DecoderMaker make;
  std::function<std::unique_ptr<DraftBuilder>(const decode::ScoredForest&, std::string_view, uint32_t)> draft;
  std::function<void(std::string_view, uint32_t, decode::DecoderRequest&)> complete = {};
};

/// Writes the derivations of the oracles of each block to its file, in the order of the sentences:
/// argmax (1 - mu) B + mu a h.w with B = (O_f + |f|) BLEU(O + c), where after each sentence
/// O <- 0.9 (O + c), O_f <- 0.9 (O_f + |f|) with the statistics c of its best oracle. Blocks begin with the
/// background, so that they do not depend on each other. `rows` are the rows of sentences in the text.
/// Blocks are worked on by several threads, and `finished(block, counts)` is called on the caller's thread
/// after the file is there. Errors of a sentence have its row + 1 as line, and those of `poll` are as in
/// `for_each_request`.
void decode_oracles(const OracleDecoding& decoding, const Texts& sources, const Texts& references,
                    std::span<const uint32_t> rows, std::span<const OracleBlock> blocks,
                    const OracleSettings& settings, int threads, std::function<void()> poll,
                    const std::function<void(size_t, const OracleCounts&)>& finished);

}  // namespace tunesmith::reestimate
