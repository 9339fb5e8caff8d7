#include "tunesmith/forest/formats/hypergraph_parser.h"

#include <charconv>
#include <limits>
#include <optional>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/corpus/sentences.h"

namespace tunesmith::forest::formats {

namespace {

constexpr std::string_view kHypergraphHeader = "# target ||| features ||| source-covered";
constexpr std::string_view kBars = "|||";

std::optional<uint32_t> parse_count(std::string_view text) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view trimmed_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

void HypergraphParser::parse_line(std::string_view line) {
  if (state_ == State::kHeader) {
    if (trimmed_blanks(line) != kHypergraphHeader)
      throw InputError("expected '" + std::string(kHypergraphHeader) + "', found " + quoted(line));
    state_ = State::kCounts;
    return;
  }
  if (edges_left_ > 0) return parse_edge(line);
  if (line.starts_with('#') || trimmed_blanks(line).empty()) return;
  if (state_ == State::kCounts) return parse_counts(line);
  const auto count = parse_count(trimmed_blanks(line));
  if (!count || *count == 0)
    throw InputError("expected the number of a node's edges, at least 1, found " + quoted(line));
  if (draft_.node_count() == nodes_)
    throw InputError("more than the " + std::to_string(nodes_) + " nodes that the header announces");
  edges_left_ = *count;
}

void HypergraphParser::parse_counts(std::string_view line) {
  line = trimmed_blanks(line);
  const size_t blank = std::min(line.find(' '), line.size());
  const auto nodes = parse_count(line.substr(0, blank)),
             edges = parse_count(trimmed_blanks(line.substr(blank)));
  if (!nodes || !edges)
    throw InputError("expected the numbers of nodes and edges, such as '12 40', found " + quoted(line));
  nodes_ = *nodes;
  edges_ = *edges;
  state_ = State::kNodes;
}

void HypergraphParser::parse_target(std::string_view text) {
  target_.clear();
  tails_.clear();
  corpus::for_each_token(text, [&](std::string_view token) {
    if (token.size() > 2 && token.front() == '[' && token.back() == ']') {
      if (const auto tail = parse_count(token.substr(1, token.size() - 2))) {
        if (*tail >= draft_.node_count())
          throw InputError("node " + std::to_string(draft_.node_count()) + " has the child " + quoted(token) +
                           "; expected a node before it");
        target_.push_back(grammar::gap_symbol(tails_.size()));
        tails_.push_back(*tail);
        return;
      }
    }
    if (keep_boundaries_ || (token != "<s>" && token != "</s>")) target_.push_back(draft_.word(token));
  });
}

void HypergraphParser::parse_edge(std::string_view line) {
  const size_t first = line.find(kBars);
  const size_t second = first == std::string_view::npos ? first : line.find(kBars, first + kBars.size());
  if (second == std::string_view::npos)
    throw InputError("expected 'words ||| features ||| covered', found " + quoted(line));
  parse_target(line.substr(0, first));
  corpus::for_each_token(line.substr(first + kBars.size(), second - first - kBars.size()),
                         [&](std::string_view token) { draft_.add_feature(token); });
  const std::string_view covered = trimmed_blanks(line.substr(second + kBars.size()));
  if (!parse_count(covered))
    throw InputError("expected the number of source words that the node covers, found " + quoted(covered));
  draft_.add_edge(tails_, draft_.rule({}, target_));
  if (--edges_left_ == 0) draft_.close_node();
}

void HypergraphParser::end() {
  if (state_ != State::kNodes) throw InputError("the file ends before the numbers of nodes and edges");
  if (edges_left_ > 0 || draft_.node_count() != nodes_)
    throw InputError("the file is truncated: it ends within node " + std::to_string(draft_.node_count()) +
                     " of " + std::to_string(nodes_));
  if (draft_.edge_count() != edges_)
    throw InputError("the header announces " + std::to_string(edges_) + " edges, but the file has " +
                     std::to_string(draft_.edge_count()));
}

}  // namespace tunesmith::forest::formats
