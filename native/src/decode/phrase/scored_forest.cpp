#include "tunesmith/decode/phrase/scored_forest.h"

#include <algorithm>

#include "tunesmith/decode/edge_lists.h"
#include "tunesmith/decode/phrase/search_forest.h"
#include "tunesmith/decode/replay.h"

namespace tunesmith::decode::phrase {

namespace {

/// The option of an edge of the graph; those of the start and the end have none.
struct UsedOption {
  uint32_t entry = kNoNumber;
  uint32_t option = 0;
};

class PhraseReplay : public DerivationReplay {
 public:
  PhraseReplay(const WeightedModel& model, std::unique_ptr<OwnedSentence> sentence,
               std::vector<UsedOption> used)
      : model_(model), sentence_(std::move(sentence)), used_(std::move(used)) {}

 private:
  void add(std::span<const uint32_t> edges, ModelSink& sink) override {
    const SourceOptions& options = sentence_->sentence.options();
    if (sessions_.empty())
      for (const auto& feature : model_.model().features())
        sessions_.push_back(feature.feature->session(model_.weights(feature), feature.prepared));
    for (const auto& session : sessions_) session->begin(options.decoder_input());
    std::vector<PlacedOption> steps;
    for (const uint32_t edge : edges) {
      const auto [entry, option] = used_[edge];
      if (entry == kNoNumber) continue;
      steps.push_back(
          {&options.entries()[entry].options[option], options.entries()[entry].range, options.path(entry)});
    }
    std::ranges::reverse(steps);  // an edge comes before its tail
    replay(model_, options.input(), options.decoder_input(), sessions_, steps, sink, [] {});
  }

  const WeightedModel& model_;
  std::unique_ptr<OwnedSentence> sentence_;
  std::vector<UsedOption> used_;  // by edge of the graph
  std::vector<std::unique_ptr<FeatureSession>> sessions_;
};

/// Nodes and edges as in the forest of the search.
class GraphBuilder {
 public:
  explicit GraphBuilder(const PhraseSearch& search)
      : search_(search), graph(search.source_options().decoder_input().words) {}

  void build() {
    const std::vector<char> reached = reached_nodes(search_);
    numbers_.resize(reached.size());
    for (uint32_t node = 0; node < reached.size(); ++node)
      if (reached[node]) add_node(node);
    if (search_.complete().empty()) return;
    const auto end = static_cast<int32_t>(search_.source_options().columns());
    for (const auto& [node, score] : search_.complete())
      add_edge({&numbers_[node], 1}, graph.rule(kEndKey, {}, true, Option::kBorder),
               score - search_.nodes()[node].score, {}, {end, end});
    graph.close_node();
  }

 private:
  // Keys of rules that are no options: entry numbers are smaller.
  static constexpr uint64_t kStartKey = uint64_t{kNoNumber} << 32, kEndKey = kStartKey + 1;

  void add_node(uint32_t node) {
    const uint32_t first = search_.nodes()[node].edge;
    if (first == PhraseSearch::kNone)
      add_edge({}, graph.rule(kStartKey, {}, false, Option::kBorder), 0, {}, {0, 0});
    for_each_linked(search_.edges(), first, [&](const SearchEdge& edge) {
      const OptionEntry& entry = search_.source_options().entries()[edge.entry];
      const Option& option = entry.options[edge.option];
      const uint32_t rule =
          graph.rule(uint64_t{edge.entry} << 32 | edge.option, option.words, true, option.rule);
      add_edge({&numbers_[edge.tail], 1}, rule, search_.edge_score(edge), {edge.entry, edge.option},
               {static_cast<int32_t>(entry.range.begin), static_cast<int32_t>(entry.range.end)});
    });
    numbers_[node] = graph.close_node();
  }

  void add_edge(std::span<const uint32_t> tails, uint32_t rule, double score, UsedOption option,
                forest::SourceSpan span) {
    graph.close_edge(tails, rule, score, span);
    used.push_back(option);
  }

  const PhraseSearch& search_;
  std::vector<uint32_t> numbers_;  // of nodes

 public:
  SearchGraph graph;
  std::vector<UsedOption> used;
};

}  // namespace

ScoredForest scored_forest(const WeightedModel& model, const PhraseSearch& search,
                           std::unique_ptr<OwnedSentence> sentence) {
  GraphBuilder built(search);
  built.build();
  return {std::move(built.graph),
          std::make_unique<PhraseReplay>(model, std::move(sentence), std::move(built.used))};
}

}  // namespace tunesmith::decode::phrase
