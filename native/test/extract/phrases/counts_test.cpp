#include "tunesmith/extract/phrases/counts.h"

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::extract::phrases::counts_test {

PhraseTotals totals() {
  PhraseTotals result{};
  result.max_length = 8;
  result.folds = 4;
  result.source_words = 300001;
  result.targets = 1000;
  result.pairs = 10;
  result.events = 10;
  return result;
}

std::vector<uint8_t> encoded() {
  PhraseCountEncoder encoder(totals().folds);
  const std::vector<int32_t> first{1, 2}, second{300000};
  const std::vector<PhraseEvent> once{{~LinkBits{0}, tables::OrientationSet(3), 3, 1}},
      often{{1, tables::OrientationSet(0), 0, 5}, {2, tables::OrientationSet(0), 1, 1u << 31}},
      twice{{1, tables::OrientationSet(0), 0, 2}};
  encoder.source(first, 2);
  encoder.pair(7, once);
  encoder.pair(999, often);
  encoder.source(second, 1);
  encoder.pair(0, twice);
  return encoder.take();
}

TEST(encoded_counts_are_decoded) {
  const PhraseTotals all = totals();
  const auto bytes = encoded();
  PhraseCountCursor cursor(bytes, all);
  CHECK(cursor.next_source());
  CHECK(cursor.source().size() == 2);
  CHECK(cursor.next_pair());
  CHECK(cursor.events()[0].links == ~LinkBits{0});
  CHECK(cursor.target() == 7);
  CHECK(cursor.events().size() == 1);
  CHECK(cursor.events()[0].fold == 3);
  CHECK(cursor.events()[0].count == 1);
  CHECK(cursor.next_pair());
  CHECK(cursor.target() == 999);
  CHECK(cursor.events().size() == 2);
  CHECK(cursor.events()[1].count == 1u << 31);
  CHECK(!cursor.next_pair());
  CHECK(cursor.next_source());
  CHECK(cursor.source()[0] == 300000);
  CHECK(cursor.next_pair());
  CHECK(cursor.target() == 0);
  CHECK(cursor.events()[0].count == 2);
  CHECK(!cursor.next_source());
}

TEST(counts_of_one_fold_have_no_fold_numbers) {
  PhraseTotals all = totals();
  const std::vector<int32_t> source{1};
  const std::vector<PhraseEvent> events{{1, tables::OrientationSet(0), 0, 1}};
  const auto bytes = [&](uint64_t folds) {
    PhraseCountEncoder encoder(folds);
    encoder.source(source, 1);
    encoder.pair(5, events);
    return encoder.take();
  };
  CHECK(bytes(1).size() + 1 == bytes(4).size());
  all.folds = 1;
  const auto some = bytes(1);
  PhraseCountCursor cursor(some, all);
  CHECK(cursor.next_source());
  CHECK(cursor.next_pair());
  CHECK(cursor.target() == 5);
  CHECK(cursor.events()[0].fold == 0);
  CHECK(cursor.events()[0].count == 1);
}

TEST(target_phrases_that_do_not_increase_are_refused) {
  PhraseCountEncoder encoder(1);
  const std::vector<int32_t> source{1};
  const std::vector<PhraseEvent> events{{1, tables::OrientationSet(0), 0, 1}};
  encoder.source(source, 3);
  encoder.pair(0, events);
  encoder.pair(5, events);
  CHECK_THROWS(encoder.pair(5, events), InputError);
}

TEST(a_target_phrase_that_occurs_twice_is_damage) {
  PhraseTotals all = totals();
  all.folds = 1;
  const std::vector<uint8_t> bytes{1, 1, 2, 5, 0, 1, 0, 0, 0, 1, 0};  // the second target differs by 0
  PhraseCountCursor cursor(bytes, all);
  CHECK(cursor.next_source());
  CHECK(cursor.next_pair());
  CHECK_THROWS(cursor.next_pair(), InputError);
}

TEST(the_rest_of_a_source_phrase_is_skipped) {
  const PhraseTotals all = totals();
  const auto bytes = encoded();
  PhraseCountCursor cursor(bytes, all);
  CHECK(cursor.next_source());
  CHECK(cursor.next_source());
  CHECK(cursor.source().size() == 1);
}

TEST(bytes_that_are_cut_or_changed_are_refused_or_read_but_never_overrun) {
  const PhraseTotals all = totals();
  const auto bytes = encoded();
  const auto read = [&](std::span<const uint8_t> some) {
    PhraseCountCursor cursor(some, all);
    while (cursor.next_source())
      while (cursor.next_pair()) CHECK(cursor.target() < all.targets);
  };
  for (size_t size = 1; size + 1 < bytes.size(); ++size) {
    try {
      read(std::span(bytes).first(size));
    } catch (const InputError&) {
    }
  }
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int value = 0; value < 256; value += 5) {
      auto changed = bytes;
      changed[at] = static_cast<uint8_t>(value);
      try {
        read(changed);
      } catch (const InputError&) {
      }
    }
  CHECK_THROWS(read(std::span(bytes).first(bytes.size() - 1)), InputError);
}

TEST(orientations_out_of_range_are_not_valid) {
  CHECK(tables::OrientationSet(0).valid());
  CHECK(tables::OrientationSet(7u << 15).valid());  // hierarchical, forward
  CHECK(!tables::OrientationSet(5).valid());        // of words, which are never global
  CHECK(!tables::OrientationSet(1u << 18).valid());
}

}  // namespace tunesmith::extract::phrases::counts_test
