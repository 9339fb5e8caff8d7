// Hash of a text that is computed from the hashes of its parts: the key of a sparse feature's name.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tunesmith::weights {

/// Arithmetic modulo the Mersenne prime 2^61 - 1; results are below it.
struct Mersenne {
  __extension__ using Product = unsigned __int128;
  static constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;

  /// Of a number below 2^123, such as a product and a few sums.
  static constexpr uint64_t reduced(Product x) {
    const uint64_t once = (static_cast<uint64_t>(x) & kPrime) + static_cast<uint64_t>(x >> 61);
    const uint64_t twice = (once & kPrime) + (once >> 61);
    return twice >= kPrime ? twice - kPrime : twice;
  }
  static constexpr uint64_t times(uint64_t a, uint64_t b) { return reduced(static_cast<Product>(a) * b); }

  /// The powers 0 to N - 1.
  template <size_t N>
  static constexpr std::array<uint64_t, N> powers(uint64_t base) {
    std::array<uint64_t, N> result{1};
    for (size_t i = 1; i < N; ++i) result[i] = times(result[i - 1], base);
    return result;
  }
};

/// Polynomial hash modulo the Mersenne prime 2^61 - 1 (Karp and Rabin 1987): value(s) = sum of
/// (s_i + 1) * B^(n-1-i), so that value(a b) = value(a) * B^|b| + value(b). Templates keep the hashes of
/// words and join them by one multiplication per part, without building the name. Two given names have the
/// same hash with a probability of about n / 2^61 for n bytes; WeightStore reports those that meet.
struct TextHash {
  uint64_t value = 0;
  uint64_t power = 1;  // B to the length of the text

  static constexpr uint64_t kPrime = Mersenne::kPrime;
  static constexpr uint64_t kBase = 0x0f3b7a1d5c8e9263ULL;

  constexpr TextHash() = default;
  /// Eight bytes at a time: their products do not wait for each other, and are reduced once.
  constexpr explicit TextHash(std::string_view text) {
    for (; text.size() >= kStep; text.remove_prefix(kStep)) append(text.data(), kStep);
    if (!text.empty()) append(text.data(), text.size());
  }

  friend constexpr TextHash operator+(TextHash a, TextHash b) {
    TextHash joined;
    joined.value = Mersenne::reduced(static_cast<Mersenne::Product>(a.value) * b.power + b.value);
    joined.power = Mersenne::times(a.power, b.power);
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
  static constexpr size_t kStep = 8;
  static constexpr std::array<uint64_t, kStep + 1> kPowers = Mersenne::powers<kStep + 1>(kBase);

  /// Appends up to kStep bytes.
  constexpr void append(const char* bytes, size_t count) {
    Mersenne::Product sum = static_cast<Mersenne::Product>(value) * kPowers[count];
    for (size_t i = 0; i < count; ++i)
      sum +=
          static_cast<Mersenne::Product>(static_cast<unsigned char>(bytes[i]) + 1U) * kPowers[count - 1 - i];
    value = Mersenne::reduced(sum);
    power = Mersenne::times(power, kPowers[count]);
  }
};

/// The key of a whole name.
constexpr uint64_t key_of(std::string_view name) { return TextHash(name).key(); }

}  // namespace tunesmith::weights
