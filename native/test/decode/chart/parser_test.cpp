#include "tunesmith/decode/chart/parser.h"

#include <string>
#include <utility>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/decode/chart/sentence_chart.h"
#include "tunesmith/grammar/text.h"

namespace tunesmith::decode::chart::parser_test {

const std::string kGlue =
    "[S] ||| <s> ||| <s>\n[S] ||| [S,1] [X,2] ||| [1] [2]\n[S] ||| [S,1] </s> ||| [1] </s>\n";

/// A model of rules without features; its glue grammar has no span limit.
std::shared_ptr<DecoderModel> model_of(const std::string& rules, uint32_t span_limit = 0) {
  auto model = std::make_shared<DecoderModel>();
  model->add_grammar(grammar::parse_grammar(rules, {}), {0, span_limit, true}, {}, {});
  model->add_grammar(grammar::parse_grammar(kGlue, {}), {}, {}, {});
  return model;
}

/// The chart of an input, with everything that it views.
struct Parsed {
  Parsed(std::shared_ptr<DecoderModel> given, corpus::WordLattice lattice, size_t memory_limit = 0)
      : model(std::move(given), std::vector<float>()),
        request{std::make_shared<corpus::WordLattice>(std::move(lattice)), {}, false, {}, {}},
        sentence(model, request, UnknownWords::kPass, {}, memory_limit) {}
  Parsed(const std::string& rules, const std::string& text, uint32_t span_limit = 0)
      : Parsed(model_of(rules, span_limit), corpus::WordLattice::sentence(text)) {}

  const RuleChart& chart() const { return sentence.chart(); }

  /// The number of derivations of the goal: for each cell the sum over uses of the product over tails.
  size_t derivations() const {
    std::vector<size_t> counts;
    for (const ChartCell& cell : chart().cells) {
      size_t sum = 0;
      for (uint32_t use = cell.first; use < cell.last; ++use) {
        size_t product = chart().uses[use].options.size();
        for (const uint32_t tail : chart().tails_of(chart().uses[use])) product *= counts.at(tail);
        sum += product;
      }
      counts.push_back(sum);
    }
    return counts.empty() ? 0 : counts.back();
  }

  WeightedModel model;
  DecoderRequest request;
  SentenceChart sentence;
};

std::string repeated(const std::string& word, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += word + " ";
  return text;
}

TEST(cells_come_after_their_tails) {
  const Parsed parsed("[X] ||| a ||| b\n[Y] ||| [X,1] ||| [1]\n[X] ||| a [Y,1] [Y,2] ||| [2] [1]\n",
                      "a a a a");
  for (uint32_t cell = 0; cell < parsed.chart().cells.size(); ++cell)
    for (uint32_t use = parsed.chart().cells[cell].first; use < parsed.chart().cells[cell].last; ++use)
      for (const uint32_t tail : parsed.chart().tails_of(parsed.chart().uses[use])) CHECK(tail < cell);
  CHECK(parsed.chart().cells.back().is_needed);
  CHECK((parsed.chart().cells.back().range == Range{0, 6}));
}

TEST(runs_of_one_word_have_as_many_derivations_as_compositions) {
  // Glue splits n words into parts of one or two: Fibonacci numbers.
  size_t before = 1, count = 1;
  for (size_t n = 1; n <= 30; ++n) {
    CHECK(Parsed("[X] ||| a ||| b\n[X] ||| a a ||| b\n", repeated("a", n)).derivations() == count);
    before = std::exchange(count, count + before);
  }
}

TEST(binary_rules_make_all_trees) {
  const size_t catalan[] = {1, 1, 2, 5, 14, 42, 132};
  for (size_t n = 1; n <= 6; ++n) {
    const Parsed parsed("[Y] ||| a ||| b\n[Y] ||| [Y,1] [Y,2] ||| [1] [2]\n[X] ||| < [Y,1] > ||| [1]\n",
                        "< " + repeated("a", n) + ">");
    CHECK(parsed.derivations() == catalan[n - 1]);
  }
}

TEST(a_span_limit_holds_for_its_grammar_alone) {
  const std::string rules = "[X] ||| a ||| b\n[X] ||| a [X,1] ||| [1] b\n";
  // Glue joins parts as long as the limit allows: compositions of 6 into parts of at most the limit.
  const size_t expected[] = {32, 1, 13, 24, 29, 31, 32};
  for (uint32_t limit = 0; limit <= 6; ++limit)
    CHECK(Parsed(rules, repeated("a", 6), limit).derivations() == expected[limit]);
}

TEST(arcs_that_skip_nodes_are_one_word) {
  const corpus::WordLattice lattice({{{1, "a"}, {2, "b"}}, {{2, "a"}, {3, "b"}}, {{3, "a"}}});
  CHECK(Parsed(model_of("[X] ||| a ||| b\n[X] ||| b ||| a\n"), lattice).derivations() == 3);
  CHECK(Parsed(model_of("[X] ||| a ||| b\n[X] ||| b ||| a\n[X] ||| b a ||| c\n"), lattice).derivations() ==
        4);
}

TEST(an_input_without_a_derivation_of_the_goal_has_no_cells) {
  CHECK(Parsed("[Y] ||| a ||| b\n", "a").chart().cells.empty());
  CHECK(Parsed("[Y] ||| a ||| b\n", "").derivations() == 1);
  CHECK(Parsed("[Y] ||| a ||| b\n", "b").derivations() == 1);  // an unknown word
}

TEST(rules_that_put_words_before_the_begin_are_not_used) {
  CHECK(Parsed("[S] ||| [S,1] a ||| [1] b\n", "a").derivations() == 2);  // or an unknown word
  CHECK(Parsed("[S] ||| [S,1] a ||| b [1]\n", "a").derivations() == 1);
}

TEST(unary_cycles_and_too_large_charts_are_errors) {
  CHECK_THROWS(Parsed("[X] ||| [Y,1] ||| [1]\n[Y] ||| [X,1] ||| [1]\n", "a"), InputError);
  const std::string rules = "[X] ||| a ||| b\n[X] ||| [X,1] [X,2] ||| [1] [2]\n";
  const corpus::WordLattice input = corpus::WordLattice::sentence(repeated("a", 60));
  CHECK(Parsed(model_of(rules), input).chart().bytes() > 100000);
  CHECK_THROWS(Parsed(model_of(rules), input, 100000), InputError);
}

}  // namespace tunesmith::decode::chart::parser_test
