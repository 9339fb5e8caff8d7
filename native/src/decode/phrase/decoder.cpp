#include "tunesmith/decode/phrase/decoder.h"

#include <algorithm>

#include "tunesmith/decode/phrase/scored_forest.h"
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

void add_phrase(const SourceOptions& source_options, const SearchEdge& edge, Translation& result) {
  const OptionEntry& entry = source_options.entries()[edge.entry];
  const Option& option = entry.options[edge.option];
  const uint32_t begin = result.phrases.empty() ? 0 : result.phrases.back().target.end;
  result.phrases.push_back(
      {entry.range, {begin, begin + static_cast<uint32_t>(option.words.size())}, option.rule});
  for (const int32_t word : option.words) {
    if (!result.text.empty()) result.text += ' ';
    result.text += source_options.decoder_input().words[word];
  }
  const auto add_link = [&](corpus::Link link) {
    result.alignment.push_back({static_cast<int32_t>(source_options.column(edge.entry, link.source)),
                                static_cast<int32_t>(begin) + link.target});
  };
  for (const corpus::Link link : option.alignment) add_link(link);
  if (option.rule == Option::kUnknownWord && !option.words.empty()) add_link({0, 0});
}

}  // namespace

Translation PhraseDecoder::translate(const DecoderRequest& request) {
  const PhraseSentence sentence(model_, request, options_.unknown_words, options_.search.distortion_limit,
                                options_.search.memory_limit);
  const SourceOptions& source_options = sentence.options();
  Translation result;
  if (!sentence.may_reach_target()) {
    if (options_.make_forest) result.forest = empty_search_forest(model_);
    return result;
  }
  search_.run(source_options);
  result.nodes = search_.nodes().size();
  result.edges = search_.edges().size();
  result.bytes = search_.peak_bytes();
  result.found = !search_.complete().empty();
  if (options_.make_forest) result.forest = search_forest(model_, search_);
  if (!result.found) return result;
  std::vector<PlacedOption> steps;
  for (const SearchEdge& edge : best_edges(search_)) {
    const OptionEntry& entry = source_options.entries()[edge.entry];
    steps.push_back({&entry.options[edge.option], entry.range, source_options.path(edge.entry)});
    add_phrase(source_options, edge, result);
  }
  std::ranges::sort(result.alignment);
  result.steps = replay(model_, *request.input, source_options.decoder_input(), search_.sessions(), steps);
  result.score = weighted_sum(model_, result.steps.values);
  return result;
}

ScoredForest PhraseDecoder::scored_forest(const DecoderRequest& request) {
  auto owned =
      std::make_unique<OwnedSentence>(model_, request, options_.unknown_words,
                                      options_.search.distortion_limit, options_.search.memory_limit);
  if (!owned->sentence.may_reach_target()) return {};
  search_.run(owned->sentence.options());
  return phrase::scored_forest(model_, search_, std::move(owned));
}

}  // namespace tunesmith::decode::phrase
