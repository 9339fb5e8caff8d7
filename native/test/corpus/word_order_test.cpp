#include "tunesmith/corpus/word_order.h"

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::corpus::word_order_test {

TEST(blocks_tile_the_source_and_overlap_on_no_side) {
  const std::vector<Link> links{{1, 3}, {1, 4}, {3, 0}, {4, 2}, {5, 1}};
  CHECK(minimal_blocks(7, links) ==
        (std::vector<OrderBlock>{{0, 3, 3, 5}, {3, 4, 0, 1}, {4, 5, 2, 3}, {5, 7, 1, 2}}));
  CHECK(minimal_blocks(3, {}).empty());
}

TEST(links_that_cross_within_a_word_join_their_blocks) {
  const std::vector<Link> links{{0, 0}, {0, 2}, {1, 1}};
  CHECK(minimal_blocks(2, links) == (std::vector<OrderBlock>{{0, 2, 0, 3}}));
}

TEST(links_outside_of_their_sentences_are_refused) {
  const std::vector<Link> links{{2, 0}};
  const std::vector<int64_t> offsets{0, 1}, lengths{0, 2};
  const std::vector<int32_t> words{0, 0};
  CHECK_THROWS(measure_word_order({links, offsets}, {words, lengths}, {words, lengths}, 1), InputError);
}

}  // namespace tunesmith::corpus::word_order_test
