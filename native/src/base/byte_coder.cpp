#include "tunesmith/base/byte_coder.h"

#include <algorithm>
#include <array>

#include "tunesmith/base/errors.h"

namespace tunesmith {

namespace {

constexpr uint32_t kBits = 12;
constexpr uint32_t kTotal = 1u << kBits;       // frequencies sum to this
constexpr uint32_t kLow = 1u << 23;            // between bytes the state is in [kLow, 256 kLow)
constexpr size_t kWorthwhile = 48;             // shorter inputs hardly pay for a table
constexpr uint64_t kMostExpansion = 1u << 15;  // a byte of frequency 4095 / 4096 costs 1 / 22,713 byte

enum Mode : uint64_t { kPlain = 0, kCoded = 1 };

using Frequencies = std::array<uint32_t, 256>;

/// Counts scaled to sum to kTotal, at least 1 for each byte that occurs and less than kTotal for all: even a
/// stream of one distinct byte takes space, so that a damaged length cannot request unbounded memory.
Frequencies scaled(const Frequencies& counts, size_t total) {
  Frequencies result{};
  uint32_t sum = 0;
  for (size_t i = 0; i < 256; ++i) {
    if (counts[i] == 0) continue;
    result[i] = std::max<uint32_t>(1, static_cast<uint32_t>(uint64_t{counts[i]} * (kTotal - 1) / total));
    sum += result[i];
  }
  const auto largest = [&] { return std::max_element(result.begin(), result.end()); };
  for (; sum > kTotal; --sum) --*largest();
  if (sum < kTotal && *largest() + (kTotal - sum) < kTotal) {
    *largest() += kTotal - sum;
  } else if (sum < kTotal) {
    ++*std::find(result.begin(), result.end(), 0u);
  }
  return result;
}

Frequencies starts_of(const Frequencies& frequencies) {
  Frequencies starts{};
  uint32_t sum = 0;
  for (size_t i = 0; i < 256; ++i) {
    starts[i] = sum;
    sum += frequencies[i];
  }
  return starts;
}

void append_table(const Frequencies& frequencies, std::vector<uint8_t>& out) {
  append_varint(static_cast<uint64_t>(
                    std::count_if(frequencies.begin(), frequencies.end(), [](uint32_t f) { return f > 0; })),
                out);
  size_t next = 0;
  for (size_t i = 0; i < 256; ++i) {
    if (frequencies[i] == 0) continue;
    append_varint(i - next, out);
    append_varint(frequencies[i], out);
    next = i + 1;
  }
}

Frequencies read_table(VarintReader& in) {
  Frequencies frequencies{};
  uint64_t next = 0, sum = 0;
  for (uint64_t left = in.next(); left > 0; --left) {
    const uint64_t skipped = in.next(), frequency = in.next();
    if (next > 255 || skipped > 255 - next || frequency == 0 || frequency >= kTotal)
      throw InputError("the table of a coded block is damaged");
    next += skipped;
    frequencies[next++] = static_cast<uint32_t>(frequency);
    sum += frequency;
  }
  if (sum != kTotal) throw InputError("the table of a coded block is damaged");
  return frequencies;
}

/// The coded bytes, last state first: encoding runs from the end, so that decoding runs from the start.
std::vector<uint8_t> code(std::span<const uint8_t> bytes, const Frequencies& frequencies) {
  const Frequencies starts = starts_of(frequencies);
  std::vector<uint8_t> reversed;
  uint32_t state = kLow;
  for (size_t i = bytes.size(); i-- > 0;) {
    const uint32_t frequency = frequencies[bytes[i]];
    for (const uint32_t limit = (kLow >> kBits << 8) * frequency; state >= limit; state >>= 8)
      reversed.push_back(static_cast<uint8_t>(state));
    state = (state / frequency << kBits) + state % frequency + starts[bytes[i]];
  }
  for (int i = 0; i < 4; ++i, state >>= 8) reversed.push_back(static_cast<uint8_t>(state));
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

std::vector<uint8_t> decode_bytes(std::span<const uint8_t> coded, const Frequencies& frequencies,
                                  size_t size) {
  struct Slot {
    uint16_t frequency, offset;  // of the byte, and of the slot within its range
    uint8_t byte;
  };
  std::vector<Slot> slots(kTotal);
  size_t slot = 0;
  for (size_t byte = 0; byte < 256; ++byte)
    for (uint32_t i = 0; i < frequencies[byte]; ++i)
      slots[slot++] = {static_cast<uint16_t>(frequencies[byte]), static_cast<uint16_t>(i),
                       static_cast<uint8_t>(byte)};
  size_t at = 0;
  const auto next = [&]() -> uint32_t {
    if (at == coded.size()) throw InputError("a coded block ends too early");
    return coded[at++];
  };
  uint32_t state = 0;
  for (int i = 0; i < 4; ++i) state = state << 8 | next();
  std::vector<uint8_t> result(size);
  for (uint8_t& byte : result) {
    const Slot& found = slots[state & (kTotal - 1)];
    byte = found.byte;
    state = found.frequency * (state >> kBits) + found.offset;
    while (state < kLow) state = state << 8 | next();
  }
  if (at != coded.size() || state != kLow) throw InputError("a coded block is damaged");
  return result;
}

}  // namespace

void append_coded(std::span<const uint8_t> bytes, std::vector<uint8_t>& out) {
  if (bytes.size() >= kWorthwhile) {
    Frequencies counts{};
    for (const uint8_t byte : bytes) ++counts[byte];
    const Frequencies frequencies = scaled(counts, bytes.size());
    std::vector<uint8_t> table;
    append_table(frequencies, table);
    const std::vector<uint8_t> coded = code(bytes, frequencies);
    if (table.size() + coded.size() < bytes.size()) {
      append_varint(bytes.size() << 1 | kCoded, out);
      out.insert(out.end(), table.begin(), table.end());
      append_varint(coded.size(), out);
      out.insert(out.end(), coded.begin(), coded.end());
      return;
    }
  }
  append_varint(bytes.size() << 1 | kPlain, out);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

std::vector<uint8_t> read_coded(VarintReader& in) {
  const uint64_t head = in.next(), size = head >> 1;
  if ((head & 1) == kPlain) {
    const auto bytes = in.take(size);
    return {bytes.begin(), bytes.end()};
  }
  const Frequencies frequencies = read_table(in);
  const auto coded = in.take(in.next());
  if (size / kMostExpansion > coded.size()) throw InputError("the length of a coded block is damaged");
  return decode_bytes(coded, frequencies, size);
}

}  // namespace tunesmith
