#include "tunesmith/xbleu/forest_builder.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/base/interner.h"
#include "tunesmith/base/text.h"
#include "tunesmith/corpus/sentences.h"
#include "tunesmith/decode/blocks.h"
#include "tunesmith/forest/prune.h"
#include "tunesmith/forest/refinement.h"
#include "tunesmith/forest/trim.h"
#include "tunesmith/xbleu/match_states.h"

namespace tunesmith::xbleu {

namespace {

constexpr size_t kWider = 4;             // edges before nodes are split, relative to those that are kept
constexpr size_t kMostCopies = 500'000;  // of edges of split nodes; beyond, fewer edges are split
constexpr size_t kLongestPhrase = UINT8_MAX;

/// What events and matches of later phrases depend on.
struct History {
  uint32_t stack = decode::BlockStacks::kEmpty;
  uint32_t last_word = kNoWord;
  uint64_t words = MatchStates::kStart;

  bool operator==(const History&) const = default;
};

/// The texts of a forest: words and phrases of the draft, and words of phrases as the reference numbers them.
class ForestTexts {
 public:
  ForestTexts(const forest::Forest& forest, std::string_view source, std::string_view reference,
              EventForestDraft& draft)
      : draft_(draft), phrases_of_(forest.rule_count(), kNoWord) {
    corpus::for_each_token(source, [&](std::string_view each) { draft_.source.push_back(word(each)); });
    corpus::for_each_token(reference, [&](std::string_view each) { draft_.reference.push_back(word(each)); });
    in_reference_.resize(words_.size());
    for (const uint32_t each : draft_.reference) {
      if (in_reference_[each] == 0) in_reference_[each] = ++different_;
      reference_.push_back(static_cast<uint16_t>(in_reference_[each]));
    }
  }

  bool is_too_large() const {
    return draft_.source.size() > kMostOfSentence || draft_.reference.size() > kMostOfSentence ||
           longest_ > kLongestPhrase;
  }
  /// The words of the reference, as `MatchStates` numbers them.
  const std::vector<uint16_t>& reference() const { return reference_; }
  uint16_t in_reference(uint32_t word) const {
    return word < in_reference_.size() ? static_cast<uint16_t>(in_reference_[word]) : uint16_t{0};
  }

  /// The phrase of an edge; none for one of the borders of the sentence.
  uint32_t phrase_of(const forest::Forest& forest, uint32_t edge) {
    const uint32_t rule = forest.rule(edge);
    uint32_t& known = phrases_of_[rule];
    if (known != kNoWord) return known;
    std::vector<uint32_t> words;
    for (const grammar::Symbol symbol : forest.target(edge))
      if (!grammar::is_gap(symbol)) words.push_back(word(forest.names().words[static_cast<size_t>(symbol)]));
    longest_ = std::max(longest_, words.size());
    const std::string_view key(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t));
    known = static_cast<uint32_t>(phrase_keys_.intern(key));
    if (known == draft_.phrases.size()) draft_.phrases.add(words);
    return known;
  }
  std::span<const uint32_t> words_of(uint32_t phrase) const { return draft_.phrases[phrase]; }
  /// Rules are those of another forest from now on.
  void restart(const forest::Forest& forest) { phrases_of_.assign(forest.rule_count(), kNoWord); }

  TextColumn take_words() { return words_.take_names(); }

 private:
  uint32_t word(std::string_view spelled) { return static_cast<uint32_t>(words_.intern(spelled)); }

  EventForestDraft& draft_;
  NameTable words_, phrase_keys_;
  std::vector<uint32_t> phrases_of_;    // by rule
  std::vector<uint32_t> in_reference_;  // by word; 0: it is not in it
  std::vector<uint16_t> reference_;
  uint32_t different_ = 0;
  size_t longest_ = 0;
};

class ForestBuilder {
 public:
  ForestBuilder(const forest::Forest& forest, std::string_view source, std::string_view reference,
                const ForestLimits& limits)
      : texts_(forest, source, reference, draft_), matches_(texts_.reference()), limits_(limits) {
    number({});
    most_edges_ = std::max<size_t>(
        1, static_cast<size_t>(std::lround(limits.density * static_cast<double>(draft_.source.size()))));
  }

  std::optional<EventForestDraft> build(const forest::Forest& forest, std::span<const double> scores) {
    if (texts_.is_too_large()) return std::nullopt;
    for (size_t wide = kWider * most_edges_;; wide /= 2) {
      const std::vector<uint8_t> keep = forest::pruned_edges(forest, scores, {.edges = wide});
      const forest::Forest pruned = forest::trim(forest, keep);
      texts_.restart(pruned);
      std::optional<forest::ForestRefinement> refined = split(pruned);
      if (!refined && wide > 1) continue;
      if (!refined || texts_.is_too_large()) return std::nullopt;
      texts_.restart(refined->forest);
      finish(*refined, kept(scores, keep));
      draft_.words = texts_.take_words();
      return std::move(draft_);
    }
  }

 private:
  static std::vector<double> kept(std::span<const double> scores, std::span<const uint8_t> keep) {
    std::vector<double> result;
    for (size_t edge = 0; edge < scores.size(); ++edge)
      if (keep[edge] != 0) result.push_back(scores[edge]);
    return result;
  }

  /// The forest with nodes split by histories; none if it has too many edges.
  std::optional<forest::ForestRefinement> split(const forest::Forest& forest) {
    forest::ForestRefiner refiner(forest, {});
    size_t copies = 0;
    for (uint32_t node = 0; node < forest.node_count(); ++node) {
      for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
        const auto tails = forest.tails(edge);
        const uint32_t first = tails.empty() ? 0 : refiner.first(tails[0]);
        const uint32_t end = tails.empty() ? 1 : refiner.first(tails[0] + 1);
        if ((copies += end - first) > kMostCopies) return std::nullopt;
        for (uint32_t tail = first; tail < end; ++tail) {
          const uint32_t before = tails.empty() ? 0 : refiner.state(tail);
          const uint32_t after = node == forest.root() ? 0 : append(forest, edge, before);
          refiner.add(edge, after, std::span(&tail, tails.size()));
        }
      }
      refiner.close();
    }
    return refiner.below(refiner.first(forest.root()));
  }

  /// Prunes the split forest, and writes its edges with their events and matches.
  void finish(const forest::ForestRefinement& refined, const std::vector<double>& scores) {
    std::vector<double> own;
    for (const uint32_t edge : refined.edges) own.push_back(scores[edge]);
    const std::vector<uint8_t> keep = forest::pruned_edges(refined.forest, own, {.edges = most_edges_});
    std::vector<uint32_t> numbers(refined.forest.node_count(), ForestEdge::kNone);
    std::vector<uint32_t> histories(refined.forest.node_count(), 0);
    uint32_t nodes = 0;
    for (uint32_t node = 0; node < refined.forest.node_count(); ++node) {
      for (uint32_t edge = refined.forest.first_edge(node); edge < refined.forest.last_edge(node); ++edge) {
        if (keep[edge] == 0) continue;
        const auto tails = refined.forest.tails(edge);
        ForestEdge made{tails.empty() ? ForestEdge::kNone : numbers[tails[0]],
                        static_cast<float>(own[edge]),
                        ForestEdge::kNone,
                        {}};
        histories[node] = append(refined.forest, edge, tails.empty() ? 0 : histories[tails[0]], &made);
        draft_.edges.push_back(made);
      }
      if (draft_.edges.size() == draft_.edge_offsets.back()) continue;
      numbers[node] = nodes++;
      draft_.edge_offsets.push_back(static_cast<uint32_t>(draft_.edges.size()));
    }
    for (uint32_t event = 0; event < events_.size(); ++event) draft_.events.push_back(events_[event]);
  }

  /// The history after an edge; also finds its event and matches, if asked for.
  uint32_t append(const forest::Forest& forest, uint32_t edge, uint32_t before, ForestEdge* made = nullptr) {
    const forest::SourceSpan span = forest.span(edge);
    if (span.begin == span.end) return before;
    History history = histories_[before];
    const Range range{static_cast<uint32_t>(span.begin), static_cast<uint32_t>(span.end)};
    const uint32_t phrase = texts_.phrase_of(forest, edge);
    const auto words = texts_.words_of(phrase);
    if (made != nullptr) made->event = event_of(history, range, phrase, forest, edge);
    std::array<uint8_t, kMatchedOrder> matches{};
    for (const uint32_t word : words)
      history.words = matches_.append(history.words, texts_.in_reference(word), matches);
    if (made != nullptr) made->matches = matches;
    const uint32_t first_word = words.empty() ? kNoWord : words.front();
    history.stack = stacks_.push(history.stack, range, limits_.has_blocks ? first_word : 0);
    history.last_word = words.empty() || !limits_.has_blocks ? kNoWord : words.back();
    return number(history);
  }

  uint32_t event_of(const History& history, Range range, uint32_t phrase, const forest::Forest& forest,
                    uint32_t edge) {
    const bool has_block = limits_.has_blocks && history.stack != decode::BlockStacks::kEmpty;
    const Range block = has_block ? stacks_.top(history.stack) : Range{0, 0};
    const Event event{.target = phrase,
                      .block_first = has_block ? stacks_.mark(history.stack) : kNoWord,
                      .block_last = has_block ? history.last_word : kNoWord,
                      .begin = static_cast<uint16_t>(range.begin),
                      .end = static_cast<uint16_t>(range.end),
                      .block_begin = static_cast<uint16_t>(block.begin),
                      .block_end = static_cast<uint16_t>(block.end),
                      .orientation = static_cast<uint8_t>(stacks_.orientation(history.stack, range)),
                      .is_unknown = forest.rules().ids[forest.rule(edge)] < 0};
    return events_.number(event, hash_of(event));
  }

  uint32_t number(const History& history) {
    return histories_.number(history, mix(mix(history.stack, history.last_word), history.words));
  }

  EventForestDraft draft_;
  ForestTexts texts_;
  MatchStates matches_;
  ForestLimits limits_;
  size_t most_edges_;
  decode::BlockStacks stacks_;
  Interner<History> histories_;
  Interner<Event> events_;
};

}  // namespace

std::optional<EventForestDraft> build_event_forest(const decode::ScoredForest& scored,
                                                   std::string_view source, std::string_view reference,
                                                   const ForestLimits& limits) {
  const forest::Forest& forest = *scored.forest();
  if (forest.empty()) return EventForestDraft{};
  return ForestBuilder(forest, source, reference, limits).build(forest, scored.scores());
}

}  // namespace tunesmith::xbleu
