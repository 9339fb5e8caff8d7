#include "tunesmith/extract/phrases/leave_one_out.h"

#include <cmath>

#include "tunesmith/base/errors.h"
#include "tunesmith/extract/phrases/extraction.h"

namespace tunesmith::extract::phrases {

namespace {

constexpr int32_t kSeparator = -2;  // between the sides of a pair; no word has this number

std::vector<int32_t> joined(std::span<const int32_t> source, std::span<const int32_t> target) {
  std::vector<int32_t> key(source.begin(), source.end());
  key.push_back(kSeparator);
  key.insert(key.end(), target.begin(), target.end());
  return key;
}

std::vector<int32_t> vector_of(std::span<const int32_t> words) { return {words.begin(), words.end()}; }

}  // namespace

OwnCounts::OwnCounts(std::span<const int32_t> source, std::span<const int32_t> target,
                     const LeaveOneOut& options)
    : options_(options) {
  const auto source_size = static_cast<int32_t>(source.size());
  const auto target_size = static_cast<int32_t>(target.size());
  for (const corpus::Link link : options.alignment)
    if (link.source < 0 || link.source >= source_size || link.target < 0 || link.target >= target_size)
      throw InputError("found the link " + std::to_string(link.source) + "-" + std::to_string(link.target) +
                       "; the sentence pair has " + std::to_string(source_size) + " and " +
                       std::to_string(target_size) + " words");
  PhraseExtractor extractor(options.max_length);
  for (const PhraseInstance& instance : extractor.extract(source_size, target_size, options.alignment)) {
    const tables::PhraseSpan& span = instance.span;
    const auto f = source.subspan(static_cast<size_t>(span.source_begin),
                                  static_cast<size_t>(span.source_end - span.source_begin));
    const auto e = target.subspan(static_cast<size_t>(span.target_begin),
                                  static_cast<size_t>(span.target_end - span.target_begin));
    ++joint_[joined(f, e)];
    ++source_[vector_of(f)];
    ++target_[vector_of(e)];
  }
}

float OwnCounts::count(const std::map<Key, uint32_t>& counts, const Key& key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : static_cast<float>(found->second);
}

void OwnCounts::revise(std::span<const int32_t> source, std::span<const int32_t> target,
                       const tables::ScoredPhrase& pair, std::span<float> scores) const {
  if (!(pair.joint_count > 0 && pair.source_count > 0 && pair.target_count > 0))
    throw InputError("the phrase table has no counts; leave-one-out needs a table with counts");
  if (options_.inverse_column >= scores.size() || options_.direct_column >= scores.size())
    throw InputError("the phrase table has " + std::to_string(scores.size()) +
                     " scores; leave-one-out expects p(f|e) as number " +
                     std::to_string(options_.inverse_column) + " and p(e|f) as number " +
                     std::to_string(options_.direct_column) + ", from 0");
  const float joint = pair.joint_count - count(joint_, joined(source, target));
  const float with_source = pair.source_count - count(source_, vector_of(source));
  const float with_target = pair.target_count - count(target_, vector_of(target));
  // The counts of the other sentences: 0 <= c(f, e) <= c(f), c(e).
  if (joint < 0 || with_source < joint || with_target < joint)
    throw InputError(
        "the sentence pair is not in the text that the table was counted from: it has a phrase pair more "
        "often; leave-one-out needs the text, the alignment and the phrase length of the extraction");
  if (joint > 0 && with_source > 0 && with_target > 0) {
    scores[options_.inverse_column] = joint / with_target;
    scores[options_.direct_column] = joint / with_source;
    return;
  }
  const auto words = options_.by_length ? static_cast<float>(source.size() + target.size()) : 1.0F;
  scores[options_.inverse_column] = scores[options_.direct_column] = std::exp(options_.singleton * words);
}

}  // namespace tunesmith::extract::phrases
