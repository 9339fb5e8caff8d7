#include "tunesmith/align/lexical_table.h"

#include <cmath>

#include "check.h"
#include "tunesmith/align/exp_digamma.h"

namespace tunesmith::align::lexical_table_test {

TEST(exp_digamma_satisfies_the_recurrence_and_the_known_values) {
  const double euler = 0.57721566490153286;
  CHECK_NEAR(exp_digamma(1), std::exp(-euler), 1e-10);
  CHECK_NEAR(exp_digamma(0.5), std::exp(-euler) / 4, 1e-10);
  for (double x = 0.02; x < 1e6; x *= 1.7)  // psi(x + 1) = psi(x) + 1 / x
    CHECK_NEAR(exp_digamma(x + 1) / (exp_digamma(x) * std::exp(1 / x)), 1.0, 1e-9);
}

TEST(probabilities_are_ratios_of_counts_and_sum_to_one) {
  // Source word 0 occurs with targets 0, 1, 2; word 1 with target 1; word 2 with target 2, but is not
  // counted.
  LexicalTable table(PairTable({0, 3, 4, 5}, {0, 1, 2, 1, 2}, 3));
  LexicalCounts counts(table.pairs, 100);
  const float forward[] = {1, 2, 5, 4, 0}, reverse[] = {3, 1, 1, 3, 0};
  for (size_t k = 0; k < 5; ++k) counts.pairs[k] = {counts.fixed(forward[k]), counts.fixed(reverse[k])};
  counts.null_forward[1] = counts.fixed(0.5F);
  maximize(table, counts, {false, 0}, 2);
  CHECK_NEAR(table.probabilities[0].forward, 1 / 8.0, 1e-6);
  CHECK_NEAR(table.probabilities[2].forward, 5 / 8.0, 1e-6);
  CHECK_NEAR(table.probabilities[3].forward, 1.0, 1e-6);
  CHECK_NEAR(table.probabilities[4].forward, 1.0, 1e-6);  // uniform: no counts
  CHECK_NEAR(table.probabilities[1].reverse, 1 / 4.0, 1e-6);
  CHECK_NEAR(table.probabilities[3].reverse, 3 / 4.0, 1e-6);
  CHECK_NEAR(table.null_forward[1], 1.0, 1e-6);
  CHECK(counts.pairs[0].forward == 0);
  CHECK(counts.null_forward[1] == 0);
}

TEST(variational_bayes_takes_more_from_small_counts) {
  LexicalTable table(PairTable({0, 2}, {0, 1}, 2));
  LexicalCounts counts(table.pairs, 100);
  counts.pairs[0].forward = counts.fixed(8);
  counts.pairs[1].forward = counts.fixed(0.25F);
  maximize(table, counts, {true, 0.01}, 1);
  const double total = exp_digamma(8.27);
  CHECK_NEAR(table.probabilities[0].forward, exp_digamma(8.01) / total, 1e-6);
  CHECK_NEAR(table.probabilities[1].forward, exp_digamma(0.26) / total, 1e-6);
  CHECK(table.probabilities[1].forward < 0.25F / 8.25F);
}

}  // namespace tunesmith::align::lexical_table_test
