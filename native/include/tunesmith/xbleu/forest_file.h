// Files of forests as events of phrases and orientations: what reordering models are trained on, besides
// lists.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/xbleu/event.h"

namespace tunesmith::xbleu {

/// The highest order of n-grams that are matched.
inline constexpr size_t kMatchedOrder = 4;

/// An edge appends a phrase to the derivations of its tail. Everything about it is known: nodes are split so
/// that all derivations of one agree in what events and n-grams of later edges depend on.
struct ForestEdge {
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t tail;                               // kNone: it begins the sentence
  float score;                                 // under the weights of the decoder
  uint32_t event;                              // kNone: a border of the sentence
  std::array<uint8_t, kMatchedOrder> matches;  // n-grams of the reference that end in the phrase, not clipped

  bool operator==(const ForestEdge&) const = default;
};
static_assert(sizeof(ForestEdge) == 16);

/// One forest, a lattice: edges have at most one tail. Satisfies `forest::Hypergraph`.
struct EventForest {
  uint32_t sentence;                            // its row in the text
  std::span<const uint32_t> source, reference;  // words
  std::span<const uint32_t> edge_offsets;       // of nodes, from 0
  std::span<const ForestEdge> edges;
  std::span<const Event> events;

  size_t node_count() const { return edge_offsets.size() - 1; }
  uint32_t first_edge(uint32_t node) const { return edge_offsets[node]; }
  uint32_t last_edge(uint32_t node) const { return edge_offsets[node + 1]; }
  std::span<const uint32_t> tails(uint32_t edge) const {
    const uint32_t& tail = edges[edge].tail;
    return {&tail, tail == ForestEdge::kNone ? size_t{0} : size_t{1}};
  }
};

/// A forest in the making, with its own numbering of words and target phrases.
struct EventForestDraft {
  uint32_t sentence = 0;
  std::vector<uint32_t> source, reference;
  std::vector<uint32_t> edge_offsets{0};
  std::vector<ForestEdge> edges;
  std::vector<Event> events;
  Rows<uint32_t> phrases;
  TextColumn words;

  /// Valid while the draft is. Events refer to its own words and phrases.
  EventForest view() const { return {sentence, source, reference, edge_offsets, edges, events}; }
};

/// Collects forests and writes them as one file. Memory is that of the file.
class EventForestWriter {
 public:
  size_t size() const { return sentences_.size(); }
  /// A forest without nodes is an InputError.
  void add(const EventForestDraft& forest);
  /// Atomic; nothing may be added after it.
  void write(const std::string& path) const;

 private:
  EventTextsWriter texts_;
  std::vector<uint32_t> sentences_;
  std::vector<uint64_t> source_starts_{0}, reference_starts_{0}, node_starts_{0}, edge_starts_{0},
      event_starts_{0};
  std::vector<uint32_t> source_, reference_, edge_offsets_;
  std::vector<ForestEdge> edges_;
  std::vector<Event> events_;
};

/// A file of forests, mapped. All numbers in it are checked when it is opened.
class EventForestFile {
 public:
  explicit EventForestFile(const std::string& path);

  const std::string& path() const { return container_.path(); }
  size_t size() const { return sentences_.size(); }
  EventForest operator[](size_t forest) const;
  /// The words and target phrases of its events.
  const EventTexts& texts() const { return texts_; }
  size_t node_count() const { return edge_offsets_.size() - size(); }
  size_t edge_count() const { return edges_.size(); }
  size_t event_count() const { return events_.size(); }
  size_t bytes() const { return container_.bytes(); }

 private:
  void check() const;

  Container container_;
  EventTexts texts_;
  std::span<const uint32_t> sentences_;
  std::span<const uint64_t> source_starts_, reference_starts_, node_starts_, edge_starts_, event_starts_;
  std::span<const uint32_t> source_, reference_, edge_offsets_;
  std::span<const ForestEdge> edges_;
  std::span<const Event> events_;
};

}  // namespace tunesmith::xbleu
