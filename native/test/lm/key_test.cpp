#include "tunesmith/lm/key.h"

#include <random>
#include <vector>

#include "check.h"

namespace tunesmith::lm::key_test {

/// Random n-grams, oldest word first, with words up to the largest that fits.
template <int Parts>
std::vector<std::vector<uint32_t>> draw(const KeyLayout<Parts>& layout, int n) {
  std::mt19937_64 random(7);
  std::vector<std::vector<uint32_t>> ngrams(200);
  for (auto& ngram : ngrams)
    for (int i = 0; i < n; ++i)
      ngram.push_back(
          static_cast<uint32_t>(random() % 4 == 0 ? random() % layout.word_limit() : random() % 3));
  return ngrams;
}

template <int Parts>
NgramKey<Parts> suffix_key(const KeyLayout<Parts>& layout, const std::vector<uint32_t>& ngram) {
  NgramKey<Parts> key;
  const int n = static_cast<int>(ngram.size());
  for (int i = 0; i < n; ++i) key = layout.with_field(key, i, ngram[n - 1 - i]);
  return key;
}

template <int Parts>
void check_layout(int order, int n) {
  const KeyLayout<Parts> layout(order);
  const auto ngrams = draw(layout, n);
  for (const auto& a : ngrams) {
    const auto key = suffix_key(layout, a);
    for (int i = 0; i < n; ++i) CHECK(layout.field(key, i) == a[n - 1 - i]);
    CHECK(layout.prefix(key, n) == key);
    if (n > 1) CHECK(layout.to_suffix_order(layout.to_context_order(key, n), n) == key);
    for (const auto& b : ngrams) {
      const auto other = suffix_key(layout, b);
      const std::vector<uint32_t> ra(a.rbegin(), a.rend()), rb(b.rbegin(), b.rend());
      CHECK((key < other) == (ra < rb));
      int same = 0;
      while (same < n && ra[same] == rb[same]) ++same;
      CHECK(layout.common(key, other) >= same);
      if (same < n) CHECK(layout.common(key, other) == same);
      if (n < 2) continue;
      std::vector<uint32_t> ca(ra.begin() + 1, ra.end()), cb(rb.begin() + 1, rb.end());
      ca.push_back(ra[0]);
      cb.push_back(rb[0]);
      CHECK((layout.to_context_order(key, n) < layout.to_context_order(other, n)) == (ca < cb));
    }
  }
}

TEST(keys_hold_words_and_sort_as_their_n_grams_do) {
  check_layout<1>(1, 1);
  check_layout<1>(2, 2);
  for (int order = 3; order <= 5; ++order)
    for (int n = 1; n <= order; ++n) check_layout<2>(order, n);
  for (int n = 1; n <= 6; ++n) check_layout<3>(6, n);
}

TEST(a_word_that_follows_pushes_the_oldest_one_out) {
  const KeyLayout<2> layout(3);
  const auto key = layout.followed_by(suffix_key(layout, {5, 6, 7}), 8);
  CHECK(key == suffix_key(layout, {6, 7, 8}));
}

TEST(no_key_of_words_is_the_highest) {
  const KeyLayout<1> layout(2);
  const auto last = static_cast<uint32_t>(layout.word_limit() - 1);
  CHECK(suffix_key(layout, {last, last}) < NgramKey<1>::highest());
}

}  // namespace tunesmith::lm::key_test
