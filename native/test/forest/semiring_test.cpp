#include "tunesmith/forest/semiring.h"

#include <memory>
#include <vector>

#include "check.h"
#include "tunesmith/base/splitmix.h"
#include "tunesmith/forest/expectation_semiring.h"
#include "tunesmith/forest/forest.h"
#include "tunesmith/forest/inside_outside.h"

namespace tunesmith::forest::semiring_test {

bool near(double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(a)); }
bool near(const WeightedMean& a, const WeightedMean& b) {
  return near(a.log_weight, b.log_weight) && near(a.mean, b.mean);
}

double number(SplitMix& random) { return (random.uniform() - 0.5) * 40; }

double draw(LogSemiring, SplitMix& random) { return number(random); }
double draw(ViterbiSemiring, SplitMix& random) { return number(random); }
double draw(MostSemiring, SplitMix& random) { return number(random); }
double draw(CountSemiring, SplitMix& random) { return random.below(1000); }
WeightedMean draw(ExpectationSemiring, SplitMix& random) { return {number(random), number(random)}; }

/// Checks the laws on values drawn at random, among them zero, one and sums and products of others.
template <class S>
void check_laws() {
  SplitMix random(7, 1);
  using Value = typename S::Value;
  const auto value = [&]() -> Value {
    switch (random.below(6)) {
      case 0:
        return S::zero();
      case 1:
        return S::one();
      case 2:
        return S::plus(draw(S(), random), draw(S(), random));
      case 3:
        return S::times(draw(S(), random), draw(S(), random));
      default:
        return draw(S(), random);
    }
  };
  for (int trial = 0; trial < 2000; ++trial) {
    const Value a = value(), b = value(), c = value();
    CHECK(near(S::plus(S::plus(a, b), c), S::plus(a, S::plus(b, c))));
    CHECK(near(S::plus(a, b), S::plus(b, a)));
    CHECK(S::plus(a, S::zero()) == a);
    CHECK(S::plus(S::zero(), a) == a);
    CHECK(near(S::times(S::times(a, b), c), S::times(a, S::times(b, c))));
    CHECK(near(S::times(a, b), S::times(b, a)));
    CHECK(S::times(a, S::one()) == a);
    CHECK(S::times(S::one(), a) == a);
    CHECK(S::times(a, S::zero()) == S::zero());
    CHECK(S::times(S::zero(), a) == S::zero());
    CHECK(near(S::times(a, S::plus(b, c)), S::plus(S::times(a, b), S::times(a, c))));
    CHECK(near(S::times(S::plus(a, b), c), S::plus(S::times(a, c), S::times(b, c))));
  }
}

/// Lists of derivations, which cannot be copied: the free semiring, whose times does not commute.
struct ListSemiring {
  using Value = std::unique_ptr<std::vector<std::vector<uint32_t>>>;
  static Value zero() { return std::make_unique<std::vector<std::vector<uint32_t>>>(); }
  static Value plus(Value a, Value b) {
    a->insert(a->end(), b->begin(), b->end());
    return a;
  }
  static Value times(Value a, const Value& b) {
    Value result = zero();
    for (const auto& left : *a)
      for (const auto& right : *b) {
        result->push_back(left);
        result->back().insert(result->back().end(), right.begin(), right.end());
      }
    return result;
  }
};

/// Node 0 has edges 0 and 1, node 1 edge 2 with the tails 0 and 0.
Forest doubling() {
  ForestArrays arrays;
  arrays.edge_offsets = {0, 2, 3};
  arrays.tails = {{0, 0, 0, 2}, {0, 0}};
  arrays.edge_rules = {0, 0, 1};
  arrays.spans.resize(3);
  arrays.features.offsets = {0, 0, 0, 0};
  arrays.rules.sources.offsets = {0, 0, 0};
  arrays.rules.targets = {{0, 0, 2}, {-1, -2}};
  arrays.rules.links.offsets = {0, 0, 0};
  arrays.rules.features.offsets = {0, 0, 0};
  arrays.rules.ids = {-1, -1};
  return {std::move(arrays), std::make_shared<ForestNames>()};
}

static_assert(Hypergraph<Forest> && Hypergraph<HypergraphView>);

TEST(sums_of_logs_are_a_semiring) { check_laws<LogSemiring>(); }
TEST(best_scores_are_a_semiring) { check_laws<ViterbiSemiring>(); }
TEST(the_most_of_counts_are_a_semiring) { check_laws<MostSemiring>(); }
TEST(counts_are_a_semiring) { check_laws<CountSemiring>(); }
TEST(expectations_are_a_semiring) { check_laws<ExpectationSemiring>(); }

TEST(expectations_are_those_of_weights_and_weighted_values) {
  // Eisner's pair is (p, p r): plus adds both parts, times is (p q, p q (r + s)).
  SplitMix random(9, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const double p = random.uniform(), q = random.uniform(), r = number(random), s = number(random);
    const WeightedMean a{std::log(p), r}, b{std::log(q), s};
    const WeightedMean sum = ExpectationSemiring::plus(a, b), product = ExpectationSemiring::times(a, b);
    CHECK_NEAR(std::exp(sum.log_weight), p + q, 1e-12);
    CHECK_NEAR(std::exp(sum.log_weight) * sum.mean, p * r + q * s, 1e-9);
    CHECK_NEAR(std::exp(product.log_weight), p * q, 1e-12);
    CHECK_NEAR(std::exp(product.log_weight) * product.mean, p * q * (r + s), 1e-9);
  }
}

TEST(counts_that_grow_without_bound_stay_finite) {
  using S = MostSemiring;
  CHECK(S::times(S::kMost, S::kMost) == S::kMost);
  CHECK(S::times(-S::kMost, -1) == -S::kMost);
  CHECK(S::times(S::zero(), S::kMost) == S::zero());
}

TEST(big_values_are_moved_through_the_recursion) {
  const auto beta = inside<ListSemiring>(doubling(), [](uint32_t edge) {
    auto list = ListSemiring::zero();
    list->push_back({edge});
    return list;
  });
  const std::vector<std::vector<uint32_t>> expected{{2, 0, 0}, {2, 0, 1}, {2, 1, 0}, {2, 1, 1}};
  CHECK(*beta.back() == expected);
}

TEST(a_packed_forest_runs_the_same_recursion) {
  const Forest forest = doubling();
  const HypergraphView view{forest.arrays().edge_offsets,
                            {forest.arrays().tails.offsets, forest.arrays().tails.values}};
  const auto value = [](uint32_t edge) { return 0.3 * edge; };
  const auto beta = inside<LogSemiring>(forest, value);
  CHECK(inside<LogSemiring>(view, value) == beta);
  CHECK((outside<LogSemiring>(view, value, beta) == outside<LogSemiring>(forest, value, beta)));
}

TEST(a_tail_that_repeats_is_its_own_sibling) {
  const Forest forest = doubling();
  const auto one = [](uint32_t) { return 1.0; };
  const auto beta = inside<CountSemiring>(forest, one);
  const auto alpha = outside<CountSemiring>(forest, one, std::span<const double>(beta));
  CHECK(beta == (std::vector<double>{2, 4}));
  CHECK(alpha == (std::vector<double>{4, 1}));
}

}  // namespace tunesmith::forest::semiring_test
