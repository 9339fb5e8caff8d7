#include "tunesmith/xbleu/forest_posteriors.h"

#include <filesystem>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/forest/expectation_semiring.h"
#include "tunesmith/forest/inside_outside.h"
#include "tunesmith/xbleu/match_states.h"

namespace {

using namespace tunesmith;
using namespace tunesmith::xbleu;
namespace features = tunesmith::decode::features;

/// "a b" in order, the other way round with two translations of b, or as one phrase.
EventForestDraft small_forest() {
  EventForestDraft forest;
  for (const char* word : {"a", "b", "A", "B", "C"}) forest.words.add(word);
  forest.source = {0, 1};
  forest.reference = {2, 3};
  for (const auto& phrase : {std::vector<uint32_t>{2}, {3}, {4}, {2, 3}}) forest.phrases.add(phrase);
  forest.events = {{0, kNoWord, kNoWord, 0, 1, 0, 0, 4, 0},
                   {1, 2, 2, 1, 2, 0, 1, 4, 0},
                   {1, kNoWord, kNoWord, 1, 2, 0, 0, 3, 0},
                   {2, kNoWord, kNoWord, 1, 2, 0, 0, 3, 0},
                   {0, 3, 3, 0, 1, 1, 2, 1, 0},
                   {3, kNoWord, kNoWord, 0, 2, 0, 0, 4, 0}};
  constexpr uint32_t kNone = ForestEdge::kNone;
  forest.edges = {{kNone, 0, kNone, {}},    {0, -0.5f, 0, {1, 0, 0, 0}}, {0, -0.75f, 2, {1, 0, 0, 0}},
                  {0, -0.25f, 3, {}},       {1, -1, 1, {1, 1, 0, 0}},    {2, -0.5f, 4, {1, 0, 0, 0}},
                  {0, -2, 5, {2, 1, 0, 0}}, {3, 0.25f, kNone, {}}};
  forest.edge_offsets = {0, 1, 2, 4, 7, 8};
  return forest;
}

std::shared_ptr<const features::SparseReorderingFeature> orientation_feature() {
  features::SparseReorderingParts parts;
  parts.name = "Order";
  parts.orientations = {"monotone", "swap", "left", "right"};
  parts.stack = features::StackWords::kNone;
  parts.has_between = false;
  const std::vector<std::string> words = {"a", "b"};
  parts.source = parts.target =
      std::make_shared<features::LabelSets>(words, std::vector<std::vector<std::string>>{{"w_a"}, {"w_b"}});
  return std::make_shared<features::SparseReorderingFeature>(std::move(parts));
}

struct RemovedFile {
  std::string path;
  ~RemovedFile() { std::filesystem::remove(path); }
};

/// A file that has this forest only; it is removed once it is open.
EventForestFile file_of(const EventForestDraft& forest) {
  const RemovedFile made{std::filesystem::temp_directory_path() / "tunesmith-forest-test"};
  EventForestWriter writer;
  writer.add(forest);
  writer.write(made.path);
  return EventForestFile(made.path);
}

bool is_refused(const EventForestDraft& forest) {
  try {
    file_of(forest);
    return false;
  } catch (const InputError&) {
    return true;
  }
}

TEST(a_file_with_an_event_of_no_edge_is_refused) {
  EventForestDraft forest = small_forest();
  CHECK(!is_refused(forest));
  forest.events.push_back(forest.events.front());
  CHECK(is_refused(forest));
}

TEST(a_block_without_columns_is_refused_unless_the_phrase_is_the_first) {
  for (const uint16_t column : {1, 2}) {
    EventForestDraft forest = small_forest();
    forest.events[1].block_begin = forest.events[1].block_end = column;
    CHECK(is_refused(forest));
  }
  EventForestDraft forest = small_forest();
  forest.events[1].block_end = 3;
  CHECK(is_refused(forest));
}

TEST(a_set_is_as_wide_as_the_events_of_a_forest) {
  const EventForestFile file = file_of(small_forest());
  EventForest forest = file[0];
  std::vector<Event> events(forest.events.begin(), forest.events.end());
  for (const auto& [begin, end] : {std::pair<uint16_t, uint16_t>{0, 1}, {1, 2}, {0, 2}})
    for (uint8_t orientation = 0; orientation < 4; ++orientation)
      events.push_back({0, kNoWord, kNoWord, begin, end, 0, 0, orientation, 0});
  forest.events = events;
  EventFeatures numbers(orientation_feature());
  numbers.open(file.texts());
  ForestSet set(std::filesystem::temp_directory_path(), numbers.is_small(), false);
  set.add(forest, file.texts(), {}, numbers);
  set.seal();
  CHECK(set.list<uint16_t>(0).event_count() > forest.edges.size());
  CHECK(set.widest() >= set.list<uint16_t>(0).event_count());
}

TEST(posteriors_of_a_lattice_equal_those_of_the_expectation_semiring) {
  const std::string folder = std::filesystem::temp_directory_path();
  const EventForestFile file = file_of(small_forest());
  EventFeatures numbers(orientation_feature());
  numbers.open(file.texts());
  ForestSet set(folder, numbers.is_small(), true);
  set.add(file[0], file.texts(), {0.125, -0.5, {0.25, 0.75, 1, 1}}, numbers);
  set.seal();

  std::vector<float> weights;
  for (size_t i = 0; i < numbers.size(); ++i) weights.push_back(0.25f * static_cast<float>(i % 5) - 0.5f);
  constexpr double kGamma = 1.5;
  const TrainingForest<uint16_t> forest = set.list<uint16_t>(0);
  EventForestPosteriors posteriors(set.widest());
  posteriors.score(forest, weights.data(), 1);
  const double expected = posteriors.normalize(forest, kGamma);

  using forest::ExpectationSemiring;
  const auto value = [&](uint32_t edge) {
    return forest::WeightedMean{kGamma * posteriors.scores()[edge], static_cast<double>(forest.gains[edge])};
  };
  const auto beta = forest::inside<ExpectationSemiring>(forest, value);
  const auto alpha = forest::outside<ExpectationSemiring>(forest, value, beta);
  CHECK_NEAR(beta.back().mean, expected, 1e-12);
  CHECK_NEAR(beta.back().log_weight, posteriors.log_partition(forest), 1e-12);
  CHECK_NEAR(forest.log_derivations, std::log(4.0), 1e-12);
  std::vector<uint32_t> heads(forest.edge_count());
  forest::for_each_edge(forest, [&](uint32_t node, uint32_t edge) { heads[edge] = node; });
  size_t edges = 0;
  posteriors.for_each_posterior(forest, [&](uint32_t edge, double posterior, double gain) {
    const auto whole = forest::through<ExpectationSemiring>(forest, heads[edge], edge, value, alpha, beta);
    CHECK_NEAR(posterior, std::exp(whole.log_weight - beta.back().log_weight), 1e-12);
    CHECK_NEAR(gain, whole.mean, 1e-12);
    ++edges;
  });
  CHECK(edges == 8);
  CHECK_NEAR(posteriors.differentiate(forest, ListObjective::kExpectedGain, kGamma), 0.125 + expected, 1e-12);
}

TEST(histories_keep_only_words_that_can_belong_to_a_match) {
  const std::vector<uint16_t> reference = {1, 2, 3, 1, 2};
  const MatchStates states(reference);
  std::array<uint8_t, kMatchedOrder> matches{};
  uint64_t history = MatchStates::kStart;
  for (const uint16_t word : {1, 2, 3, 1}) history = states.append(history, word, matches);
  CHECK((matches == std::array<uint8_t, kMatchedOrder>{4, 3, 2, 1}));
  CHECK(history == (uint64_t{2} << 32 | uint64_t{3} << 16 | 1));
  CHECK(states.append(history, 3, matches) == 3);  // no reference has "1 3"
  CHECK(states.append(history, 0, matches) == MatchStates::kStart);
  CHECK((matches == std::array<uint8_t, kMatchedOrder>{5, 3, 2, 1}));
}

}  // namespace
