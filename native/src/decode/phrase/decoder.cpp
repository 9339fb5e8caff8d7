#include "tunesmith/decode/phrase/decoder.h"

#include <algorithm>

#include "tunesmith/decode/phrase/search_forest.h"
#include "tunesmith/decode/replay.h"

namespace tunesmith::decode::phrase {

namespace {

/// The best derivation, in target order.
std::vector<SearchEdge> best_edges(const PhraseSearch& search) {
  std::vector<SearchEdge> edges;
  for (uint32_t node = search.complete()[0].node; search.nodes()[node].edge != PhraseSearch::kNone;) {
    edges.push_back(search.edges()[search.nodes()[node].edge]);
    node = edges.back().tail;
  }
  std::ranges::reverse(edges);
  return edges;
}

void add_phrase(const OptionChart& chart, const SearchEdge& edge, Translation& result) {
  const OptionEntry& entry = chart.entries()[edge.entry];
  const Option& option = entry.options[edge.option];
  const uint32_t begin = result.phrases.empty() ? 0 : result.phrases.back().target.end;
  result.phrases.push_back(
      {entry.range, {begin, begin + static_cast<uint32_t>(option.words.size())}, option.rule});
  for (const int32_t word : option.words) {
    if (!result.text.empty()) result.text += ' ';
    result.text += chart.decoder_input().words[word];
  }
  const auto add_link = [&](corpus::Link link) {
    result.alignment.push_back({static_cast<int32_t>(chart.column(edge.entry, link.source)),
                                static_cast<int32_t>(begin) + link.target});
  };
  for (const corpus::Link link : option.alignment) add_link(link);
  if (option.rule == Option::kUnknownWord && !option.words.empty()) add_link({0, 0});
}

}  // namespace

Translation PhraseDecoder::translate(const DecoderRequest& request) {
  const SearchSettings& settings = settings_.search;
  const std::string* whole = request.target && !request.is_prefix ? &*request.target : nullptr;
  std::optional<SentenceOptions> source;
  if (whole || !request.demands.is_plain()) source.emplace(model_, *request.input, request.demands, whole);
  OptionChart chart(model_, *request.input, settings_.unknown_words, settings.distortion_limit,
                    source ? &*source : nullptr);
  TargetBounds bounds;
  if (whole) bounds = SentenceOptions::bounds(chart);
  if (request.target) chart.constrain(*request.target, request.is_prefix, bounds.most, bounds.least);
  Translation result;
  if (source && !source->may_reach_target(chart)) {
    if (settings_.make_forest) result.forest = empty_search_forest(model_);
    return result;
  }
  search_.run(chart);
  result.nodes = search_.nodes().size();
  result.edges = search_.edges().size();
  result.bytes = search_.bytes();
  result.found = !search_.complete().empty();
  if (settings_.make_forest) result.forest = search_forest(model_, search_);
  if (!result.found) return result;
  std::vector<PlacedOption> steps;
  for (const SearchEdge& edge : best_edges(search_)) {
    const OptionEntry& entry = chart.entries()[edge.entry];
    steps.push_back({&entry.options[edge.option], entry.range, chart.way(edge.entry)});
    add_phrase(chart, edge, result);
  }
  std::ranges::sort(result.alignment);
  result.steps = replay(model_, *request.input, search_.sessions(), steps);
  result.score = weighted_sum(model_, result.steps.values);
  return result;
}

}  // namespace tunesmith::decode::phrase
