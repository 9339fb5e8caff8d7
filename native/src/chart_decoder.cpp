#include "tunesmith/chart_decoder.h"

#include <algorithm>

#include "tunesmith/chart_forest.h"
#include "tunesmith/errors.h"
#include "tunesmith/sentence_chart.h"

namespace tunesmith {

namespace {

/// Reads the best derivation off a search.
class BestDerivation {
 public:
  BestDerivation(const WeightedModel& model, const ChartSearch& search, const SentenceChart& chart,
                 Translation& result)
      : model_(model), search_(search), chart_(search.chart()), input_(chart.input()), result_(result) {}

  /// Rules are nested as deep as sentences are long, which is too deep for recursion.
  void read() {
    std::vector<Visit> open{enter(search_.complete()[0])};
    while (!open.empty()) {
      Visit& visit = open.back();
      const std::span<const Symbol> words = search_.option(*visit.edge).words;
      if (visit.places.size() == words.size()) {
        leave(visit);
        open.pop_back();
        continue;
      }
      const Symbol symbol = words[visit.places.size()];
      visit.places.push_back(words_);
      if (is_gap(symbol))
        open.push_back(enter(search_.tails(*visit.edge)[gap_index(symbol)]));
      else
        add_word(chart_.input.words[symbol]);
    }
    std::ranges::sort(result_.alignment);
    result_.score = weighted_sum(model_, result_.steps.values);
  }

 private:
  /// A rule whose target side is being read.
  struct Visit {
    const ChartEdge* edge;
    size_t phrase;                 // of the result
    std::vector<uint32_t> places;  // where the symbols of the target side stand, up to here
  };

  /// Notes a rule before what fills its gaps.
  Visit enter(uint32_t node) {
    const ChartEdge& edge = search_.edges()[search_.nodes()[node].edge];
    const Option& option = search_.option(edge);
    const Range range = unmarked(chart_.cells[search_.nodes()[node].cell].range, chart_.input.columns);
    result_.phrases.push_back({range, {words_, words_}, option.rule});
    ColumnSink sink(model_.model(), result_.steps.values);
    sink.begin(0);
    model_.pair_values(option, sink);
    chart_edge_values(model_, search_, input_, edge, range, sink);
    result_.steps.close();
    return {&edge, result_.phrases.size() - 1, {}};
  }

  void leave(const Visit& visit) {
    result_.phrases[visit.phrase].target.end = words_;
    add_links(*visit.edge, search_.option(*visit.edge), visit.places);
  }

  void add_word(std::string_view word) {
    if (words_++ > 0) result_.text += ' ';
    result_.text += word;
  }

  void add_links(const ChartEdge& edge, const Option& option, const std::vector<uint32_t>& places) {
    if (option.border != Border::kNone) return;
    std::vector<uint32_t> columns;
    for (uint32_t at = chart_.uses[edge.use].last_symbol; at != kNoNumber; at = chart_.symbols[at].before)
      columns.push_back(chart_.symbols[at].column - 1);
    std::ranges::reverse(columns);
    const auto add = [&](Link link) {
      const auto source = static_cast<size_t>(link.source), target = static_cast<size_t>(link.target);
      if (is_gap(option.words[target])) return;
      result_.alignment.push_back(
          {static_cast<int32_t>(columns[source]), static_cast<int32_t>(places[target])});
    };
    for (const Link link : option.alignment) add(link);
    if (option.rule == Option::kUnknownWord && !option.words.empty()) add({0, 0});
  }

  const WeightedModel& model_;
  const ChartSearch& search_;
  const RuleChart& chart_;
  const WordLattice& input_;
  Translation& result_;
  uint32_t words_ = 0;
};

}  // namespace

Translation ChartDecoder::translate(const DecoderRequest& request) {
  if (!request.demands.is_plain())
    throw InputError("a chart decoder does not take given phrases, nor leaves sentences or words out");
  const SentenceChart chart(model_, request, settings_.unknown_words, poll_, settings_.search.memory_limit);
  search_.run(chart.chart());
  Translation result;
  result.nodes = search_.nodes().size();
  result.edges = search_.edges().size();
  result.bytes = search_.bytes();
  result.found = !search_.complete().empty();
  if (settings_.make_forest) result.forest = chart_forest(model_, search_, chart);
  if (result.found) BestDerivation(model_, search_, chart, result).read();
  return result;
}

}  // namespace tunesmith
