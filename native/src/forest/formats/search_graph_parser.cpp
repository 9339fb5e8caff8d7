#include "tunesmith/forest/formats/search_graph_parser.h"

#include <charconv>
#include <functional>
#include <limits>
#include <queue>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::forest::formats {

namespace {

int64_t parse_field(std::string_view key, std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    throw InputError("expected a whole number for " + std::string(key) + ", found " + quoted(text));
  return value;
}

/// i-j, both inclusive.
SourceSpan parse_covered(std::string_view text) {
  const size_t dash = text.find('-', 1);
  if (dash == std::string_view::npos) throw InputError("expected covered=i-j, found " + quoted(text));
  const int64_t first = parse_field("covered", text.substr(0, dash));
  const int64_t last = parse_field("covered", text.substr(dash + 1));
  if (first < 0 || last < first || last >= std::numeric_limits<int32_t>::max())
    throw InputError("expected covered=i-j with i at most j, found " + quoted(text));
  return {static_cast<int32_t>(first), static_cast<int32_t>(last) + 1};
}

std::string_view next_token(std::string_view& text) {
  const size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const size_t end = std::min(text.find(' ', begin), text.size());
  const std::string_view token = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return token;
}

constexpr uint32_t kNoNode = std::numeric_limits<uint32_t>::max();

/// Nodes are numbered by the line of their first hypothesis, edges by their line.
struct SearchGraph {
  std::vector<std::vector<uint32_t>> in;  // the edges into each node
  std::vector<uint32_t> tail;             // of each edge; kNoNode for the empty hypothesis
  std::vector<uint32_t> complete;         // nodes
};

/// The nodes from which a complete one is reached, in topological order, by line number as far as possible.
/// Fewer nodes than `needed` if there is a cycle.
std::vector<uint32_t> ordered_nodes(const SearchGraph& graph, size_t& needed) {
  std::vector<bool> seen(graph.in.size());
  std::vector<std::vector<uint32_t>> out(graph.in.size());
  std::vector<uint32_t> missing(graph.in.size()), waiting;
  needed = 0;
  const auto visit = [&](uint32_t node) {
    if (seen[node]) return;
    seen[node] = true;
    ++needed;
    waiting.push_back(node);
  };
  for (const uint32_t node : graph.complete) visit(node);
  while (!waiting.empty()) {
    const uint32_t node = waiting.back();
    waiting.pop_back();
    for (const uint32_t edge : graph.in[node]) {
      if (graph.tail[edge] == kNoNode) continue;
      out[graph.tail[edge]].push_back(node);
      ++missing[node];
      visit(graph.tail[edge]);
    }
  }
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t node = 0; node < missing.size(); ++node)
    if (seen[node] && missing[node] == 0) ready.push(node);
  std::vector<uint32_t> order;
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (const uint32_t next : out[order.back()])
      if (--missing[next] == 0) ready.push(next);
  }
  return order;
}

}  // namespace

void SearchGraphParser::parse_line(std::string_view line) {
  if (line.find_first_not_of(' ') == std::string_view::npos) return;
  const std::string_view sentence = next_token(line);
  if (open_ && sentence != sentence_) close_sentence();
  open_ = true;
  sentence_ = sentence;
  if (ended_.contains(sentence_))
    throw InputError("sentence " + quoted(sentence_) + " occurs again; expected its lines to be consecutive");
  Hypothesis hypothesis;
  parse_fields(line, hypothesis);
  if (!by_number_.try_emplace(hypothesis.number, static_cast<uint32_t>(hypotheses_.size())).second)
    throw InputError("sentence " + quoted(sentence_) + " has two hypotheses of number " +
                     std::to_string(hypothesis.number));
  hypotheses_.push_back(hypothesis);
}

void SearchGraphParser::parse_fields(std::string_view line, Hypothesis& hypothesis) {
  source_.clear();
  target_.clear();
  SourceSpan span;
  bool has_number = false, has_back = false, has_scores = false, has_out = false;
  std::string_view transition, scores;
  while (line.find_first_not_of(' ') != std::string_view::npos) {
    line.remove_prefix(line.find_first_not_of(' '));
    if (line.starts_with("out=")) {  // the rest of the line
      parse_out(line.substr(4), has_scores);
      has_out = true;
      break;
    }
    if (line.starts_with("scores=\"")) {
      const size_t end = line.find('"', 8);
      if (end == std::string_view::npos) throw InputError("scores=\" has no closing quote");
      scores = line.substr(8, end - 8);
      has_scores = true;
      line.remove_prefix(end + 1);
      continue;
    }
    const std::string_view token = next_token(line);
    const size_t equals = token.find('=');
    if (equals == std::string_view::npos)
      throw InputError("expected fields such as hyp=3, found " + quoted(token));
    const std::string_view key = token.substr(0, equals), value = token.substr(equals + 1);
    if (key == "hyp") {
      hypothesis.number = parse_field(key, value);
      has_number = true;
    } else if (key == "stack") {
      hypothesis.stack = parse_field(key, value);
    } else if (key == "back") {
      hypothesis.back = parse_field(key, value);
      has_back = true;
    } else if (key == "recombined") {
      hypothesis.recombined = parse_field(key, value);
    } else if (key == "forward") {
      hypothesis.complete = parse_field(key, value) == -1;
    } else if (key == "covered") {
      span = parse_covered(value);
    } else if (key == "transition") {
      transition = value;
    }  // score and fscore follow from the others
  }
  if (!has_number || hypothesis.number < 0) throw InputError("expected 'SENTENCE hyp=NUMBER stack=...'");
  if (has_back && (!has_out || hypothesis.back < 0))
    throw InputError("hypothesis " + std::to_string(hypothesis.number) +
                     " has no out= or no previous hypothesis (back=)");
  if (has_back) target_.insert(target_.begin(), grammar::gap_symbol(0));
  if (has_scores) {
    parse_scores(scores);
  } else if (!transition.empty()) {
    draft_.add_feature("transition", parse_feature_value(transition));
  }
  draft_.add_edge({}, draft_.rule(source_, target_), span);
}

void SearchGraphParser::parse_out(std::string_view words, bool extended) {
  if (!extended) return draft_.add_words(words, target_);
  const size_t last = words.find_last_not_of(' '), bar = words.find('|');
  if (!words.starts_with('"') || last == 0 || words[last] != '"' || bar == std::string_view::npos ||
      words.find('|', bar + 1) != std::string_view::npos)
    throw InputError("expected out=\"source words|target words\", found " + quoted(words));
  draft_.add_words(words.substr(1, bar - 1), source_);
  draft_.add_words(words.substr(bar + 1, last - bar - 1), target_);
}

void SearchGraphParser::parse_scores(std::string_view text) {
  for (std::string_view token; !(token = next_token(text)).empty();) {
    if (token.back() == ',') token.remove_suffix(1);
    if (token.starts_with("core=(") && token.ends_with(')')) {
      std::string_view values = token.substr(6, token.size() - 7);
      for (size_t i = 0; !values.empty(); ++i) {
        const size_t end = std::min(values.find(','), values.size());
        draft_.add_feature("core_" + std::to_string(i), parse_feature_value(values.substr(0, end)));
        values.remove_prefix(std::min(end + 1, values.size()));
      }
    } else if (token.ends_with('=')) {  // a label, then its values
      const std::string label(token.substr(0, token.size() - 1));
      std::vector<double> values;
      for (std::string_view rest = text;; text = rest) {
        const std::string_view value = next_token(rest);
        if (value.empty() || value.find('=') != std::string_view::npos) break;
        values.push_back(parse_feature_value(value));
      }
      for (size_t i = 0; i < values.size(); ++i)
        draft_.add_feature(values.size() == 1 ? label : label + "_" + std::to_string(i), values[i]);
    } else {
      draft_.add_feature(token);
    }
  }
}

uint32_t SearchGraphParser::node_of(int64_t number, const Hypothesis& from) const {
  const auto found = by_number_.find(number);
  if (found == by_number_.end() || hypotheses_[found->second].recombined >= 0)
    throw InputError("sentence " + quoted(sentence_) + ": hypothesis " + std::to_string(from.number) +
                     " leads to " + std::to_string(number) + ", which is missing or was itself recombined");
  return found->second;
}

void SearchGraphParser::close_sentence() {
  if (!open_) return;
  open_ = false;
  if (by_number_.try_emplace(0, static_cast<uint32_t>(hypotheses_.size())).second) {
    hypotheses_.push_back({});  // the line of the empty hypothesis is optional
    draft_.add_edge({}, draft_.rule({}, {}));
  }
  const size_t lines = hypotheses_.size();
  SearchGraph graph{std::vector<std::vector<uint32_t>>(lines), std::vector<uint32_t>(lines, kNoNode), {}};
  int64_t most = std::numeric_limits<int64_t>::min();
  for (uint32_t i = 0; i < lines; ++i) {
    const Hypothesis& hypothesis = hypotheses_[i];
    if (hypothesis.back >= 0) graph.tail[i] = node_of(hypothesis.back, hypothesis);
    graph.in[hypothesis.recombined >= 0 ? node_of(hypothesis.recombined, hypothesis) : i].push_back(i);
    if (hypothesis.complete) most = std::max(most, hypothesis.stack);
  }
  for (uint32_t i = 0; i < lines; ++i)
    if (hypotheses_[i].complete && hypotheses_[i].stack == most && hypotheses_[i].recombined < 0)
      graph.complete.push_back(i);
  if (graph.complete.empty() && lines > 1)
    throw InputError("sentence " + quoted(sentence_) + ": no hypothesis is complete (forward=-1)");
  size_t needed = 0;
  const std::vector<uint32_t> order = ordered_nodes(graph, needed);
  if (order.size() != needed)
    throw InputError("sentence " + quoted(sentence_) + ": the hypotheses form a cycle");

  std::vector<uint32_t> new_number(lines, kNoNode);
  std::vector<std::vector<uint32_t>> nodes;
  for (const uint32_t node : order) {
    new_number[node] = static_cast<uint32_t>(nodes.size());
    nodes.push_back(std::move(graph.in[node]));
  }
  Rows<uint32_t> tails;
  for (const uint32_t tail : graph.tail) {
    if (tail != kNoNode) tails.values.push_back(new_number[tail]);
    tails.close();
  }
  if (!graph.complete.empty()) nodes.emplace_back();
  for (const uint32_t node : graph.complete) {
    nodes.back().push_back(static_cast<uint32_t>(draft_.edge_count()));
    draft_.add_edge({}, draft_.rule({}, std::vector<grammar::Symbol>{grammar::gap_symbol(0)}));
    tails.add(std::vector<uint32_t>{new_number[node]});
  }
  forests_.emplace_back(sentence_, draft_.take(nodes, tails));
  ended_.insert(sentence_);
  hypotheses_.clear();
  by_number_.clear();
}

}  // namespace tunesmith::forest::formats
