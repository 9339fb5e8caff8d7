#include "tunesmith/xbleu/decode_lists.h"

#include <memory>
#include <optional>
#include <vector>

#include "tunesmith/base/errors.h"
#include "tunesmith/xbleu/list_builder.h"

namespace tunesmith::xbleu {

ListCounts decode_lists(const decode::DecoderMaker& maker, const Texts& sources, const Texts& references,
                        std::span<const uint32_t> rows, uint32_t nbest, int threads,
                        std::function<void()> poll, ListWriter& writer, const CandidateScores& scores) {
  if (sources.size() != references.size() || sources.size() != rows.size())
    throw InputError(std::to_string(sources.size()) + " sentences have " + std::to_string(references.size()) +
                     " references and " + std::to_string(rows.size()) + " rows; expected one each");
  std::vector<std::optional<ListDraft>> lists(sources.size());
  const auto build = [&](decode::SentenceDecoder& decoder, size_t i) {
    decode::DecoderRequest request;
    request.input = std::make_shared<corpus::WordLattice>(corpus::WordLattice::sentence(sources[i]));
    if (request.input->columns() > kMostOfList) return;  // the search would take hours
    lists[i] = build_list(decoder.scored_forest(request), sources[i], references[i], nbest, scores);
    if (lists[i]) lists[i]->sentence = rows[i];
  };
  decode::for_each_request(maker, sources.size(), threads, std::move(poll), build);
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
