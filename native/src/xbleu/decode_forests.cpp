#include "tunesmith/xbleu/decode_forests.h"

#include "tunesmith/xbleu/decode_drafts.h"

namespace tunesmith::xbleu {

ListCounts decode_forests(const decode::DecoderMaker& maker, const Texts& sources, const Texts& references,
                          std::span<const uint32_t> rows, const ForestLimits& limits, int threads,
                          std::function<void()> poll, EventForestWriter& writer) {
  const auto build = [&](const decode::ScoredForest& forest, std::string_view source,
                         std::string_view reference) {
    return build_event_forest(forest, source, reference, limits);
  };
  auto forests =
      decode_drafts<EventForestDraft>(maker, sources, references, rows, threads, std::move(poll), build);
  ListCounts counts;
  for (std::optional<EventForestDraft>& forest : forests) {
    if (!forest) {
      ++counts.too_large;
    } else if (forest->edges.empty()) {
      ++counts.missing;
    } else {
      // Every node has an edge: with as many edges as nodes, there is one derivation.
      if (forest->edges.size() + 1 == forest->edge_offsets.size()) ++counts.single;
      writer.add(*forest);
    }
    forest.reset();
  }
  return counts;
}

}  // namespace tunesmith::xbleu
