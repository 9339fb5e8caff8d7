#include "tunesmith/decode/phrase/sentence.h"

namespace tunesmith::decode::phrase {

namespace {

/// The whole required target; null if there is none.
const std::string* whole_target(const DecoderRequest& request) {
  return request.target && !request.is_prefix ? &*request.target : nullptr;
}

OptionSource* constrain(std::optional<SentenceOptions>& options, const WeightedModel& model,
                        const DecoderRequest& request) {
  const std::string* whole = whole_target(request);
  if (!whole && request.constraints.is_plain()) return nullptr;
  return &options.emplace(model, *request.input, request.constraints, whole);
}

}  // namespace

PhraseSentence::PhraseSentence(const WeightedModel& model, const DecoderRequest& request,
                               UnknownWords unknown_words, int32_t distortion_limit, size_t memory_limit)
    : options_(model, *request.input, unknown_words, distortion_limit,
               constrain(constrained_, model, request), memory_limit) {
  if (whole_target(request)) bounds_ = SentenceOptions::bounds(options_);
  if (request.target) options_.constrain(*request.target, request.is_prefix, bounds_.most, bounds_.least);
}

}  // namespace tunesmith::decode::phrase
