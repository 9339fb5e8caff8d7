// N-grams packed into integer keys that sort in suffix order or context order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace tunesmith::lm {

/// `Parts` machine words, compared as one number, most significant first.
template <int Parts>
struct NgramKey {
  std::array<uint64_t, Parts> parts{};

  friend bool operator==(const NgramKey&, const NgramKey&) = default;
  friend bool operator<(const NgramKey& a, const NgramKey& b) {
    for (int i = 0; i + 1 < Parts; ++i)
      if (a.parts[i] != b.parts[i]) return a.parts[i] < b.parts[i];
    return a.parts[Parts - 1] < b.parts[Parts - 1];
  }
  /// Above every n-gram.
  static NgramKey highest() {
    NgramKey key;
    key.parts.fill(~uint64_t{0});
    return key;
  }
};

/// Layout of the words in a key: field 0 is in the highest bits, unused fields are 0.
///
/// In *suffix order* field 0 is the last word of the n-gram, field 1 the word before it, and so on: the key
/// of the suffix of n words is the first n fields, whatever the order of the model. In *context order* the
/// context comes first, in suffix order, then the last word: n-grams of one context are adjacent, and
/// contexts are in suffix order.
template <int Parts>
class KeyLayout {
 public:
  using Key = NgramKey<Parts>;

  explicit KeyLayout(int order) : order_(order), bits_(std::min(32, 64 * Parts / order)) {
    for (int n = 0; n <= order; ++n) masks_[n] = mask(n * bits_);
  }

  int order() const { return order_; }
  /// Word numbers are below this; the largest value is reserved so that no key equals `highest()`.
  uint64_t word_limit() const { return (uint64_t{1} << bits_) - 1; }

  uint32_t field(const Key& key, int i) const {
    const int begin = i * bits_, part = begin / 64, offset = begin % 64;
    uint64_t value = key.parts[part] << offset;
    if constexpr (Parts > 1)  // with one part no field crosses its end
      if (offset + bits_ > 64) value |= key.parts[part + 1] >> (64 - offset);
    return static_cast<uint32_t>(value >> (64 - bits_));
  }
  /// The key with field i, which must be 0, set to `word`.
  Key with_field(Key key, int i, uint32_t word) const {
    const int begin = i * bits_, part = begin / 64, offset = begin % 64;
    const uint64_t value = uint64_t{word} << (64 - bits_);
    key.parts[part] |= value >> offset;
    if constexpr (Parts > 1)
      if (offset + bits_ > 64) key.parts[part + 1] |= value << (64 - offset);
    return key;
  }
  /// The first n fields.
  Key prefix(Key key, int n) const {
    for (int i = 0; i < Parts; ++i) key.parts[i] &= masks_[n].parts[i];
    return key;
  }
  /// In suffix order: the n-gram without its oldest word, followed by `word`.
  Key followed_by(const Key& key, uint32_t word) const {
    return prefix(with_field(shifted_down(key), 0, word), order_);
  }
  /// Number of leading fields that are equal.
  int common(const Key& a, const Key& b) const {
    for (int i = 0; i < Parts; ++i)
      if (const uint64_t difference = a.parts[i] ^ b.parts[i])
        return std::min(order_, (64 * i + std::countl_zero(difference)) / bits_);
    return order_;
  }

  Key to_context_order(const Key& key, int n) const {
    return with_field(shifted_up(key), n - 1, field(key, 0));
  }
  Key to_suffix_order(const Key& key, int n) const {
    return with_field(shifted_down(prefix(key, n - 1)), 0, field(key, n - 1));
  }

 private:
  static Key mask(int bits) {
    Key key;
    for (int i = 0; i < Parts; ++i) {
      const int inside = std::clamp(bits - 64 * i, 0, 64);
      key.parts[i] = inside == 0 ? 0 : ~uint64_t{0} << (64 - inside);
    }
    return key;
  }
  Key shifted_down(Key key) const {
    for (int i = Parts - 1; i > 0; --i)
      key.parts[i] = key.parts[i] >> bits_ | key.parts[i - 1] << (64 - bits_);
    key.parts[0] >>= bits_;
    return key;
  }
  Key shifted_up(Key key) const {
    for (int i = 0; i + 1 < Parts; ++i)
      key.parts[i] = key.parts[i] << bits_ | key.parts[i + 1] >> (64 - bits_);
    key.parts[Parts - 1] <<= bits_;
    return key;
  }

  int order_;
  int bits_;
  std::array<Key, 65> masks_{};
};

}  // namespace tunesmith::lm
