#include "tunesmith/decode/arc_features.h"

#include "check.h"

namespace tunesmith::decode::arc_features_test {

/// A model of two columns and a sparse weight.
struct ArcModel {
  static std::shared_ptr<DecoderModel> model() {
    auto made = std::make_shared<DecoderModel>();
    made->add_penalty(Penalty::kInput, "InputFeature0");
    made->add_arc_feature("Parts");
    return made;
  }
  static std::shared_ptr<const weights::WeightStore> sparse() {
    auto weights = std::make_shared<weights::WeightStore>();
    weights->set("Named", 4);
    return weights;
  }

  WeightedModel weighted{model(), {0.5F, 2}, sparse()};
};

const corpus::LatticeArc kPlain{1, "a", -3};
const corpus::LatticeArc kDense{1, "a", 0, {{"Parts", 1.5F}}};
const corpus::LatticeArc kSparse{1, "a", 0, {{"Other", 8}, {"Named", -1}, {"Parts", 1}}};

using NamedValues = std::vector<std::pair<std::string, float>>;

NamedValues named(const DecoderModel& model, const std::vector<FeatureValue>& values) {
  NamedValues result;
  for (const FeatureValue& value : values) result.emplace_back(model.column_name(value.column), value.value);
  return result;
}

TEST(arcs_score_by_columns_and_by_names) {
  const ArcModel test;
  CHECK(arc_score(test.weighted, kPlain) == 0.5F * -3);
  CHECK(arc_score(test.weighted, kDense) == 2 * 1.5F);
  CHECK(arc_score(test.weighted, kSparse) == 4 * -1 + 2 * 1);
  CHECK(arc_score(test.weighted, {1, "a"}) == 0);
}

TEST(arc_values_are_recorded_by_column_or_name) {
  const ArcModel test;
  const DecoderModel& model = test.weighted.model();
  std::vector<FeatureValue> values;
  ColumnSink sink(model, values);
  sink.begin(1);  // left over from an earlier feature
  for (const corpus::LatticeArc& arc : {kPlain, kDense, kSparse}) arc_values(model, arc, sink);
  CHECK(named(model, values) ==
        NamedValues({{"InputFeature0", -3}, {"Parts", 1.5F}, {"Other", 8}, {"Named", -1}, {"Parts", 1}}));
}

TEST(the_values_of_a_path_are_sums_in_an_order_that_does_not_depend_on_threads) {
  for (const char* first : {"Other", "Named"}) {
    const ArcModel test;
    const DecoderModel& model = test.weighted.model();
    model.sparse_column(first);
    std::vector<FeatureValue> values;
    ColumnSink sink(model, values);
    const corpus::LatticeArc* const path[] = {&kSparse, &kPlain, &kDense, &kSparse};
    path_values(model, path, sink);
    CHECK(named(model, values) ==
          NamedValues({{"Other", 16}, {"Named", -2}, {"Parts", 3.5F}, {"InputFeature0", -3}}));
  }
}

}  // namespace tunesmith::decode::arc_features_test
