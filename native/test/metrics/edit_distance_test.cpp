#include "tunesmith/metrics/edit_distance.h"

#include <algorithm>
#include <random>

#include "check.h"
#include "tunesmith/metrics/banded_alignment.h"

namespace tunesmith::metrics::edit_distance_test {

using Words = std::vector<int32_t>;

Words random_words(std::mt19937& random, size_t longest, int32_t vocabulary, int32_t lowest) {
  Words words(std::uniform_int_distribution<size_t>(0, longest)(random));
  for (int32_t& word : words) word = std::uniform_int_distribution<int32_t>(lowest, vocabulary - 1)(random);
  return words;
}

/// Textbook dynamic program over the whole matrix.
size_t textbook(const Words& a, const Words& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substitution = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substitution, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

TEST(the_distance_equals_the_textbook_algorithm_for_any_length) {
  std::mt19937 random(1);
  EditDistance distance;
  for (size_t longest : {3, 20, 64, 65, 130, 300})
    for (int trial = 0; trial < 60; ++trial) {
      const int32_t vocabulary = 1 + trial % 9;
      const Words reference = random_words(random, longest, vocabulary, 0);
      const Words hypothesis = random_words(random, longest, vocabulary + 2, -1);
      distance.set_reference(reference);
      CHECK(distance(hypothesis) == textbook(hypothesis, reference));
    }
}

TEST(remembered_words_are_not_computed_again) {
  std::mt19937 random(2);
  EditDistance distance;
  for (int trial = 0; trial < 200; ++trial) {
    const Words reference = random_words(random, 150, 5, 0);
    Words hypothesis = random_words(random, 150, 5, 0);
    distance.set_reference(reference);
    CHECK(distance.remember(hypothesis) == textbook(hypothesis, reference));
    const size_t kept = hypothesis.empty() ? 0 : random() % (hypothesis.size() + 1);
    std::reverse(hypothesis.begin() + kept, hypothesis.end());
    CHECK(distance(hypothesis, kept) == textbook(hypothesis, reference));
  }
}

TEST(the_banded_distance_is_exact_for_few_edits_and_never_too_small) {
  std::mt19937 random(3);
  BandedAlignment banded;
  size_t inside = 0, cut = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Words reference = random_words(random, 90, 30, 0);
    Words hypothesis = reference;
    if (!hypothesis.empty())  // a long block moved across, which the band may not see
      std::rotate(hypothesis.begin(), hypothesis.begin() + random() % hypothesis.size(), hypothesis.end());
    while (!hypothesis.empty() && random() % 4 != 0)
      hypothesis.erase(hypothesis.begin() + random() % hypothesis.size());
    const size_t exact = textbook(hypothesis, reference);
    const auto found = size_t(banded(hypothesis, reference));
    CHECK(found >= exact);
    if (exact <= BandedAlignment::kExactUpTo) CHECK(found == exact);
    ++(exact <= BandedAlignment::kExactUpTo ? inside : cut);
  }
  CHECK(inside > 200);
  CHECK(cut > 200);
}

TEST(the_path_gives_the_aligned_words) {
  BandedAlignment banded;
  const Words hypothesis = {1, 9, 3}, reference = {0, 1, 2, 3};
  CHECK(banded(hypothesis, reference) == 2);
  banded.trace();
  CHECK((banded.aligned() == Words{-1, 0, 1, 2}));
  CHECK((banded.reference_errors() == std::vector<char>{1, 0, 1, 0}));
  CHECK((banded.hypothesis_errors() == std::vector<char>{0, 1, 0}));
}

}  // namespace tunesmith::metrics::edit_distance_test
