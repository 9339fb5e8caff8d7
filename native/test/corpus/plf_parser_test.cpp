#include "tunesmith/corpus/plf_parser.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::corpus::plf_parser_test {

TEST(arcs_have_words_ends_and_logs_of_values) {
  const WordLattice lattice = parse_plf("((('A',0.5,1),('C',0.25,2),),(('B',2,1),),)");
  CHECK(lattice.columns() == 2);
  CHECK(lattice.arcs(0).size() == 2);
  CHECK(lattice.arcs(0)[1].word == "C");
  CHECK(lattice.arcs(0)[1].end == 2);
  CHECK_NEAR(lattice.arcs(0)[0].score, std::log(0.5F), 1e-6F);
  CHECK_NEAR(lattice.arcs(1)[0].score, std::log(2.0F), 1e-6F);
  CHECK(lattice.distance(0, 2) == 1);
}

TEST(escapes_both_quotes_and_missing_last_commas_are_read) {
  const WordLattice lattice = parse_plf(R"( ( ( ('it\'s', 1, 1) ), (("a\\b\"",1,1 , )) ) )");
  CHECK(lattice.arcs(0)[0].word == "it's");
  CHECK(lattice.arcs(1)[0].word == "a\\b\"");
}

TEST(a_value_of_zero_has_the_lowest_score) {
  CHECK(parse_plf("((('a',0,1),),)").arcs(0)[0].score == -100.0F);
  CHECK(parse_plf("((('a',1e-300,1),),)").arcs(0)[0].score == -100.0F);
}

TEST(a_dict_names_features_which_are_no_score) {
  const WordLattice lattice =
      parse_plf("((('a',{'lm': -1.5, \"am\":2 , },1),('b',{},1),('c',{'am':0},1),),)");
  const auto& arcs = lattice.arcs(0);
  CHECK(arcs[0].features.size() == 2);
  CHECK(arcs[0].features[0] == std::pair(std::string("lm"), -1.5F));
  CHECK(arcs[0].features[1] == std::pair(std::string("am"), 2.0F));
  CHECK(arcs[1].features.empty());
  CHECK(!lattice.has_scores());
  CHECK(lattice.feature_names() == std::vector<std::string>({"am", "lm"}));
  CHECK(parse_plf("((('a',0.5,1),),)").feature_names().empty());
}

TEST(the_last_field_is_the_distance_however_many_values_precede_it) {
  using Features = std::vector<std::pair<std::string, float>>;
  const auto log = [](double value) { return static_cast<float>(std::log(value)); };
  const WordLattice lattice =
      parse_plf("((('a', 2), ('b', 0.5, 0.25, 1, 1, ), ('c', 0.5, x=-1.5, y=2, 1)), (('d', z=1, 1),))");
  const auto& arcs = lattice.arcs(0);
  const Features values = {{"InputFeature0_1", log(0.25)}, {"InputFeature0_2", 0}};
  const Features named = {{"x", -1.5F}, {"y", 2}};
  CHECK(arcs[0].end == 2 && arcs[0].score == 0 && arcs[0].features.empty());
  CHECK(arcs[1].end == 1 && arcs[1].score == log(0.5) && arcs[1].features == values);
  CHECK(arcs[2].end == 1 && arcs[2].score == log(0.5) && arcs[2].features == named);
  CHECK(lattice.arcs(1)[0].end == 2 && lattice.arcs(1)[0].score == 0);
}

TEST(no_nodes_are_an_empty_sentence) { CHECK(parse_plf("()").columns() == 0); }

TEST(text_that_is_not_a_lattice_is_an_error) {
  for (const char* text : {"",
                           "(",
                           "(()",
                           "(())",
                           "((),)",
                           "((('a',1,1),)",
                           "((('a',1,1),),) x",
                           "((('a',0.5),),)",
                           "((('a',1.5),),)",
                           "((('a',),),)",
                           "((('a'),),)",
                           "((('a',{'x':1},0.5,1),),)",
                           "((('a',x=1,0.5,1),),)",
                           "((('a',x=1,x=2,1),),)",
                           "((('a',=1,1),),)",
                           "((('a',x=,1),),)",
                           "((('a',x y=1,1),),)",
                           "((('a',0.5,-1,1),),)",
                           "((('a',1,0),),)",
                           "((('a',1,-1),),)",
                           "((('a',1,2),),)",
                           "((('a',1,1.5),),)",
                           "((('a',-1,1),),)",
                           "((('a',nan,1),),)",
                           "((('a',inf,1),),)",
                           "((('a',1e999,1),),)",
                           "((('a',{'x':1e300},1),),)",
                           "((('a',{'x':0,'y':-1000001},1),),)",
                           "((('a',,1),),)",
                           "((('',1,1),),)",
                           "((('*EPS*',1,1),),)",
                           "((('a b',1,1),),)",
                           "(((a,1,1),),)",
                           "((('a,1,1),),)",
                           "((('a\\",
                           "((('a'",
                           "((('a',1,99999999999999),),)",
                           "((('a',{'f':},1),),)",
                           "((('a',{1:1},1),),)",
                           "((('a',{'':1},1),),)",
                           "((('a',{'f g':1},1),),)",
                           "((('a',{'f':nan},1),),)",
                           "((('a',{'f':-inf},1),),)",
                           "((('a',{'f':1,'f':1},1),),)",
                           "((('a',{'f':1 'g':1},1),),)",
                           "((('a',{'f':1",
                           "((('a',{'f':1}),),)",
                           "((('a',1,2),),(('b',1,1),),)"})
    CHECK_THROWS(parse_plf(text), InputError);
}

TEST(nesting_does_not_use_up_the_stack) { CHECK_THROWS(parse_plf(std::string(1000000, '(')), InputError); }

}  // namespace tunesmith::corpus::plf_parser_test
