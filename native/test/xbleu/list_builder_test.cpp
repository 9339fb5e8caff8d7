#include "tunesmith/xbleu/list_builder.h"

#include <string>

#include "check.h"
#include "tunesmith/tables/orientation.h"

using namespace tunesmith;

namespace {

constexpr int64_t kBorder = -3;

/// The search of "a b": b first with `swaps` translations, which a follows, or both in order as one phrase.
decode::ScoredForest forest_of(const TextColumn& words, int32_t swaps) {
  decode::SearchGraph graph({words.view(), {}});
  const std::vector<int32_t> first{0}, second{1};
  graph.close_edge({}, graph.rule(0, {}, false, kBorder), 0, {0, 0});
  const uint32_t start = graph.close_node();
  for (int32_t i = 0; i < swaps; ++i) {
    const std::vector<int32_t> target{2 + i};
    graph.close_edge({&start, 1}, graph.rule(10 + static_cast<uint64_t>(i), target, true, 7), -0.001 * i,
                     {1, 2});
  }
  const uint32_t swapped = graph.close_node();
  graph.close_edge({&swapped, 1}, graph.rule(1, first, true, -1), -1, {0, 1});
  graph.close_edge({&start, 1}, graph.rule(2, second, true, 8), -2.5, {0, 2});
  const uint32_t whole = graph.close_node();
  graph.close_edge({&whole, 1}, graph.rule(3, {}, true, kBorder), 0.25, {2, 2});
  graph.close_node();
  return {std::move(graph), nullptr};
}

TextColumn words_of(size_t count) {
  TextColumn words;
  for (size_t i = 0; i < count; ++i) words.add("w" + std::to_string(i));
  return words;
}

}  // namespace

TEST(a_list_has_strings_with_their_events_in_order) {
  const TextColumn words = words_of(4);
  const auto list = xbleu::build_list(forest_of(words, 2), "a b", "w3 w0 w1", 10);
  CHECK(list && list->scores.size() == 3 && list->reference_length == 3);
  CHECK_NEAR(list->scores[0], -0.75, 1e-6);
  CHECK_NEAR(list->scores[2], -2.25, 1e-6);
  CHECK(list->common.empty() && list->events.size() == 5);
  CHECK(list->matches[1].length == 2 && list->matches[1].of[0] == 2 && list->matches[1].of[1] == 1);
  const xbleu::Event& opening = list->events[list->uses[0][0]];
  const xbleu::Event& swap = list->events[list->uses[0][1]];
  CHECK(opening.is_first() && opening.begin == 1 && opening.is_unknown == 0);
  CHECK(opening.orientation == static_cast<uint8_t>(tables::Orientation::kRight));
  CHECK(swap.block_begin == 1 && swap.block_end == 2 && swap.block_first == swap.block_last);
  CHECK(list->words[swap.block_first] == "w2" && swap.is_unknown == 1);
  CHECK(swap.orientation == static_cast<uint8_t>(tables::Orientation::kSwap));
  const xbleu::Event& whole = list->events[list->uses[2][0]];
  CHECK(tables::is_global(static_cast<tables::Orientation>(whole.orientation)) && whole.end == 2);
}

TEST(a_list_of_too_many_events_is_none) {
  const int32_t swaps = 33'000;  // of two events each
  const TextColumn words = words_of(static_cast<size_t>(swaps) + 2);
  const decode::ScoredForest forest = forest_of(words, swaps);
  CHECK(!xbleu::build_list(forest, "a b", "w0", 40'000));
  const auto list = xbleu::build_list(forest, "a b", "w0", 1'000);
  CHECK(list && list->events.size() == 2'000);
}
