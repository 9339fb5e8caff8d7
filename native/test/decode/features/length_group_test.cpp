#include "tunesmith/decode/features/length_group.h"

#include <map>
#include <string>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/decode/column_sink.h"

namespace tunesmith::decode::features::length_group_test {

DecoderModel model_of_rules() {
  DecoderModel model;
  model.add_rule_columns({"P", "Lex"});
  model.add_penalty(Penalty::kWord, "Words");
  return model;
}

std::map<std::string, float> values_of(const DecoderModel& model, const WeightedScores& scores,
                                       const Option& option) {
  std::vector<FeatureValue> values;
  ColumnSink sink(model, values);
  scores.values(option, sink);
  std::map<std::string, float> found;
  for (const FeatureValue& value : values) found[model.column_name(value.column)] += value.value;
  return found;
}

TEST(a_score_counts_in_all_ranges_that_contain_the_length) {
  const DecoderModel model = model_of_rules();
  const std::vector<int32_t> source{4, -1}, target{-1, 3, 5};
  const std::vector<FeatureValue> own{{1, -0.5F}, {0, -2.0F}};
  Option option;
  option.rule = 7;
  option.source = source;
  option.words = target;
  option.pair_values = own;
  weights::WeightStore weights;
  weights.set("G_s1-2_P", 0.25F);
  weights.set("G_s2-3_P", 0.5F);
  weights.set("G_s2-2_Lex", 2.0F);
  weights.set("G_s1-1_P", 100.0F);
  const auto scores = LengthGroupFeature({"G", {"P", "Lex"}, GroupedSides::kSource, 3}).under(model, weights);
  CHECK((values_of(model, *scores, option) == std::map<std::string, float>{{"G_s1-2_P", -2},
                                                                           {"G_s1-3_P", -2},
                                                                           {"G_s2-2_P", -2},
                                                                           {"G_s2-3_P", -2},
                                                                           {"G_s1-2_Lex", -0.5},
                                                                           {"G_s1-3_Lex", -0.5},
                                                                           {"G_s2-2_Lex", -0.5},
                                                                           {"G_s2-3_Lex", -0.5}}));
  CHECK(scores->score(option) == -2.0F * 0.75F - 0.5F * 2);
}

TEST(lengths_of_both_sides_make_products_and_long_sides_count_as_the_longest) {
  const DecoderModel model = model_of_rules();
  const std::vector<int32_t> source{1, 2, 3, 4}, target{1};
  const std::vector<FeatureValue> own{{0, 1.0F}};
  Option option;
  option.rule = 0;
  option.source = source;
  option.words = target;
  option.pair_values = own;
  const auto scores = LengthGroupFeature({"G", {"P"}, GroupedSides::kProduct, 2}).under(model, {});
  CHECK((values_of(model, *scores, option) ==
         std::map<std::string, float>{
             {"G_s1-2_t1-1_P", 1}, {"G_s1-2_t1-2_P", 1}, {"G_s2-2_t1-1_P", 1}, {"G_s2-2_t1-2_P", 1}}));
  option.words = {};  // a side without symbols is in no range
  CHECK(values_of(model, *scores, option).empty());
}

TEST(scores_that_no_rule_has_are_errors_or_left_out) {
  const DecoderModel model = model_of_rules();
  const auto under = [&](std::vector<std::string> names, bool needs_all) {
    LengthGroupFeature({"G", std::move(names), GroupedSides::kSource, 3, needs_all}).under(model, {});
  };
  under({"P", "Other"}, false);
  CHECK_THROWS(under({"P", "Other"}, true), InputError);
  CHECK_THROWS(under({"Words"}, true), InputError);  // a penalty is not a score of a rule
  CHECK_THROWS(under({"Other"}, false), InputError);
  CHECK_THROWS(LengthGroupFeature({"G", {"P"}, GroupedSides::kSource, 0}), InputError);
  CHECK_THROWS(LengthGroupFeature({"G", {"P"}, GroupedSides::kSource, 21}), InputError);
}

}  // namespace tunesmith::decode::features::length_group_test
