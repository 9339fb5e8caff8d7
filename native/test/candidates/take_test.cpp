#include "tunesmith/candidates/take.h"

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::candidates::take_test {

TEST(columns_are_renumbered) {
  const std::vector<int64_t> offsets{0, 2, 3};
  const std::vector<int32_t> columns{0, 2, 1}, numbers{3, 1, 0};
  const std::vector<double> values{5, 6, 7};
  const CsrArrays rows = renumber({offsets, columns, values, 3}, numbers, 2);
  CHECK((rows.offsets == std::vector<int64_t>{0, 3, 5}));
  CHECK((rows.columns == std::vector<int32_t>{0, 1, 3, 0, 1}));
  CHECK((rows.values == std::vector<double>{6, 0, 5, 0, 7}));
  CHECK_THROWS(renumber({offsets, columns, values, 3}, std::vector<int32_t>{3, -1, 0}, 0), InputError);
  CHECK_THROWS(renumber({offsets, columns, values, 3}, std::vector<int32_t>{3}, 0), InputError);
}

TEST(rows_are_taken_in_any_order) {
  TextColumn column;
  for (const char* text : {"a", "b", "a"}) column.add(text);
  const TextColumn texts = take_texts(column.view(), std::vector<int64_t>{2, 1, 1});
  CHECK(texts[0] == "a" && texts[2] == "b");
  const std::vector<int64_t> offsets{0, 1, 2, 3}, wrong{0, 1, 4, 3};
  const std::vector<int32_t> columns{0, 0, 0};
  const std::vector<double> values{1, 2, 1}, others{7, 8, 9};
  const Csr one{offsets, columns, values, 1}, other{offsets, columns, others, 1};
  const CsrArrays rows = take_rows({one, other}, std::vector<int64_t>{4, 1, 3});
  CHECK((rows.values == std::vector<double>{8, 2, 7}));
  CHECK_THROWS(take_rows({one, other}, std::vector<int64_t>{6}), InputError);
  CHECK_THROWS(take_rows({{wrong, columns, values, 1}}, std::vector<int64_t>{1}), InputError);
  CHECK_THROWS(take_texts(column.view(), std::vector<int64_t>{3}), InputError);
  CHECK_THROWS(take_texts(column.view(), std::vector<int64_t>{-1}), InputError);
}

}  // namespace tunesmith::candidates::take_test
