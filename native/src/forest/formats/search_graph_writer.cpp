#include "tunesmith/forest/formats/search_graph_writer.h"

#include <algorithm>
#include <limits>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/number.h"
#include "tunesmith/forest/edge_scores.h"
#include "tunesmith/forest/lattice.h"
#include "tunesmith/forest/words.h"

namespace tunesmith::forest::formats {

namespace {

void append_words(std::span<const grammar::Symbol> symbols, const std::vector<std::string>& words,
                  std::string& out) {
  const char* blank = "";
  for (const grammar::Symbol symbol : symbols) {
    if (grammar::is_gap(symbol)) continue;
    out += blank;
    out += words[static_cast<size_t>(symbol)];
    blank = " ";
  }
}

/// Writes a lattice. Edges are hypotheses, numbered as they are written; the empty one is 0.
class GraphLines {
 public:
  GraphLines(const Forest& forest, std::string_view id, const EdgeScores& scores, bool extended)
      : forest_(forest),
        id_(id),
        scores_(scores),
        extended_(extended),
        words_(escaped_words(forest)),
        features_(forest),
        covered_(covered_words(forest)),
        has_start_(is_start()),
        has_root_(is_join()) {}

  std::string run() {
    line("0 stack=0");
    if (forest_.empty()) return out_ + "\n";
    number_hypotheses();
    score_nodes();
    const bool nothing = has_start_ && final_[0];  // the empty translation
    if (nothing || extended_) forward(has_start_ ? 0 : kNone);
    out_ += '\n';
    for (uint32_t node = 0; node < nodes_; ++node) {
      if (node == 0 && has_start_) continue;
      add(best_[node], node);
      for (uint32_t edge = forest_.first_edge(node); edge < forest_.last_edge(node); ++edge)
        if (edge != best_[node]) add(edge, node);
    }
    return std::move(out_);
  }

 private:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  bool is_bare(uint32_t edge) const {
    return forest_.rule_features(edge).empty() && forest_.edge_features(edge).empty();
  }

  /// Whether the first node is the empty hypothesis.
  bool is_start() const {
    return !forest_.empty() && forest_.last_edge(0) == 1 && forest_.target(0).empty() && is_bare(0);
  }

  /// Whether the root only joins complete hypotheses, each once.
  bool is_join() const {
    if (forest_.empty() || forest_.root() == 0) return false;
    std::vector<bool> seen(forest_.node_count());
    for (uint32_t edge = forest_.first_edge(forest_.root()); edge < forest_.edge_count(); ++edge) {
      if (forest_.tails(edge).size() != 1 || forest_.target(edge).size() != 1 || !is_bare(edge)) return false;
      if (seen[forest_.tails(edge)[0]]) return false;
      seen[forest_.tails(edge)[0]] = true;
    }
    return true;
  }

  void number_hypotheses() {
    nodes_ = static_cast<uint32_t>(forest_.node_count()) - (has_root_ ? 1 : 0);
    final_.assign(nodes_, false);
    if (has_root_) {
      for (uint32_t edge = forest_.first_edge(nodes_); edge < forest_.edge_count(); ++edge)
        final_[forest_.tails(edge)[0]] = true;
    } else {
      final_[nodes_ - 1] = true;
    }
    // Complete hypotheses cover the whole input, whatever their spans.
    const int64_t most = *std::max_element(covered_.begin(), covered_.end());
    for (uint32_t node = 0; node < nodes_; ++node)
      if (final_[node]) covered_[node] = most;
  }

  /// The best path to each node, and from it to the end.
  void score_nodes() {
    best_.assign(nodes_, kNone);
    inside_.assign(nodes_, 0);
    outside_.assign(nodes_, -std::numeric_limits<double>::infinity());
    next_.assign(nodes_, kNone);
    main_.assign(nodes_, 0);
    uint32_t number = 0;
    for (uint32_t node = 0; node < nodes_; ++node) {
      for (uint32_t edge = forest_.first_edge(node); edge < forest_.last_edge(node); ++edge)
        if (best_[node] == kNone || score(edge) > inside_[node]) {
          best_[node] = edge;
          inside_[node] = score(edge);
        }
      if (node == 0 && has_start_) continue;
      main_[node] = number + 1;
      number += forest_.last_edge(node) - forest_.first_edge(node);
    }
    for (uint32_t node = nodes_; node-- > 0;) {
      if (final_[node]) outside_[node] = 0;
      for (uint32_t edge = forest_.first_edge(node); edge < forest_.last_edge(node); ++edge) {
        if (forest_.tails(edge).empty()) continue;
        const uint32_t tail = forest_.tails(edge)[0];
        if (final_[tail] || !(outside_[node] + scores_(edge) > outside_[tail])) continue;
        outside_[tail] = outside_[node] + scores_(edge);
        next_[tail] = node;
      }
    }
  }

  double score(uint32_t edge) const {
    return scores_(edge) + (forest_.tails(edge).empty() ? 0 : inside_[forest_.tails(edge)[0]]);
  }

  void line(std::string_view rest) {
    out_ += id_;
    out_ += " hyp=";
    out_ += rest;
  }

  void number(std::string_view key, double value) {
    out_ += key;
    append_number(value, out_);
  }

  void forward(uint32_t node) {
    out_ += " forward=";
    if (node == kNone || final_[node] || next_[node] == kNone) {
      out_ += node != kNone && final_[node] ? "-1" : "0";
      out_ += " fscore=0";
      return;
    }
    out_ += std::to_string(main_[next_[node]]);
    number(" fscore=", outside_[node]);
  }

  void add(uint32_t edge, uint32_t node) {
    line(std::to_string(++written_) + " stack=" + std::to_string(covered_[node]));
    const auto tails = forest_.tails(edge);
    out_ += " back=" + std::to_string(tails.empty() ? 0 : main_[tails[0]]);
    number(" score=", score(edge));
    number(" transition=", scores_(edge));
    if (edge != best_[node]) out_ += " recombined=" + std::to_string(main_[node]);
    forward(node);
    const SourceSpan span = forest_.span(edge);
    if (span_width(span) > 0 && span.begin >= 0)
      out_ += " covered=" + std::to_string(span.begin) + "-" + std::to_string(span.end - 1);
    if (extended_) {
      out_ += " scores=\"";
      features_.append(edge, out_);
      out_ += "\" out=\"";
      append_words(forest_.rules().sources[forest_.rule(edge)], words_, out_);
      out_ += '|';
      append_words(forest_.target(edge), words_, out_);
      out_ += "\"\n";
    } else {
      out_ += " out=";
      append_words(forest_.target(edge), words_, out_);
      out_ += '\n';
    }
  }

  const Forest& forest_;
  std::string id_;
  EdgeScores scores_;
  bool extended_;
  std::vector<std::string> words_;
  FeatureSpeller features_;
  std::vector<int64_t> covered_;
  bool has_start_, has_root_;
  uint32_t nodes_ = 0;          // without the root if it only joins
  std::vector<bool> final_;     // by node, as all below
  std::vector<uint32_t> best_;  // edge
  std::vector<uint32_t> main_;  // hypothesis
  std::vector<uint32_t> next_;  // node
  std::vector<double> inside_, outside_;
  uint32_t written_ = 0;
  std::string out_;
};

}  // namespace

std::string format_search_graph(const Forest& forest, std::string_view id, std::span<const double> scores,
                                bool extended) {
  check_feature_names(forest);
  if (!is_lattice(forest))
    throw InputError(
        "the forest is not a phrase lattice: an edge has two tails, or words before its tail; write "
        "another format");
  if (id.empty() || id.find_first_of(" \t\r\n") != std::string_view::npos)
    throw InputError("the id of a sentence is empty or has a space; expected a number");
  return GraphLines(forest, id, EdgeScores(forest, scores), extended).run();
}

}  // namespace tunesmith::forest::formats
