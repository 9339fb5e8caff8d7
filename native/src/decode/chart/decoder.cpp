#include "tunesmith/decode/chart/decoder.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/decode/chart/forest.h"
#include "tunesmith/decode/chart/scored_forest.h"
#include "tunesmith/decode/chart/sentence_chart.h"
#include "tunesmith/decode/replay.h"

namespace tunesmith::decode::chart {

namespace {

/// Reads the best derivation off a search.
class BestDerivation {
 public:
  BestDerivation(const WeightedModel& model, const ChartSearch& search, const SentenceChart& chart,
                 Translation& result)
      : model_(model), search_(search), chart_(search.chart()), sentence_(chart), result_(result) {}

  /// Without recursion: glue rules make derivations as deep as the sentence is long.
  void read() {
    begin(search_.complete()[0]);
    while (!open_.empty()) {
      OpenRule& rule = open_.back();
      if (rule.places.size() == rule.option->words.size()) {
        end(rule);
        open_.pop_back();
        continue;
      }
      const grammar::Symbol symbol = rule.option->words[rule.places.size()];
      rule.places.push_back(words_);
      if (grammar::is_gap(symbol))
        begin(search_.tails(*rule.edge)[grammar::gap_index(symbol)]);
      else
        add_word(chart_.input.words[symbol]);
    }
    std::ranges::sort(result_.alignment);
    result_.score = weighted_sum(model_, result_.steps.values);
  }

 private:
  /// A rule whose target side is being written.
  struct OpenRule {
    const ChartEdge* edge;
    const Option* option;
    size_t number;                 // of the phrases
    std::vector<uint32_t> places;  // target positions of the symbols of the target side
  };

  void begin(uint32_t node) {
    const ChartEdge& edge = search_.edges()[search_.nodes()[node].edge];
    const Option& option = search_.option(edge);
    const ChartCell& cell = chart_.cells[search_.nodes()[node].cell];
    const Range range = unmarked(cell.range, chart_.input.columns);
    open_.push_back({&edge, &option, result_.phrases.size(), {}});
    result_.phrases.push_back({range,
                               {words_, words_},
                               option.rule,
                               chart_.uses[edge.use].arity,
                               std::string(sentence_.category(cell.category))});
    ColumnSink sink(model_.model(), result_.steps.values);
    model_.pair_values(option, chart_.input.words, sink);
    chart_edge_values(model_, search_, sentence_.input(), edge, range, sink);
    result_.steps.close();
  }

  void end(const OpenRule& rule) {
    result_.phrases[rule.number].target.end = words_;
    add_links(*rule.edge, *rule.option, rule.places);
  }

  void add_word(std::string_view word) {
    if (words_++ > 0) result_.text += ' ';
    result_.text += word;
  }

  void add_links(const ChartEdge& edge, const Option& option, const std::vector<uint32_t>& places) {
    if (option.border != grammar::Border::kNone) return;
    std::vector<uint32_t> columns;
    for (uint32_t at = chart_.uses[edge.use].last_symbol; at != kNoNumber; at = chart_.symbols[at].before)
      columns.push_back(chart_.symbols[at].column - 1);
    std::ranges::reverse(columns);
    const auto add = [&](corpus::Link link) {
      const auto source = static_cast<size_t>(link.source), target = static_cast<size_t>(link.target);
      if (grammar::is_gap(option.words[target])) return;
      result_.alignment.push_back(
          {static_cast<int32_t>(columns[source]), static_cast<int32_t>(places[target])});
    };
    for (const corpus::Link link : option.alignment) add(link);
    if (option.rule == Option::kUnknownWord && !option.words.empty()) add({0, 0});
  }

  const WeightedModel& model_;
  const ChartSearch& search_;
  const RuleChart& chart_;
  const SentenceChart& sentence_;
  Translation& result_;
  std::vector<OpenRule> open_;
  uint32_t words_ = 0;
};

void check(const DecoderRequest& request) {
  if (!request.constraints.is_plain())
    throw InputError("a chart decoder does not take given phrases, leave-one-out or relaxations");
}

}  // namespace

Translation ChartDecoder::translate(const DecoderRequest& request) {
  check(request);
  const SentenceChart chart(model_, request, options_.unknown_words, poll_, options_.search.memory_limit);
  search_.run(chart.chart());
  Translation result;
  result.nodes = search_.nodes().size();
  result.edges = search_.edges().size();
  result.bytes = search_.bytes();
  result.found = !search_.complete().empty();
  if (options_.make_forest) {
    ChartForest made = chart_forest(model_, search_, chart);
    result.forest = std::move(made.forest);
    result.node_categories = std::move(made.categories);
  }
  if (result.found) BestDerivation(model_, search_, chart, result).read();
  return result;
}

ScoredForest ChartDecoder::scored_forest(const DecoderRequest& request) {
  check(request);
  auto owned = std::make_unique<OwnedChart>(model_, request, options_.unknown_words, poll_,
                                            options_.search.memory_limit);
  search_.run(owned->chart.chart());
  return chart::scored_forest(model_, search_, std::move(owned));
}

}  // namespace tunesmith::decode::chart
