// LSD radix sort of records by keys of several machine words.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace tunesmith {

/// Sorts records by `key.parts`, most significant part first: stable distribution passes over 11-bit digits,
/// lowest first (Knuth, volume 3, 5.2.5). Bits that all keys share are skipped, so that keys of small word
/// numbers need few passes. About half the time of a comparison sort on chunks of natural text.
template <class Record>
void radix_sort(std::vector<Record>& records) {
  constexpr int kBits = 11;
  constexpr size_t kDigits = size_t{1} << kBits, kFew = 4 * kDigits;
  if (records.size() < kFew) {  // a comparison sort is faster for few records
    std::sort(records.begin(), records.end(), [](const Record& a, const Record& b) { return a.key < b.key; });
    return;
  }
  auto differing = records[0].key.parts;
  differing.fill(0);
  for (const Record& record : records)
    for (size_t part = 0; part < differing.size(); ++part)
      differing[part] |= record.key.parts[part] ^ records[0].key.parts[part];

  std::vector<Record> sorted(records.size());
  for (size_t part = differing.size(); part-- > 0;) {
    for (int low = 0; low < 64 && differing[part] >> low != 0; low += kBits) {
      low += std::countr_zero(differing[part] >> low);
      auto digit = [=](const Record& record) { return record.key.parts[part] >> low & (kDigits - 1); };
      std::array<size_t, kDigits> begins{};
      for (const Record& record : records) ++begins[digit(record)];
      size_t begin = 0;
      for (size_t& each : begins) begin += std::exchange(each, begin);
      for (const Record& record : records) sorted[begins[digit(record)]++] = record;
      records.swap(sorted);
    }
  }
}

}  // namespace tunesmith
