#include "tunesmith/xbleu/forest_file.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/base/errors.h"

namespace tunesmith::xbleu {

namespace {

constexpr std::string_view kForestKind = "xforests";
constexpr uint32_t kForestVersion = 1;

template <class T>
void append_part(std::vector<T>& values, const std::vector<T>& more, std::vector<uint64_t>& starts) {
  values.insert(values.end(), more.begin(), more.end());
  starts.push_back(values.size());
}

template <class T>
std::span<const T> part_of(std::span<const T> values, std::span<const uint64_t> starts, size_t number) {
  return values.subspan(starts[number], starts[number + 1] - starts[number]);
}

bool are_starts(std::span<const uint64_t> starts, size_t parts, size_t total) {
  return starts.size() == parts + 1 && starts.front() == 0 && starts.back() == total &&
         std::is_sorted(starts.begin(), starts.end());
}

/// Every node has an edge, tails come before heads, and every event is that of an edge.
bool is_lattice(const EventForest& forest) {
  const auto offsets = forest.edge_offsets;
  std::vector<bool> is_used(forest.events.size());
  if (offsets.size() < 2 || offsets.front() != 0 || offsets.back() != forest.edges.size()) return false;
  for (uint32_t node = 0; node < forest.node_count(); ++node) {
    if (offsets[node] >= offsets[node + 1] || offsets[node + 1] > forest.edges.size()) return false;
    for (uint32_t edge = offsets[node]; edge < offsets[node + 1]; ++edge) {
      const ForestEdge& each = forest.edges[edge];
      if (each.tail != ForestEdge::kNone && each.tail >= node) return false;
      if (each.event != ForestEdge::kNone && each.event >= forest.events.size()) return false;
      if (!std::isfinite(each.score)) return false;
      if (each.event != ForestEdge::kNone) is_used[each.event] = true;
    }
  }
  return std::ranges::find(is_used, false) == is_used.end();
}

}  // namespace

void EventForestWriter::add(const EventForestDraft& forest) {
  if (forest.edges.empty()) throw InputError("a forest has no derivation");
  const EventTextsWriter::Numbers numbers = texts_.add(forest.words, forest.phrases);
  sentences_.push_back(forest.sentence);
  for (const uint32_t word : forest.source) source_.push_back(numbers.words[word]);
  source_starts_.push_back(source_.size());
  for (const uint32_t word : forest.reference) reference_.push_back(numbers.words[word]);
  reference_starts_.push_back(reference_.size());
  append_part(edge_offsets_, forest.edge_offsets, node_starts_);
  append_part(edges_, forest.edges, edge_starts_);
  for (const Event& event : forest.events) events_.push_back(numbers(event));
  event_starts_.push_back(events_.size());
}

void EventForestWriter::write(const std::string& path) const {
  ContainerWriter writer(path, kForestKind, kForestVersion);
  texts_.write(writer);
  writer.add("sentences", sentences_);
  writer.add("source_starts", source_starts_);
  writer.add("source", source_);
  writer.add("reference_starts", reference_starts_);
  writer.add("reference", reference_);
  writer.add("node_starts", node_starts_);
  writer.add("edge_offsets", edge_offsets_);
  writer.add("edge_starts", edge_starts_);
  writer.add("edges", edges_);
  writer.add("event_starts", event_starts_);
  writer.add("events", events_);
  writer.finish();
}

EventForestFile::EventForestFile(const std::string& path)
    : container_(path, kForestKind, kForestVersion),
      texts_(container_),
      sentences_(container_.section<uint32_t>("sentences")),
      source_starts_(container_.section<uint64_t>("source_starts")),
      reference_starts_(container_.section<uint64_t>("reference_starts")),
      node_starts_(container_.section<uint64_t>("node_starts")),
      edge_starts_(container_.section<uint64_t>("edge_starts")),
      event_starts_(container_.section<uint64_t>("event_starts")),
      source_(container_.section<uint32_t>("source")),
      reference_(container_.section<uint32_t>("reference")),
      edge_offsets_(container_.section<uint32_t>("edge_offsets")),
      edges_(container_.section<ForestEdge>("edges")),
      events_(container_.section<Event>("events")) {
  check();
}

void EventForestFile::check() const {
  const auto require = [&](bool is_sound) {
    if (!is_sound) throw InputError("is damaged: its numbers do not fit its forests", path());
  };
  require(texts_.is_sound());
  require(are_starts(source_starts_, size(), source_.size()));
  require(are_starts(reference_starts_, size(), reference_.size()));
  require(are_starts(node_starts_, size(), edge_offsets_.size()));
  require(are_starts(edge_starts_, size(), edges_.size()));
  require(are_starts(event_starts_, size(), events_.size()));
  const auto is_word = [&](uint32_t word) { return texts_.has_word(word); };
  require(std::all_of(source_.begin(), source_.end(), is_word));
  require(std::all_of(reference_.begin(), reference_.end(), is_word));
  for (size_t i = 0; i < size(); ++i) {
    const EventForest forest = (*this)[i];
    require(is_lattice(forest));
    for (const Event& event : forest.events) require(texts_.fits(event, forest.source.size()));
  }
}

EventForest EventForestFile::operator[](size_t forest) const {
  return {sentences_[forest],
          part_of(source_, source_starts_, forest),
          part_of(reference_, reference_starts_, forest),
          part_of(edge_offsets_, node_starts_, forest),
          part_of(edges_, edge_starts_, forest),
          part_of(events_, event_starts_, forest)};
}

}  // namespace tunesmith::xbleu
