#include "tunesmith/base/short_offsets.h"

#include "check.h"

namespace tunesmith::short_offsets_test {

ShortOffsets::Writer written() {
  ShortOffsets::Writer writer;
  for (size_t i = 0; i < 50; ++i) writer.add(i * 7 % 256);
  return writer;
}

TEST(sequences_begin_where_the_one_before_ends) {
  const auto writer = written();
  const ShortOffsets offsets(writer.lengths, writer.starts, writer.total);
  CHECK(offsets.size() == 50);
  size_t end = 0;
  for (size_t i = 0; i < offsets.size(); ++i) {
    CHECK(offsets.begin(i) == end);
    CHECK(offsets.length(i) == i * 7 % 256);
    end += offsets.length(i);
  }
  CHECK(end == writer.total);
}

TEST(no_sequences_have_no_offsets) { CHECK(ShortOffsets({}, {}, 0).size() == 0); }

TEST(offsets_that_do_not_fit_are_refused) {
  auto writer = written();
  CHECK_THROWS(writer.add(256), InputError);
  CHECK_THROWS(ShortOffsets(writer.lengths, writer.starts, writer.total + 1), InputError);
  CHECK_THROWS(ShortOffsets(writer.lengths, std::span(writer.starts).first(3), writer.total), InputError);
  --writer.lengths[20];
  CHECK_THROWS(ShortOffsets(writer.lengths, writer.starts, writer.total - 1), InputError);
}

}  // namespace tunesmith::short_offsets_test
