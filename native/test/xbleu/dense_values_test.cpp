#include "tunesmith/xbleu/dense_values.h"

#include "check.h"
#include "tunesmith/base/errors.h"

namespace {

using namespace tunesmith;
using namespace tunesmith::xbleu;

constexpr size_t kFeatures = 4, kCandidates = 40;

/// A feature that never varies, one of two values, one of many, and another that never varies.
DenseValues some_values() {
  std::vector<double> values;
  for (size_t e = 0; e < kCandidates; ++e) {
    const auto number = static_cast<double>(e);
    values.insert(values.end(), {0.1, -7.0 + static_cast<double>(e % 2), number * number / 3, 5.0});
  }
  return dense_differences(values, kFeatures);
}

TEST(only_features_that_vary_are_kept_as_differences) {
  const DenseValues found = some_values();
  CHECK((found.columns == std::vector<uint16_t>{1, 2}));
  CHECK(found.values.size() == 2 * kCandidates);
  for (size_t e = 0; e < kCandidates; ++e) {
    const auto number = static_cast<double>(e);
    CHECK(found.row(0, kCandidates)[e] == static_cast<float>(e % 2));
    CHECK(found.row(1, kCandidates)[e] == static_cast<float>(number * number / 3));
  }
}

TEST(differences_of_rounding_are_none) {
  const std::vector<double> values = {0.1 + 0.2, 0.3};
  CHECK(values[0] != values[1]);
  CHECK(dense_differences(values, 1).columns.empty());
}

TEST(packed_values_come_back_and_few_different_ones_take_a_byte) {
  const DenseValues values = some_values();
  std::vector<uint8_t> bytes;
  append_packed(values, kCandidates, bytes);
  const DenseValues found = unpacked(bytes, kCandidates, kFeatures);
  CHECK(found.columns == values.columns && found.values == values.values);
  CHECK(bytes.size() == 1 + (2 + 2 * 4 + 39) + (2 + 4 * 39));
}

TEST(bytes_that_are_not_those_of_the_list_are_refused) {
  std::vector<uint8_t> bytes;
  append_packed(some_values(), kCandidates, bytes);
  CHECK_THROWS(unpacked(bytes, kCandidates + 1, kFeatures), InputError);
  CHECK_THROWS(unpacked(bytes, kCandidates - 1, kFeatures), InputError);
  CHECK_THROWS(unpacked(bytes, kCandidates, 2), InputError);
  CHECK_THROWS(unpacked({}, kCandidates, kFeatures), InputError);
  for (const size_t at : {size_t{0}, size_t{1}, size_t{2}, size_t{20}}) {
    std::vector<uint8_t> damaged(bytes);
    damaged[at] = 3;
    CHECK_THROWS(unpacked(damaged, kCandidates, kFeatures), InputError);
  }
  std::vector<uint8_t> infinite(bytes);
  infinite[5] = 0x80;
  infinite[6] = 0x7f;
  CHECK_THROWS(unpacked(infinite, kCandidates, kFeatures), InputError);
}

}  // namespace
