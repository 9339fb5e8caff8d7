#include "tunesmith/reestimate/draft_builder.h"

#include <string>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/decode/scored_forest.h"

using namespace tunesmith;

namespace {

/// The search of "a b": b as "y", then a passed through; or both as "x y" by a pair of the table; or "y y".
decode::ScoredForest forest_of(const TextColumn& words) {
  decode::SearchGraph graph({words.view(), {}});
  const std::vector<int32_t> y{1}, passed{2}, pair{0, 1}, twice{1, 1};
  graph.close_edge({}, graph.rule(0, {}, false, decode::Option::kBorder), 0, {0, 0});
  const uint32_t start = graph.close_node();
  graph.close_edge({&start, 1}, graph.rule(1, y, true, 7), -1, {1, 2});
  const uint32_t swapped = graph.close_node();
  graph.close_edge({&swapped, 1}, graph.rule(2, passed, true, decode::Option::kUnknownWord), -1, {0, 1});
  graph.close_edge({&start, 1}, graph.rule(3, pair, true, 8), -3, {0, 2});
  graph.close_edge({&start, 1}, graph.rule(4, twice, true, decode::Option::kGiven), -4, {0, 2});
  graph.close_node();
  return {std::move(graph), nullptr};
}

TextColumn words_of_forest() {
  TextColumn words;
  for (const char* word : {"x", "y", "a"}) words.add(word);
  return words;
}

/// Links the first words of both sides.
void first_words(uint32_t, size_t, std::vector<reestimate::PhraseLink>& links) { links.push_back({0, 0}); }

reestimate::DerivationValues scored(float score) {
  reestimate::DerivationValues values{};
  values.score = values.value = score;
  return values;
}

}  // namespace

TEST(a_draft_has_phrases_in_target_order_each_listed_once) {
  const TextColumn words = words_of_forest();
  const decode::ScoredForest scored_forest = forest_of(words);
  reestimate::PhraseDraftBuilder draft(*scored_forest.forest(), "a b", 5, first_words);
  CHECK(draft.add(std::vector<uint32_t>{2, 1, 0}, scored(-2)));
  CHECK(draft.add(std::vector<uint32_t>{4, 0}, scored(-4)));
  CHECK(draft.add(std::vector<uint32_t>{2, 1, 0}, scored(-2)));
  const reestimate::DerivationDraft done = draft.take(3);
  CHECK(done.sentence == 5 && done.reference_length == 3 && done.source.size() == 2);
  CHECK(done.phrases.size() == 3 && done.steps.size() == 3);
  const reestimate::UsedPhrase& first = done.phrases[done.steps[0][0]];
  const reestimate::UsedPhrase& second = done.phrases[done.steps[0][1]];
  CHECK(first.begin == 1 && first.origin == reestimate::PhraseOrigin::kTable);
  CHECK(second.begin == 0 && second.origin == reestimate::PhraseOrigin::kUnknownWord);
  CHECK(done.phrases[done.steps[1][0]].origin == reestimate::PhraseOrigin::kGiven);
  CHECK(done.values[0].length == 2 && done.values[1].length == 2);
  CHECK(done.words[done.targets[first.target][0]] == "y");
  CHECK(done.source[0] == done.targets[second.target][0]);  // the same word on both sides
}

TEST(a_written_draft_is_read_back_and_a_wrong_one_is_refused) {
  const TextColumn words = words_of_forest();
  const decode::ScoredForest scored_forest = forest_of(words);
  reestimate::PhraseDraftBuilder draft(*scored_forest.forest(), "a b", 5, first_words);
  draft.add(std::vector<uint32_t>{3, 0}, scored(-3));
  reestimate::DerivationDraft done = draft.take(2);
  reestimate::DerivationWriter writer;
  writer.add(done);
  done.values[0].length = 3;
  CHECK_THROWS(writer.add(done), InputError);
  const std::string path = "draft_builder_test." + std::to_string(std::rand()) + ".tmp";
  writer.write(path);
  {
    const reestimate::DerivationFile file(path);
    CHECK(file.size() == 1 && file.derivation_count() == 1 && file.step_count() == 1);
    const reestimate::DerivationList list = file[0];
    CHECK(list.sentence == 5 && list.steps(0).size() == 1 && list.values[0].score == -3);
    CHECK(file.targets()[list.phrases[0].target].size() == 2);
    CHECK(file.links()[list.phrases[0].links].size() == 1);
  }
  std::remove(path.c_str());
}

TEST(a_sentence_of_too_many_columns_is_not_added) {
  const TextColumn words = words_of_forest();
  const decode::ScoredForest scored_forest = forest_of(words);
  std::string source;
  for (size_t i = 0; i <= reestimate::kMostOfSentence; ++i) source += "a ";
  reestimate::PhraseDraftBuilder draft(*scored_forest.forest(), source, 0, first_words);
  CHECK(!draft.add(std::vector<uint32_t>{3, 0}, scored(-3)));
  CHECK(draft.size() == 0);
}
