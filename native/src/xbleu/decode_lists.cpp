#include "tunesmith/xbleu/decode_lists.h"

#include "tunesmith/xbleu/decode_drafts.h"

namespace tunesmith::xbleu {

ListCounts decode_lists(const decode::DecoderMaker& maker, const Texts& sources, const Texts& references,
                        std::span<const uint32_t> rows, uint32_t nbest, int threads,
                        std::function<void()> poll, ListWriter& writer, const CandidateScores& scores) {
  const auto build = [&](const decode::ScoredForest& forest, std::string_view source,
                         std::string_view reference) {
    return build_list(forest, source, reference, nbest, scores);
  };
  auto lists = decode_drafts<ListDraft>(maker, sources, references, rows, threads, std::move(poll), build);
  ListCounts counts;
  for (std::optional<ListDraft>& list : lists) {
    if (!list) {
      ++counts.too_large;
    } else if (list->scores.empty()) {
      ++counts.missing;
    } else {
      if (list->scores.size() == 1) ++counts.single;
      writer.add(*list);
    }
    list.reset();
  }
  return counts;
}

}  // namespace tunesmith::xbleu
