#include "tunesmith/reestimate/forced_drafts.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/kbest.h"
#include "tunesmith/reestimate/draft_builder.h"

namespace tunesmith::reestimate {

namespace {

/// The values of a derivation whose words are those of the target: all of its n-grams match.
DerivationValues forced_values(double score, size_t words) {
  DerivationValues values{};
  values.score = values.value = static_cast<float>(score);
  for (size_t n = 0; n < values.matches.size(); ++n)
    values.matches[n] = static_cast<uint16_t>(std::min(words > n ? words - n : 0, kMostOfSentence));
  return values;
}

/// The n best derivations of a forest, all of one string.
DerivationDraft forced_draft(const decode::ScoredForest& scored, const decode::DecoderModel& model,
                             const std::string& source, uint32_t row, size_t nbest) {
  const forest::Forest& forest = *scored.forest();
  PhraseDraftBuilder draft(forest, source, row, table_links(model, forest));
  forest::LazyKbest derivations(forest, scored.scores());
  size_t words = 0;
  while (draft.size() < nbest) {
    const auto derivation = derivations.next();
    if (!derivation) break;
    if (draft.size() == 0) words = forest::derivation_words(forest, derivation->edges).size();
    if (!draft.add(derivation->edges, forced_values(derivation->score, words))) break;
  }
  return draft.take(static_cast<uint32_t>(words));
}

}  // namespace

ForcedDrafts::ForcedDrafts(std::vector<std::string> sources, std::vector<uint32_t> rows, size_t nbest)
    : sources_(std::move(sources)), rows_(std::move(rows)), nbest_(nbest), drafts_(sources_.size()) {
  if (sources_.size() != rows_.size())
    throw InputError(std::to_string(sources_.size()) + " sentences have " + std::to_string(rows_.size()) +
                     " rows; expected one each");
}

std::vector<int64_t> ForcedDrafts::search(const decode::DecoderMaker& maker,
                                          const decode::DecoderModel& model,
                                          std::span<const decode::DecoderRequest> requests,
                                          std::span<const uint32_t> numbers, int threads,
                                          std::function<void()> poll) {
  if (requests.size() != numbers.size() ||
      std::ranges::any_of(numbers, [&](uint32_t number) { return number >= sources_.size(); }))
    throw InputError("requests are not of the sentences of the block");
  std::vector<int64_t> found(requests.size(), kNotReached);
  const auto force = [&](decode::SentenceDecoder& decoder, size_t i) {
    const decode::ScoredForest scored = decoder.scored_forest(requests[i]);
    if (scored.forest()->empty()) return;
    const uint32_t number = numbers[i];
    DerivationDraft draft = forced_draft(scored, model, sources_[number], rows_[number], nbest_);
    found[i] = static_cast<int64_t>(draft.values.size());
    if (found[i] > 0) drafts_[number] = std::move(draft);
  };
  decode::for_each_request(maker, requests.size(), threads, std::move(poll), force);
  return found;
}

void ForcedDrafts::write(const std::string& path) const {
  DerivationWriter writer;
  for (const auto& draft : drafts_)
    if (draft) writer.add(*draft);
  writer.write(path);
}

}  // namespace tunesmith::reestimate
