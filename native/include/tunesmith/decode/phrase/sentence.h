// A request to a phrase decoder, prepared for the search.
#pragma once

#include <optional>

#include "tunesmith/decode/sentence_options.h"

namespace tunesmith::decode::phrase {

/// The options of a request. The model and the request must outlive it.
class PhraseSentence {
 public:
  PhraseSentence(const WeightedModel& model, const DecoderRequest& request, UnknownWords unknown_words,
                 int32_t distortion_limit, size_t memory_limit);
  PhraseSentence(const PhraseSentence&) = delete;  // its parts view each other
  PhraseSentence& operator=(const PhraseSentence&) = delete;

  const SourceOptions& options() const { return options_; }
  /// False if no search can find the required target.
  bool may_reach_target() const { return !constrained_ || constrained_->may_reach_target(options_); }

 private:
  std::optional<SentenceOptions> constrained_;
  SourceOptions options_;
  TargetBounds bounds_;
};

}  // namespace tunesmith::decode::phrase
