#include "tunesmith/base/external_sort.h"

#include <map>
#include <random>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/lm/records.h"

namespace tunesmith::external_sort_test {

using Record = lm::CountedNgram<1>;
using Other = lm::ValuedNgram<1>;

std::map<uint64_t, uint64_t> sort_and_read(size_t memory, size_t chunk, int threads, size_t records) {
  MemoryBudget budget(memory);
  ExternalSort<Record> sort({budget, "/tmp", chunk, threads});
  std::mt19937_64 random(3);
  for (size_t i = 0; i < records; ++i) sort.add({{{random() % 500}}, 1 + i % 3});
  sort.finish();
  std::map<uint64_t, uint64_t> found;
  for (int pass = 0; pass < 2; ++pass) {  // it can be read again
    found.clear();
    auto reader = sort.read();
    bool first = true;
    uint64_t previous = 0;
    for (Record record; reader.next(record);) {
      CHECK(first || previous < record.key.parts[0]);
      first = false;
      previous = record.key.parts[0];
      found[previous] = record.count;
    }
  }
  return found;
}

TEST(records_are_sorted_and_equal_keys_combined_under_any_memory_budget) {
  constexpr size_t kRecords = 20000;
  std::map<uint64_t, uint64_t> expected;
  std::mt19937_64 random(3);
  for (size_t i = 0; i < kRecords; ++i) expected[random() % 500] += 1 + i % 3;
  for (size_t memory : {size_t{0}, size_t{5000}, size_t{1} << 30})
    for (int threads : {1, 3}) CHECK(sort_and_read(memory, 1024, threads, kRecords) == expected);
  CHECK(sort_and_read(0, 0, 1, kRecords) == expected);  // more runs than are merged at once
}

TEST(the_radix_sort_equals_a_comparison_sort_and_is_stable) {
  std::mt19937_64 random(5);
  for (const uint64_t mask : {~uint64_t{0}, uint64_t{0x8000'0000'0000'0001}, uint64_t{0xff00}, uint64_t{0}}) {
    std::vector<lm::ValuedNgram<2>> records(30000);
    double number = 0;
    for (auto& record : records) record = {{{random() & mask, random() % 3 ? random() & mask : 7}}, ++number};
    auto expected = records;
    std::stable_sort(expected.begin(), expected.end(), [](auto& a, auto& b) { return a.key < b.key; });
    radix_sort(records);
    for (size_t i = 0; i < records.size(); ++i)
      CHECK(records[i].key == expected[i].key && records[i].value == expected[i].value);
  }
}

TEST(sorting_no_records_reads_none) { CHECK(sort_and_read(1 << 20, 1024, 2, 0).empty()); }

TEST(memory_returns_to_its_budget) {
  MemoryBudget budget(1 << 20);
  {
    ExternalSort<Record> sort({budget, "/tmp", 4096});
    for (uint64_t i = 0; i < 3000; ++i) sort.add({{{i}}, 1});
    sort.finish();
    CHECK(!budget.take(1 << 20));
  }
  CHECK(budget.take(1 << 20));
}

TEST(a_spool_returns_its_records_under_any_memory_budget) {
  for (size_t memory : {size_t{0}, size_t{3000}, size_t{1} << 30}) {
    MemoryBudget budget(memory);
    Spool<Other> spool({budget, "/tmp", 1024});
    for (uint64_t i = 0; i < 1000; ++i) spool.add({{{i}}, double(i)});
    spool.finish();
    uint64_t expected = 0;
    for (Spool<Other>::Reader reader(spool); reader.head() != nullptr; reader.advance())
      CHECK(reader.head()->key.parts[0] == expected++);
    CHECK(expected == 1000);
  }
}

TEST(a_folder_that_does_not_exist_is_an_error) { CHECK_THROWS(TemporaryFile("/nowhere"), InputError); }

}  // namespace tunesmith::external_sort_test
