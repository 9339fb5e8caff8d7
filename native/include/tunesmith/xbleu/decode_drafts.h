// Decoding sentences on several threads to what is made of their forests.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/texts.h"
#include "tunesmith/decode/translate_all.h"
#include "tunesmith/xbleu/event.h"

namespace tunesmith::xbleu {

/// build(forest, source, reference) of each sentence, with its row in the text; none where `build` returns
/// none or the sentence is too long. The decoders must keep all edges and their scores. The result does not
/// depend on the number of threads; errors and `poll` are as in `for_each_request`.
template <class Draft, class Build>
std::vector<std::optional<Draft>> decode_drafts(const decode::DecoderMaker& maker, const Texts& sources,
                                                const Texts& references, std::span<const uint32_t> rows,
                                                int threads, std::function<void()> poll, Build build) {
  if (sources.size() != references.size() || sources.size() != rows.size())
    throw InputError(std::to_string(sources.size()) + " sentences have " + std::to_string(references.size()) +
                     " references and " + std::to_string(rows.size()) + " rows; expected one each");
  std::vector<std::optional<Draft>> drafts(sources.size());
  const auto decode = [&](decode::SentenceDecoder& decoder, size_t i) {
    decode::DecoderRequest request;
    request.input = std::make_shared<corpus::WordLattice>(corpus::WordLattice::sentence(sources[i]));
    if (request.input->columns() > kMostOfSentence) return;  // the search would take hours
    drafts[i] = build(decoder.scored_forest(request), sources[i], references[i]);
    if (drafts[i]) drafts[i]->sentence = rows[i];
  };
  decode::for_each_request(maker, sources.size(), threads, std::move(poll), decode);
  return drafts;
}

}  // namespace tunesmith::xbleu
