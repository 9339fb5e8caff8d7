#include "tunesmith/align/hmm.h"

#include <random>

#include "check.h"

namespace tunesmith::align::hmm_test {

/// Sentences of chosen lengths over a small vocabulary.
struct Text {
  Text(std::mt19937& random, const std::vector<size_t>& lengths) {
    for (const size_t length : lengths) {
      for (size_t i = 0; i < length; ++i) words.push_back(static_cast<int32_t>(random() % 6));
      offsets.push_back(static_cast<int64_t>(words.size()));
    }
  }
  std::vector<int32_t> words;
  std::vector<int64_t> offsets{0};
  corpus::Sentences view() const { return {words, offsets}; }
};

TEST(short_and_long_pairs_train_the_same_with_any_number_of_threads) {
  std::mt19937 random(9);
  const Text source(random, {1, 5, 256, 257, 0, 3, 2000, 1, 40}),
      target(random, {1, 9, 256, 30, 4, 0, 1500, 256, 2});
  BothWays<double> first;
  std::vector<double> weights;
  BothWays<PairLinks> links;
  for (const int threads : {1, 3}) {
    LexicalTable table(PairTable(source.view(), target.view(), 6, 6, threads));
    PairCells cells(table.pairs, source.view(), target.view());
    LexicalCounts counts(table.pairs, 10000);
    HmmModel model;
    BothWays<double> likelihood;
    for (int iteration = 0; iteration < 3; ++iteration) {
      BothWays<JumpCounts> jumps;
      likelihood = expect_hmm(cells, table, model, iteration == 1, counts, jumps, threads);
      model.widths.forward = update_jumps(model.widths.forward, jumps.forward, 1.0 / counts.one(), 4);
      model.widths.reverse = update_jumps(model.widths.reverse, jumps.reverse, 1.0 / counts.one(), 4);
      maximize(table, counts, {}, threads);
    }
    const auto found = decode_hmm(cells, table, model, threads);
    if (threads == 1) {
      first = likelihood;
      weights = model.widths.forward.weights();
      links = found;
    }
    CHECK(likelihood.forward == first.forward && likelihood.reverse == first.reverse);
    CHECK(model.widths.forward.weights() == weights);
    CHECK(found.forward == links.forward && found.reverse == links.reverse);
    for (size_t pair = 0; pair < source.view().size(); ++pair)
      for (const corpus::Link link : found.forward[pair]) {
        CHECK(link.source >= 0 && static_cast<size_t>(link.source) < source.view()[pair].size());
        CHECK(link.target >= 0 && static_cast<size_t>(link.target) < target.view()[pair].size());
      }
  }
}

TEST(posteriors_of_a_word_and_of_no_partner_sum_to_one) {
  std::mt19937 random(10);
  std::uniform_real_distribution<float> uniform(0.001F, 1);
  const JumpWidths widths;
  HmmPass pass(widths, 0.3);
  for (const size_t states : {1, 2, 17, 256}) {
    pass.resize(states, 20);
    for (float& each : pass.emissions) each = uniform(random);
    for (float& each : pass.none) each = uniform(random);
    pass.posteriors();
    for (size_t t = 0; t < 20; ++t) {
      double sum = static_cast<double>(pass.none_posteriors[t]);
      for (size_t i = 0; i < states; ++i)
        sum += static_cast<double>(pass.position_posteriors[t * states + i]);
      CHECK_NEAR(sum, 1.0, 1e-4);
      CHECK(pass.none_posteriors[t] > 0);
    }
    HmmPass::Jumps jumps;
    pass.count(jumps);
    double made = 0, from = 0, linked = 0;
    for (const double each : jumps.jumps) made += each;
    for (const double each : jumps.starts) made += each;
    for (const double each : jumps.from) from += each;
    for (const double each : jumps.from_start) from += each;
    for (const float each : pass.position_posteriors) linked += static_cast<double>(each);
    CHECK_NEAR(made, linked, 1e-2);  // every aligned word was reached by a jump
    CHECK_NEAR(from, linked, 1e-2);
  }
}

TEST(impossible_words_do_not_break_the_scaling) {
  const JumpWidths widths;
  HmmPass pass(widths, 0.08);
  pass.resize(200, 200);
  std::fill(pass.emissions.begin(), pass.emissions.end(), kLeastProbability);
  std::fill(pass.none.begin(), pass.none.end(), kLeastProbability);
  const double likelihood = pass.posteriors();
  CHECK(std::isfinite(likelihood));
  for (const float each : pass.position_posteriors) CHECK(std::isfinite(each));
  CHECK(pass.best_path().size() == 200);
}

}  // namespace tunesmith::align::hmm_test
