#include "tunesmith/decode/target_constraint.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "check.h"
#include "random_pieces.h"
#include "tunesmith/tables/phrase_table_builder.h"

namespace tunesmith::decode::target_constraint_test {
using tunesmith::test::Piece;
using tunesmith::test::RandomPieces;

using Words = std::vector<int32_t>;

/// A model with the words a, b and c.
struct TestModel {
  TestModel() {
    TextColumn letters;
    for (const char* letter : {"a", "b", "c"}) letters.add(letter);
    tables::PhraseTableBuilder builder(path, {1, 0, 0});
    const int32_t phrase[] = {0, 1, 2};
    const float scores[] = {1};
    builder.begin_source(phrase);
    tables::ScoredPhrase pair;
    pair.target = phrase;
    pair.scores = scores;
    builder.add(pair);
    builder.finish(letters.view(), letters.view(), "{}");
    table.emplace(path);
    model.add_table(*table, "TranslationModel0", 0);
  }
  ~TestModel() { std::remove(path.c_str()); }

  std::string path = "target_constraint_test.bin";
  std::optional<tables::PhraseTable> table;
  DecoderModel model;
};

constexpr int32_t kPassed = 3;  // the number of the first word after those of the model

/// A random target: letters, a word that is passed through, and sometimes one that is unknown to all.
struct Request {
  Request(const DecoderModel& model, uint64_t seed, bool is_prefix) {
    SplitMix random(seed, 1);
    passed.add("q");
    const uint32_t kinds = random.below(4) == 0 ? 5 : 2 + random.below(3);
    for (uint32_t length = random.below(9); length > 0; --length) {
      const std::string word = std::array{"a", "b", "c", "q", "nobody"}[random.below(kinds)];
      text += (text.empty() ? "" : " ") + word;
      words.push_back(word == "q" ? kPassed : model.find_word(word));
    }
    input.words.passed = passed.view();
    input.target = text;
    input.is_constrained = true;
    input.is_prefix = is_prefix;
  }

  TextColumn passed;
  std::string text;
  Words words;
  DecoderInput input;
};

/// For each begin in the target the end of a yield that begins there, at most the target's end (a yield may
/// go beyond a prefix); kNever if it does not match.
constexpr size_t kNever = ~size_t{0};
std::vector<size_t> ends_of(const Words& target, bool is_prefix, const Words& yield) {
  std::vector<size_t> found;
  for (size_t place = 0; place <= target.size(); ++place) {
    const size_t rest = target.size() - place, length = std::min(rest, yield.size());
    const bool stands = (is_prefix || yield.size() <= rest) &&
                        std::equal(yield.begin(), yield.begin() + static_cast<std::ptrdiff_t>(length),
                                   target.begin() + static_cast<std::ptrdiff_t>(place));
    found.push_back(stands ? place + length : kNever);
  }
  return found;
}

void check_constraint(const TestModel& test, bool is_prefix) {
  const weights::WeightStore sparse;
  const auto session = TargetConstraint(test.model).chart_session({{}, sparse}, 0);
  size_t allowed = 0, forbidden = 0, ended = 0;
  for (uint64_t round = 0; round < 200; ++round) {
    const Request request(test.model, round, is_prefix);
    session->begin(request.input);
    RandomPieces pieces(round, 4, session->start());
    std::map<std::pair<bool, std::vector<size_t>>, uint32_t> states;
    std::set<uint32_t> numbers;
    for (int i = 0; i < 200; ++i) {
      const auto rule = pieces.rule();
      auto found = ends_of(request.words, is_prefix, rule.words);
      if (rule.begins) found.resize(1);
      const bool may_be = std::ranges::any_of(found, [](size_t end) { return end != kNever; });
      const float lookahead = session->lookahead(rule.tails, rule.step());
      const Transition made = session->apply(rule.tails, rule.step());
      CHECK(made.score == (may_be ? 0 : kForbiddenScore));
      CHECK(lookahead == made.score);
      (may_be ? allowed : forbidden) += 1;
      if (!may_be) continue;
      CHECK(states.emplace(std::pair(rule.begins, found), made.state).first->second == made.state);
      numbers.insert(made.state);
      pieces.add(rule.piece(made.state));
      if (!rule.begins) continue;
      const bool is_whole = found[0] == request.words.size();
      CHECK(session->finish(made.state) == (is_whole ? 0 : kForbiddenScore));
      ended += is_whole ? 1 : 0;
    }
    CHECK(numbers.size() == states.size());
  }
  CHECK(allowed > 1000 && forbidden > 1000 && ended > 100);
}

TEST(yields_in_a_chart_must_occur_in_the_target_and_have_one_state_per_set_of_occurrences) {
  check_constraint(TestModel(), false);
}

TEST(yields_in_a_chart_may_go_beyond_a_required_prefix) { check_constraint(TestModel(), true); }

TEST(a_chart_without_a_required_target_is_not_constrained) {
  const TestModel test;
  const weights::WeightStore sparse;
  const auto session = TargetConstraint(test.model).chart_session({{}, sparse}, 0);
  const Request request(test.model, 3, false);
  session->begin(request.input);
  session->begin({});
  RandomPieces pieces(1, 3, session->start());
  for (int i = 0; i < 100; ++i) {
    const auto rule = pieces.rule();
    const Transition made = session->apply(rule.tails, rule.step());
    CHECK(made.score == 0 && made.state == 0 && session->lookahead(rule.tails, rule.step()) == 0);
    CHECK(session->finish(made.state) == 0);
    pieces.add(rule.piece(made.state));
  }
}

TEST(a_long_target_has_states_and_one_that_is_too_long_is_an_error) {
  const TestModel test;
  const weights::WeightStore sparse;
  const auto session = TargetConstraint(test.model).chart_session({{}, sparse}, 0);
  DecoderInput input;
  input.is_constrained = true;
  std::string text;
  for (int i = 0; i < 65533; ++i) text += "a ";
  text += "b";
  input.target = text;
  session->begin(input);
  Option option;
  const int32_t a = test.model.find_word("a"), b = test.model.find_word("b");
  const Words last{b}, join{-1, b};
  option.words = last;
  const uint32_t end = session->apply({}, {option, {}, {}}).state;
  option.words = join;
  const uint32_t start = session->start();
  CHECK(session->lookahead(std::array{end}, {option, {}, {}}) == kForbiddenScore);
  CHECK(session->lookahead(std::array{start}, {option, {}, {}}) == kForbiddenScore);
  const Words all(65533, a), glue{-1, -2};
  option.words = all;
  const uint32_t most = session->apply({}, {option, {}, {}}).state;
  option.words = glue;
  const Transition begun = session->apply(std::array{start, most}, {option, {}, {}});
  const Transition whole = session->apply(std::array{begun.state, end}, {option, {}, {}});
  CHECK(begun.score == 0 && whole.score == 0);
  CHECK(session->finish(begun.state) == kForbiddenScore && session->finish(whole.state) == 0);
  text += " b";
  input.target = text;
  CHECK_THROWS(session->begin(input), InputError);
}

TEST(all_occurrences_of_words_in_a_target_are_found) {
  const TestModel test;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const Request request(test.model, seed, false);
    RequiredTarget target;
    target.assign(test.model, request.text, request.input.words.passed);
    CHECK(std::ranges::equal(target.words(), request.words));
    for (const Words& words : {Words{0}, Words{1, 0}, Words{0, 0}, Words{3, 1, 0}, Words{5}}) {
      Words expected, found;
      for (size_t place = 0; place + words.size() <= request.words.size(); ++place)
        if (ends_of(request.words, false, words)[place] != kNever)
          expected.push_back(static_cast<int32_t>(place));
      target.any_place(words, [&](uint32_t place) {
        found.push_back(static_cast<int32_t>(place));
        return false;
      });
      CHECK(found == expected);
      CHECK(target.has(words) == !expected.empty());
    }
  }
}

}  // namespace tunesmith::decode::target_constraint_test
