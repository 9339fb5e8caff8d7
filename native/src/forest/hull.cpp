#include "tunesmith/forest/hull.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/derivation.h"

namespace tunesmith::forest {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-12;

/// The largest absolute slope of an edge; checks all scores and slopes.
double checked_scale(const Forest& forest, std::span<const double> scores, std::span<const double> slopes) {
  if (forest.empty()) throw InputError("the forest is empty: no derivation was found");
  if (scores.size() != forest.edge_count() || slopes.size() != forest.edge_count())
    throw InputError(std::to_string(scores.size()) + " scores and " + std::to_string(slopes.size()) +
                     " slopes for " + std::to_string(forest.edge_count()) + " edges of a forest");
  double scale = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (!std::isfinite(scores[i]) || !std::isfinite(slopes[i]))
      throw InputError("edge " + std::to_string(i) + " has the score " + std::to_string(scores[i]) +
                       " and the slope " + std::to_string(slopes[i]) + "; expected finite numbers");
    scale = std::max(scale, std::abs(slopes[i]));
  }
  return scale;
}

}  // namespace

// Inline: calls within a shared library otherwise go through its procedure linkage table.

inline ForestEnvelope::Product ForestEnvelope::times(const Forest& forest, uint32_t edge, double score,
                                                     double slope) {
  const auto tails = forest.tails(edge);
  if (tails.empty()) return {{&one_, 1}, slope, score, edge, 0, 0};
  if (tails.size() == 1) return {of_node(tails[0]), slope, score, edge, offsets_[tails[0]], 1};

  // Sums begin with the edge and continue by tail, as in `inside`, so that ties are the same.
  const auto first = static_cast<uint32_t>(choices_.size());
  sum_.clear();
  for (const uint32_t tail : tails) choices_.push_back(offsets_[tail]);
  for (double from = range_.low; from < kUnbounded;) {
    const size_t row = choices_.size() - tails.size();
    Winner line{slope, score, from, edge, 0};
    from = kUnbounded;
    for (size_t i = 0; i < tails.size(); ++i) {
      const uint32_t at = choices_[row + i];
      line.slope += lines_[at].slope;
      line.intercept += lines_[at].intercept;
      if (at + 1 < offsets_[tails[i] + 1]) from = std::min(from, lines_[at + 1].from);
    }
    sum_.push_back(line);
    if (from == kUnbounded) break;
    for (size_t i = 0; i < tails.size(); ++i) {
      const uint32_t next = choices_[row + i] + 1;
      const bool moves = next < offsets_[tails[i] + 1] && lines_[next].from == from;
      choices_.push_back(moves ? next : next - 1);
    }
  }
  return {sum_, 0, 0, edge, first, static_cast<uint32_t>(tails.size())};
}

/// Whether a product is nowhere above the envelope so far. Between thresholds the envelope is linear and the
/// product convex, so it suffices to compare them at the thresholds and at both ends.
inline bool ForestEnvelope::below_current(const Product& product) const {
  // At infinity the slope alone decides which line is higher.
  const auto below = [](const Winner& line, const Winner& other, double gamma) {
    const double rise = line.slope - other.slope;
    if (rise == 0) return line.intercept <= other.intercept;
    return std::isinf(gamma) ? (rise < 0) == (gamma > 0) : line.intercept + gamma * rise <= other.intercept;
  };
  if (!below(product[0], current_.front(), range_.low) ||
      !below(product[product.lines.size() - 1], current_.back(), range_.high))
    return false;
  size_t at = 0;
  for (size_t i = 1; i < current_.size(); ++i) {
    const double gamma = current_[i].from;
    while (at + 1 < product.lines.size() && product.lines[at + 1].from <= gamma) ++at;
    const Winner line = product[at];
    if (line.intercept + gamma * line.slope > current_[i].intercept + gamma * current_[i].slope) return false;
  }
  return true;
}

/// Adds a line at least as steep as all before it. `previous` is its predecessor in its own envelope: if that
/// is the top of the stack, the threshold is known.
inline void ForestEnvelope::push(const Winner& line, const Winner* previous) {
  double from = range_.low;
  while (!merged_.empty()) {
    const Winner& top = merged_.back();
    if (previous != nullptr && top.edge == previous->edge && top.below == previous->below) {
      from = line.from;
    } else {
      const double rise = line.slope - top.slope;
      if (rise <= parallel_) {
        if (line.intercept <= top.intercept) return;
        merged_.pop_back();
        from = range_.low;
        continue;
      }
      from = (top.intercept - line.intercept) / rise;
    }
    if (from > top.from) break;
    merged_.pop_back();
    from = range_.low;
  }
  if (from >= range_.high) return;
  merged_.push_back(line);
  merged_.back().from = from;
}

/// Merges by slope onto a stack; of equal slopes the envelope so far, which has lower edges, is first.
inline void ForestEnvelope::plus(const Product& product) {
  merged_.clear();
  size_t i = 0, j = 0;
  Winner next = product[0], previous{};
  while (i < current_.size() || j < product.lines.size()) {
    if (j == product.lines.size() || (i < current_.size() && current_[i].slope <= next.slope)) {
      push(current_[i], i > 0 ? &current_[i - 1] : nullptr);
      ++i;
    } else {
      push(next, j > 0 ? &previous : nullptr);
      previous = next;
      if (++j < product.lines.size()) next = product[j];
    }
  }
  current_.swap(merged_);
}

void ForestEnvelope::find(const Forest& forest, std::span<const double> scores,
                          std::span<const double> slopes, LineRange range) {
  if (!(range.low < range.high))
    throw InputError("a line from " + std::to_string(range.low) + " to " + std::to_string(range.high) +
                     "; expected low < high");
  range_ = range;
  one_ = {0, 0, range.low, 0, 0};
  parallel_ = kRounding * checked_scale(forest, scores, slopes);
  lines_.clear();
  choices_.clear();
  offsets_.assign(1, 0);
  for (uint32_t node = 0; node < forest.node_count(); ++node) {
    current_.clear();
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      const size_t choices = choices_.size();
      const Product product = times(forest, edge, scores[edge], slopes[edge]);
      if (current_.empty())
        for (size_t i = 0; i < product.lines.size(); ++i) current_.push_back(product[i]);
      else if (below_current(product))
        choices_.resize(choices);
      else
        plus(product);
    }
    for (const Winner& line : current_)
      if (!std::isfinite(line.slope) || !std::isfinite(line.intercept))
        throw InputError("the scores of a derivation have no finite sum: make weights or features smaller");
    lines_.insert(lines_.end(), current_.begin(), current_.end());
    if (std::max(lines_.size(), choices_.size()) > std::numeric_limits<uint32_t>::max())
      throw InputError("the envelopes of a forest have more than 2^32 lines");
    offsets_.push_back(static_cast<uint32_t>(lines_.size()));
  }
}

std::vector<uint32_t> ForestEnvelope::edges(const Forest& forest, size_t i) const {
  const auto top = static_cast<uint32_t>(offsets_.end()[-2] + i);
  return unfold(
      forest, top, [&](uint32_t at) { return lines_[at].edge; },
      [&](uint32_t at, size_t tail) {
        return line_below(lines_[at], forest.tails(lines_[at].edge).size(), tail);
      });
}

void ForestEnvelope::yields(const Forest& forest, std::vector<YieldHash>& result) const {
  // Lines come after those of their tails: mark the used ones from the top, then read them from the bottom.
  thread_local std::vector<uint8_t> used;
  thread_local std::vector<YieldHash> known;
  used.assign(lines_.size(), 0);
  known.resize(lines_.size());
  std::fill(used.end() - static_cast<ptrdiff_t>(size()), used.end(), uint8_t{1});
  for (size_t at = lines_.size(); at-- > 0;) {
    if (used[at] == 0) continue;
    const size_t tails = forest.tails(lines_[at].edge).size();
    for (size_t i = 0; i < tails; ++i) used[line_below(lines_[at], tails, i)] = 1;
  }
  for (size_t at = 0; at < lines_.size(); ++at) {
    if (used[at] == 0) continue;
    const Winner& line = lines_[at];
    const size_t tails = forest.tails(line.edge).size();
    YieldHash yield;
    for (const grammar::Symbol symbol : forest.target(line.edge))
      if (grammar::is_gap(symbol))
        yield.append(known[line_below(line, tails, grammar::gap_index(symbol))]);
      else
        yield.append(static_cast<uint32_t>(symbol));
    known[at] = yield;
  }
  result.assign(known.end() - static_cast<ptrdiff_t>(size()), known.end());
}

}  // namespace tunesmith::forest
