#include "tunesmith/objectives/forests/hope_fear.h"

#include <cmath>
#include <limits>

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::objectives::forests::hope_fear_test {

constexpr metrics::BleuOptions kBigrams{2, metrics::ReferenceLength::closest};
constexpr uint64_t kMemory = 1 << 20;
const auto kScorer = std::make_shared<const metrics::BleuScorer>(2, metrics::BleuSmoothing::exponential, 0.0);

TextColumn column(const std::vector<std::string>& texts) {
  TextColumn result;
  for (const std::string& text : texts) result.add(text);
  return result;
}

/// One node with one edge per word, each with its own feature.
std::shared_ptr<forest::Forest> words(uint32_t count) {
  forest::ForestArrays arrays;
  auto names = std::make_shared<forest::ForestNames>();
  for (uint32_t i = 0; i < count; ++i) {
    names->words.add(std::string(1, static_cast<char>('a' + i)));
    names->features.add("f" + std::to_string(i));
    arrays.tails.close();
    arrays.edge_rules.push_back(i);
    arrays.spans.emplace_back();
    arrays.features.close();
    arrays.rules.sources.close();
    arrays.rules.targets.add(std::vector<grammar::Symbol>{static_cast<grammar::Symbol>(i)});
    arrays.rules.links.close();
    arrays.rules.features.add(std::vector<FeatureValue>{{i, 1.0F}});
    arrays.rules.ids.push_back(-1);
  }
  if (count > 0) arrays.edge_offsets.push_back(count);
  return std::make_shared<forest::Forest>(std::move(arrays), std::move(names));
}

HopeFearForests compiled(const std::vector<int64_t>& columns, size_t width) {
  const TextColumn references = column({"b"});
  HopeFearForests forests(kScorer, width, kMemory, ".");
  forests.add(pack_hope_fear_forest(*words(static_cast<uint32_t>(columns.size())), columns, width,
                                    references.view(), kBigrams, forest::RefinementLimits()));
  return forests;
}

TEST(gradients_are_finite_differences) {
  const double step = 1e-6;
  for (const metrics::BleuSmoothing smoothing :
       {metrics::BleuSmoothing::none, metrics::BleuSmoothing::exponential, metrics::BleuSmoothing::add})
    for (const double reference : {7.0, 12.0}) {  // longer and shorter than the hypothesis
      const metrics::BleuScorer bleu(2, smoothing, 1.0);
      const metrics::Scorer& scorer = bleu;
      const std::vector<double> at{6, 10, 3, 9, reference};
      std::vector<double> found(5);
      bleu.gradient(at.data(), found.data());
      for (size_t s = 0; s < 5; ++s) {
        auto up = at, down = at;
        up[s] += step, down[s] -= step;
        CHECK_NEAR(found[s], (scorer.gain(up.data()) - scorer.gain(down.data())) / (2 * step), 1e-8);
      }
    }
}

TEST(a_gain_of_zero_has_no_slope) {
  const metrics::BleuScorer bleu(2, metrics::BleuSmoothing::none, 0.0);
  for (const double slope : background_slopes(bleu, std::vector<double>{0, 0, 0, 0, 0})) CHECK(slope == 0);
  for (const double slope : background_slopes(bleu, std::vector<double>{3, 4, 0, 3, 4})) CHECK(slope == 0);
}

TEST(an_update_moves_the_features_of_hope_and_fear_alone) {
  const HopeFearForests forests = compiled({4, 1, 0}, 5);
  const std::vector<double> most(5, std::numeric_limits<double>::infinity());
  const std::vector<double> least(5, -std::numeric_limits<double>::infinity());
  HopeFearState state{{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}, 0, 0};
  const std::vector<int64_t> order{0};
  forests.pass(LinearFinder(kScorer), order, 0.25, 0.5, {least, most}, 1, state);
  // The hope is "b" (column 1); of the two others, which are equally bad, the first is feared (column 4).
  CHECK((state.weights == std::vector<double>{0, 0.25, 0, 0, -0.25}));
  CHECK((state.background == std::vector<double>{1.5, 1.5, 0.5, 0.5, 1.5}));
  CHECK(state.steps == 1 && state.updates == 1);
}

TEST(what_does_not_fit_is_refused) {
  const TextColumn references = column({"b"});
  const std::vector<int64_t> two{0, 1}, outside{0, 9}, none;
  const auto compile = [&](const forest::Forest& forest, const std::vector<int64_t>& columns) {
    return pack_hope_fear_forest(forest, columns, 2, references.view(), kBigrams, forest::RefinementLimits());
  };
  CHECK_THROWS(compile(*words(0), none), InputError);
  CHECK_THROWS(compile(*words(2), none), InputError);
  CHECK_THROWS(compile(*words(2), outside), InputError);
  const auto of_fourgrams = std::make_shared<metrics::BleuScorer>(4, metrics::BleuSmoothing::none, 0.0);
  CHECK_THROWS(HopeFearForests(of_fourgrams, 2, kMemory, ".").add(compile(*words(2), two)), InputError);
  CHECK_THROWS(HopeFearForests(kScorer, 3, kMemory, ".").add(compile(*words(2), two)), InputError);
  CHECK_THROWS(HopeFearForests(std::make_shared<metrics::RatioScorer>(1.0), 2, kMemory, "."), InputError);
  CHECK_THROWS(LinearFinder(std::make_shared<metrics::RatioScorer>(1.0)), InputError);
  const PackedForest<HopeFearForest> packed = compile(*words(2), two);
  const HopeFearForest sentence = packed.view();
  CHECK_THROWS(sentence.best(std::vector<double>(1), {}), InputError);
  CHECK_THROWS(sentence.scores(std::vector<double>(1)), InputError);
  PackedForest<HopeFearForest> given = compile(*words(2), two);
  const PackedArrays taken = std::move(given.arrays);
  CHECK(taken.bytes().size() == packed.arrays.bytes().size());
  CHECK_THROWS(given.view(), InputError);
  const HopeFearForests forests = compiled({0, 1}, 2);
  const std::vector<double> bounds(2, 0.0), few;
  HopeFearState state{{0, 0}, {0, 0}, {1, 1, 1, 1, 1}, 0, 0}, narrow{{0, 0}, {0, 0}, {1}, 0, 0};
  const std::vector<int64_t> order{0}, beyond{1};
  const LinearFinder finder(kScorer);
  CHECK_THROWS(forests.pass(finder, beyond, 1, 1, {bounds, bounds}, 1, state), InputError);
  CHECK_THROWS(forests.pass(finder, order, 1, 1, {few, bounds}, 1, state), InputError);
  CHECK_THROWS(forests.pass(finder, order, 1, 1, {bounds, bounds}, 1, narrow), InputError);
}

}  // namespace tunesmith::objectives::forests::hope_fear_test
