#include "tunesmith/lm/sentence_scores.h"

#include "tunesmith/base/parallel.h"

namespace tunesmith::lm {

SentenceScores score_sentences(const NgramLm& model, const corpus::Sentences& sentences,
                               std::span<const int32_t> numbers, SentenceMarks marks, int threads) {
  corpus::check_sentences(sentences, numbers.size(), -1);
  SentenceScores result;
  result.offsets.assign(sentences.offsets.begin(), sentences.offsets.end());
  if (marks.end)
    for (size_t i = 0; i < result.offsets.size(); ++i) result.offsets[i] += static_cast<int64_t>(i);
  const auto words = result.offsets.empty() ? 0 : static_cast<size_t>(result.offsets.back());
  result.scores.resize(words);
  result.matched.resize(words);
  result.unknown.resize(words);

  constexpr size_t kChunk = 256;
  parallel_chunks(sentences.size(), kChunk, threads, [&](size_t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      LmState states[2] = {marks.begin ? model.begin_state() : model.empty_state(), {}};
      auto at = static_cast<size_t>(result.offsets[i]);
      bool now = false;
      const auto add = [&](int32_t word) {
        const LmScore found = model.full_score(states[now], word, states[!now]);
        result.scores[at] = found.log_probability();
        result.matched[at] = static_cast<uint8_t>(found.order);
        result.unknown[at] = word == model.unknown();
        ++at;
        now = !now;
      };
      for (int32_t word : sentences[i])
        add(word < 0 ? model.unknown() : model.known(numbers[static_cast<size_t>(word)]));
      if (marks.end) add(model.sentence_end());
    }
  });
  return result;
}

}  // namespace tunesmith::lm
