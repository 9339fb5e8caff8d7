#include "tunesmith/align/pair_cells.h"

#include <mutex>
#include <random>
#include <set>

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::align::pair_cells_test {

struct Text {
  std::vector<int32_t> words;
  std::vector<int64_t> offsets{0};
  corpus::Sentences view() const { return {words, offsets}; }
};

Text random_text(std::mt19937& random, size_t sentences, int32_t vocabulary, int32_t least) {
  Text text;
  for (size_t s = 0; s < sentences; ++s) {
    for (auto length = random() % 7; length > 0; --length)
      text.words.push_back(least +
                           static_cast<int32_t>(random() % static_cast<uint32_t>(vocabulary - least)));
    text.offsets.push_back(static_cast<int64_t>(text.words.size()));
  }
  return text;
}

struct Collect {
  const PairCells& cells;
  const PairTable& table;
  std::mutex& lock;
  std::multiset<size_t>& visited;
  void operator()(size_t pair, std::span<const uint32_t> found) {
    const auto source = cells.source()[pair], target = cells.target()[pair];
    CHECK(found.size() == source.size() * target.size());
    for (size_t i = 0; i < source.size(); ++i)
      for (size_t j = 0; j < target.size(); ++j)
        CHECK(found[i * target.size() + j] == table.find(source[i], target[j]));
    const std::scoped_lock hold(lock);
    visited.insert(pair);
  }
  void finish() {}
};

TEST(a_table_has_the_pairs_that_co_occur_and_no_others) {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    const Text source = random_text(random, 12, 9, -1), target = random_text(random, 12, 8, -1);
    const PairTable table(source.view(), target.view(), 9, 8, 1 + round % 3);
    std::set<std::pair<int32_t, int32_t>> met;
    for (size_t s = 0; s < 12; ++s)
      for (const int32_t e : source.view()[s])
        for (const int32_t f : target.view()[s])
          if (e >= 0 && f >= 0) met.insert({e, f});
    CHECK(table.size() == met.size());
    for (int32_t e = 0; e < 9; ++e)
      for (int32_t f = 0; f < 8; ++f) CHECK((table.find(e, f) < table.size()) == met.contains({e, f}));
    CHECK(table.find(-1, 0) == table.half_unknown());
    CHECK(table.find(0, -1) == table.half_unknown());
    CHECK(table.find(-1, -1) == table.unknown());
  }
}

TEST(cells_of_any_text_equal_single_look_ups) {
  std::mt19937 random(6);
  for (int round = 0; round < 20; ++round) {
    const Text source = random_text(random, 30, 40, 0), target = random_text(random, 30, 50, 0);
    const PairTable table(source.view(), target.view(), 40, 50, 2);
    // With one sentence bisection is cheaper, with many expanding a row is.
    const size_t sentences = round % 2 == 0 ? 1 : 400;
    const Text other = random_text(random, sentences, 40, -1),
               translated = random_text(random, sentences, 50, -1);
    PairCells cells(table, other.view(), translated.view());
    std::mutex lock;
    std::multiset<size_t> visited;
    cells.visit(3, [&] { return Collect{cells, table, lock, visited}; });
    std::multiset<size_t> expected;
    for (size_t s = 0; s < sentences; ++s)
      if (has_cells(other.view(), translated.view(), s)) expected.insert(s);
    CHECK(visited == expected);
  }
}

TEST(words_outside_of_the_vocabulary_and_damaged_tables_are_refused) {
  const Text source{{0, 1}, {0, 2}}, target{{0, 7}, {0, 2}};
  const PairTable table({0, 1, 1}, {1}, 2);
  CHECK_THROWS(PairCells(table, source.view(), target.view()), InputError);
  CHECK_THROWS(PairTable({0, 2}, {1, 1}, 2), InputError);
  CHECK_THROWS(PairTable({0, 2}, {1, 0}, 2), InputError);
  CHECK_THROWS(PairTable({0, 1}, {2}, 2), InputError);
  CHECK_THROWS(PairTable({0, 1}, {-1}, 2), InputError);
  CHECK_THROWS(PairTable({0, 3}, {0}, 2), InputError);
}

}  // namespace tunesmith::align::pair_cells_test
