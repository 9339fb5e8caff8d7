#include "tunesmith/xbleu/forest_set.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/inside_outside.h"
#include "tunesmith/xbleu/best_path.h"
#include "tunesmith/xbleu/merged_events.h"
#include "tunesmith/xbleu/reference_numbers.h"

namespace tunesmith::xbleu {

namespace {

/// Before the arrays of a forest in the file.
struct ForestHead {
  uint32_t nodes, edges, events, features;
  uint32_t best, is_even, words, reference;
  double log_derivations, constant;
};
static_assert(sizeof(ForestHead) % 8 == 0);

constexpr size_t padded_bytes(size_t bytes) { return (bytes + 7) & ~size_t{7}; }

size_t length_of(const EventForest& forest, const EventTexts& texts, const ForestEdge& edge) {
  return edge.event == ForestEdge::kNone ? 0 : texts.phrase(forest.events[edge.event].target).size();
}

std::vector<float> gains_of(const EventForest& forest, const EventTexts& texts, const LinearBleu& gain) {
  const double unit = 1 / static_cast<double>(std::max<size_t>(forest.reference.size(), 1));
  std::vector<float> gains;
  for (const ForestEdge& edge : forest.edges) {
    double sum = gain.length * static_cast<double>(length_of(forest, texts, edge));
    for (size_t n = 0; n < kMatchedOrder; ++n) sum += gain.matches[n] * edge.matches[n];
    gains.push_back(static_cast<float>(unit * sum));
  }
  return gains;
}

constexpr double kRounding = 1e-6;  // of sums of gains

/// Of the derivations with the largest sum of gains, the one with the highest score.
std::vector<uint32_t> best_by_gain(const EventForest& forest, const std::vector<float>& gains) {
  const auto gain = [&](uint32_t edge) { return static_cast<double>(gains[edge]); };
  const auto below = forest::inside<forest::ViterbiSemiring>(forest, gain);
  const auto above = forest::outside<forest::ViterbiSemiring>(forest, gain, below);
  std::vector<double> scores(gains.size(), forest::kLogZero);
  forest::for_each_edge(forest, [&](uint32_t node, uint32_t edge) {
    const double most = forest::through<forest::ViterbiSemiring>(forest, node, edge, gain, above, below);
    if (most >= below.back() - kRounding) scores[edge] = static_cast<double>(forest.edges[edge].score);
  });
  return best_path(forest, [&](uint32_t edge) { return scores[edge]; });
}

/// Whether all derivations have the same sum of gains, up to rounding.
bool are_even(const EventForest& forest, const std::vector<float>& gains) {
  const auto most = forest::inside<forest::ViterbiSemiring>(
      forest, [&](uint32_t edge) { return static_cast<double>(gains[edge]); });
  const auto least = forest::inside<forest::ViterbiSemiring>(
      forest, [&](uint32_t edge) { return -static_cast<double>(gains[edge]); });
  return most.back() + least.back() <= kRounding;
}

/// Words of all edges as numbers of the words of the reference.
struct EdgeWords {
  Rows<int32_t> words;
  ReferenceNumbers reference;

  EdgeWords(const EventForest& forest, const EventTexts& texts) : reference(forest.reference) {
    for (const ForestEdge& edge : forest.edges) {
      if (edge.event != ForestEdge::kNone)
        reference.append(texts.phrase(forest.events[edge.event].target), words.values);
      words.close();
    }
  }
};

}  // namespace

ForestSet::ForestSet(const std::string& folder, bool is_small, bool has_words)
    : is_small_(is_small), has_words_(has_words) {
  scratch_.move_to_disk(folder);
}

template <class T>
void ForestSet::append(const std::vector<T>& values) {
  static constexpr char kPadding[8] = {};
  const size_t bytes = values.size() * sizeof(T);
  scratch_.append({reinterpret_cast<const char*>(values.data()), bytes});
  scratch_.append({kPadding, padded_bytes(bytes) - bytes});
}

void ForestSet::add(const EventForest& forest, const EventTexts& texts, const LinearBleu& gain,
                    EventFeatures& features) {
  if (is_sealed_) throw InputError("the forests are sealed: none can be added");
  const MergedEvents merged(forest.source, forest.events, features);
  std::vector<uint16_t> feature_counts;
  std::vector<uint32_t> numbers;
  for (size_t event = 0; event < merged.size(); ++event) {
    const auto row = merged.features(event);
    if (row.size() > UINT16_MAX)
      throw InputError("sentence " + std::to_string(forest.sentence) +
                       ": an event has more than 65535 features");
    feature_counts.push_back(static_cast<uint16_t>(row.size()));
    numbers.insert(numbers.end(), row.begin(), row.end());
  }
  std::vector<uint32_t> tails, events;
  std::vector<float> base;
  std::vector<std::array<uint8_t, kMatchedOrder>> matches;
  for (const ForestEdge& edge : forest.edges) {
    tails.push_back(edge.tail);
    events.push_back(edge.event == ForestEdge::kNone ? MergedEvents::kNone : merged.number(edge.event));
    base.push_back(edge.score);
    matches.push_back(edge.matches);
  }
  const std::vector<float> gains = gains_of(forest, texts, gain);
  const std::vector<uint32_t> best = best_by_gain(forest, gains);

  ForestHead head{};
  head.nodes = static_cast<uint32_t>(forest.node_count());
  head.edges = static_cast<uint32_t>(forest.edges.size());
  head.events = static_cast<uint32_t>(feature_counts.size());
  head.features = static_cast<uint32_t>(numbers.size());
  head.best = static_cast<uint32_t>(best.size());
  head.is_even = are_even(forest, gains) ? 1 : 0;
  head.log_derivations = forest::inside<forest::LogSemiring>(forest, [](uint32_t) { return 0.0; }).back();
  head.constant = gain.constant;
  const EdgeWords spelled(forest, texts);
  head.words = static_cast<uint32_t>(spelled.words.values.size());
  head.reference = static_cast<uint32_t>(spelled.reference.numbers().size());

  append(std::vector<ForestHead>{head});
  append(std::vector<uint32_t>(forest.edge_offsets.begin(), forest.edge_offsets.end()));
  append(tails);
  append(events);
  append(base);
  append(gains);
  append(feature_counts);
  if (is_small_)
    append(std::vector<uint16_t>(numbers.begin(), numbers.end()));
  else
    append(numbers);
  append(best);
  if (has_words_) {
    append(matches);
    append(spelled.words.offsets);
    append(spelled.words.values);
    append(spelled.reference.numbers());
  }
  offsets_.push_back(scratch_.size());
  widest_ = std::max({widest_, forest.edges.size(), forest.node_count(), feature_counts.size()});
  for (const uint32_t number : numbers) least_weights_ = std::max(least_weights_, size_t{number} + 1);
  counts_.nodes += forest.node_count();
  counts_.edges += forest.edges.size();
  counts_.events += forest.events.size();
  counts_.groups += feature_counts.size();
  counts_.features += numbers.size();
}

void ForestSet::seal() {
  data_ = scratch_.view();
  is_sealed_ = true;
}

void ForestSet::check(size_t weights) const {
  if (!is_sealed_) throw InputError("the forests are not sealed: call seal when all are added");
  if (weights < least_weights_)
    throw InputError("the forests have features up to number " + std::to_string(least_weights_ - 1) +
                     ", but there are " + std::to_string(weights) + " weights");
}

template <class Number>
TrainingForest<Number> ForestSet::list(size_t number) const {
  const char* at = data_.data() + offsets_[number];
  const auto& head = *reinterpret_cast<const ForestHead*>(at);
  at += sizeof(ForestHead);
  const auto next = [&]<class T>(std::span<const T>& values, size_t count) {
    values = {reinterpret_cast<const T*>(at), count};
    at += padded_bytes(count * sizeof(T));
  };
  TrainingForest<Number> forest{};
  next(forest.edge_offsets, size_t{head.nodes} + 1);
  next(forest.edge_tails, head.edges);
  next(forest.events, head.edges);
  next(forest.base, head.edges);
  next(forest.gains, head.edges);
  next(forest.feature_counts, head.events);
  std::span<const Number> features;
  next(features, head.features);
  forest.features = features.data();
  next(forest.best, head.best);
  forest.log_derivations = head.log_derivations;
  forest.constant = head.constant;
  forest.is_even = head.is_even != 0;
  if (has_words_) {
    next(forest.matches, head.edges);
    next(forest.word_offsets, size_t{head.edges} + 1);
    next(forest.words, head.words);
    next(forest.reference, head.reference);
  }
  return forest;
}

template TrainingForest<uint16_t> ForestSet::list<uint16_t>(size_t) const;
template TrainingForest<uint32_t> ForestSet::list<uint32_t>(size_t) const;

std::span<const char> ForestSet::block(size_t number) const {
  const uint64_t begin = offsets_[number * kBlock];
  const uint64_t end = offsets_[std::min((number + 1) * kBlock, size())];
  return {data_.data() + begin, end - begin};
}

}  // namespace tunesmith::xbleu
