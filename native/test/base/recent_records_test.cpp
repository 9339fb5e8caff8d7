#include "tunesmith/base/recent_records.h"

#include <array>

#include "check.h"

namespace tunesmith::recent_records_test {

using Record = std::array<uint32_t, 2>;

TEST(equal_records_share_a_number_and_others_do_not) {
  RecentRecords<Record> records;
  CHECK(records.number({1, 2}) == 0);
  CHECK(records.number({2, 1}) == 1);
  CHECK(records.number({1, 2}) == 0);
  CHECK(records.number({0, 0}) == 2);  // an unused slot does not match
  CHECK(records.records().size() == 3);
}

TEST(each_number_leads_to_its_record_though_many_are_forgotten) {
  RecentRecords<Record> records;
  const uint32_t distinct = 3 * RecentRecords<Record>::kRecent;
  for (int round = 0; round < 2; ++round)
    for (uint32_t i = 0; i < distinct; ++i) {
      const Record record{i, i * i};
      const uint32_t number = records.number(record);
      CHECK(records.records()[number] == record);
    }
  CHECK(records.records().size() >= distinct);
  CHECK(records.records().size() < 2 * distinct);
}

}  // namespace tunesmith::recent_records_test
