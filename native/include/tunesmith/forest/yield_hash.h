// Fingerprints of word sequences that can be concatenated in constant time (polynomial hashing).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tunesmith::forest {

/// A polynomial in the words modulo three primes: the fingerprint of a concatenation is computed from those
/// of its parts in constant time, however long they are. Among a million sequences of 100 words there is a
/// collision once in 10^10 forests.
class YieldHash {
 public:
  void append(uint32_t word) {
    // + 1, so that word 0 differs from no word.
    for (size_t i = 0; i < kPrimes.size(); ++i)
      add(i, static_cast<uint32_t>((uint64_t{word} + 1) % kPrimes[i]), kBases[i]);
  }

  void append(const YieldHash& next) {
    for (size_t i = 0; i < kPrimes.size(); ++i) add(i, next.residues_[i], next.powers_[i]);
  }

  friend bool operator==(const YieldHash&, const YieldHash&) = default;

  /// For hash tables.
  struct Hasher {
    size_t operator()(const YieldHash& yield) const {
      return size_t{yield.residues_[0]} << 32 ^ size_t { yield.residues_[1] } << 16 ^ yield.residues_[2];
    }
  };

 private:
  static constexpr std::array<uint64_t, 3> kPrimes{2147483647, 2147483629, 2147483587};
  static constexpr std::array<uint32_t, 3> kBases{1103515245, 1566083941, 1812433253};

  void add(size_t i, uint64_t residue, uint64_t power) {
    residues_[i] = static_cast<uint32_t>((residues_[i] * power + residue) % kPrimes[i]);
    powers_[i] = static_cast<uint32_t>(powers_[i] * power % kPrimes[i]);
  }

  std::array<uint32_t, 3> residues_{};
  std::array<uint32_t, 3> powers_{1, 1, 1};  // of the bases, to the number of words
};

}  // namespace tunesmith::forest
