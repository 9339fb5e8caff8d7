// Statistics functions on texts small enough to count by hand, and on several threads.
#include <string>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/metrics/bleu.h"
#include "tunesmith/metrics/chrf.h"
#include "tunesmith/metrics/edit_distance.h"
#include "tunesmith/metrics/ter.h"

namespace tunesmith::metrics::statistics_test {

/// Owns the memory of a Texts.
struct Lines {
  std::string blob;
  std::vector<int64_t> offsets{0};

  explicit Lines(const std::vector<std::string>& lines) {
    for (const auto& line : lines) {
      blob += line;
      offsets.push_back(int64_t(blob.size()));
    }
  }
  Texts view() const { return {blob, offsets}; }
};

const std::vector<int64_t> kOneList = {0, 1};

TEST(bleu_clips_matches_to_the_largest_count_in_a_reference) {
  const Lines hypothesis({"the the the cat"}), first({"the cat"}), second({"the the dog sat"});
  std::vector<double> stats(5);
  bleu_stats(hypothesis.view(), kOneList, {first.view(), second.view()}, {2, ReferenceLength::closest}, 1,
             stats);
  CHECK((stats == std::vector<double>{3, 4, 2, 3, 4}));
  bleu_stats(hypothesis.view(), kOneList, {first.view(), second.view()}, {2, ReferenceLength::average}, 1,
             stats);
  CHECK(stats[4] == 3);
  CHECK_THROWS(
      bleu_stats(hypothesis.view(), kOneList, {first.view()}, {0, ReferenceLength::closest}, 1, stats),
      InputError);
}

TEST(chrf_counts_characters_without_spaces_and_words_without_punctuation) {
  const Lines hypothesis({"ab, \u00fc"}), reference({"ab \u00fcb"});
  ChrfOptions options;
  options.char_order = 2;
  options.word_order = 1;
  std::vector<double> stats(9);
  chrf_stats(hypothesis.view(), kOneList, {reference.view()}, options, 1, stats);
  // characters a b , u | a b u b; pairs ab b, ,u | ab bu ub; words ab , u | ab ub
  CHECK((stats == std::vector<double>{4, 4, 3, 3, 3, 1, 3, 2, 1}));
}

TEST(a_shift_costs_one_edit) {
  const Lines hypothesis({"c d e a b"}), reference({"a b c d e"});
  std::vector<double> stats(2);
  ter_stats(hypothesis.view(), kOneList, {reference.view()}, 1, stats);
  CHECK((stats == std::vector<double>{1, 5}));
  wer_stats(hypothesis.view(), kOneList, {reference.view()}, 1, stats);
  CHECK((stats == std::vector<double>{4, 5}));
}

TEST(statistics_do_not_depend_on_threads) {
  std::vector<std::string> left, right;
  std::vector<int64_t> lists{0};
  for (int i = 0; i < 500; ++i) {
    left.push_back(std::to_string(i % 7) + " x " + std::to_string(i % 5) + " y z");
    right.push_back("x z y " + std::to_string(i % 3));
    lists.push_back(i + 1);
  }
  const Lines hypotheses(left), references(right);
  std::vector<double> one(1000), three(1000);
  ter_stats(hypotheses.view(), lists, {references.view()}, 1, one);
  ter_stats(hypotheses.view(), lists, {references.view()}, 3, three);
  CHECK(one == three);
}

}  // namespace tunesmith::metrics::statistics_test
