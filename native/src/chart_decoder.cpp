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

  void read() {
    add(search_.complete()[0]);
    std::ranges::sort(result_.alignment);
    result_.score = weighted_sum(model_, result_.steps.values);
  }

 private:
  /// Adds a rule and what fills its gaps.
  void add(uint32_t node) {
    const ChartEdge& edge = search_.edges()[search_.nodes()[node].edge];
    const Option& option = search_.option(edge);
    const Range range = unmarked(chart_.cells[search_.nodes()[node].cell].range, chart_.input.columns);
    const size_t number = result_.phrases.size();
    const auto begin = words_;
    result_.phrases.push_back({range, {}, option.rule});
    ColumnSink sink(model_.model(), result_.steps.values);
    sink.begin(0);
    model_.pair_values(option, sink);
    chart_edge_values(model_, search_, input_, edge, range, sink);
    result_.steps.close();
    std::vector<uint32_t> places;  // where the symbols of the target side stand
    for (const Symbol symbol : option.words) {
      places.push_back(words_);
      if (is_gap(symbol))
        add(search_.tails(edge)[gap_index(symbol)]);
      else
        add_word(chart_.input.words[symbol]);
    }
    result_.phrases[number].target = {begin, words_};
    add_links(edge, option, places);
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
