// Hash of a text that is computed from the hashes of its parts: the key of a sparse feature's name.
#pragma once

#include <cstdint>
#include <string_view>

namespace tunesmith::weights {

/// Polynomial hash modulo the Mersenne prime 2^61 - 1 (Karp and Rabin 1987): value(s) = sum of
/// (s_i + 1) * B^(n-1-i), so that value(a b) = value(a) * B^|b| + value(b). Templates keep the hashes of
/// words and join them by one multiplication per part, without building the name. Two given names have the
/// same hash with a probability of about n / 2^61 for n bytes; WeightStore reports those that meet.
struct TextHash {
  uint64_t value = 0;
  uint64_t power = 1;  // B to the length of the text

  static constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
  static constexpr uint64_t kBase = 0x0f3b7a1d5c8e9263ULL;

  constexpr TextHash() = default;
  constexpr explicit TextHash(std::string_view text) {
    for (const char byte : text) {
      value = reduced(times(value, kBase) + static_cast<unsigned char>(byte) + 1);
      power = times(power, kBase);
    }
  }

  friend constexpr TextHash operator+(TextHash a, TextHash b) {
    TextHash joined;
    joined.value = reduced(times(a.value, b.power) + b.value);
    joined.power = times(a.power, b.power);
    return joined;
  }
  friend constexpr bool operator==(TextHash, TextHash) = default;

  /// 64 well-mixed bits, never 0: a bijection of `value` (the finalizer of SplitMix64) but for one value.
  constexpr uint64_t key() const {
    uint64_t z = value + 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return z == 0 ? 1 : z;
  }

 private:
  static constexpr uint64_t reduced(uint64_t x) {
    x = (x & kPrime) + (x >> 61);
    return x >= kPrime ? x - kPrime : x;
  }
  static constexpr uint64_t times(uint64_t a, uint64_t b) {
    __extension__ using Product = unsigned __int128;
    const Product product = static_cast<Product>(a) * b;
    return reduced((static_cast<uint64_t>(product) & kPrime) + static_cast<uint64_t>(product >> 61));
  }
};

/// The key of a whole name.
constexpr uint64_t key_of(std::string_view name) { return TextHash(name).key(); }

}  // namespace tunesmith::weights
