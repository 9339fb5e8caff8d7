#include "tunesmith/weights/text_hash.h"

#include <string>
#include <unordered_map>

#include "check.h"
#include "tunesmith/base/splitmix.h"

namespace tunesmith::weights::text_hash_test {

/// The definition, one byte after the other, in 128-bit arithmetic.
uint64_t by_definition(std::string_view text) {
  __extension__ using Wide = unsigned __int128;
  Wide value = 0;
  for (const char byte : text)
    value = (value * TextHash::kBase + static_cast<unsigned char>(byte) + 1) % TextHash::kPrime;
  return static_cast<uint64_t>(value);
}

std::string random_text(SplitMix& random) {
  std::string text(random.below(12), ' ');
  for (char& byte : text) byte = static_cast<char>(random.below(256));
  return text;
}

TEST(the_hash_of_joined_parts_is_the_hash_of_the_text) {
  SplitMix random(1, 0);
  for (int i = 0; i < 2000; ++i) {
    const std::string a = random_text(random), b = random_text(random), c = random_text(random);
    const TextHash whole(a + b + c);
    CHECK(whole == TextHash(a) + TextHash(b) + TextHash(c));
    CHECK(whole == TextHash(a) + (TextHash(b) + TextHash(c)));
    CHECK(whole.value == by_definition(a + b + c));
    CHECK(whole.key() == key_of(a + b + c));
  }
}

TEST(different_names_have_different_keys) {
  std::unordered_map<uint64_t, std::string> seen;
  for (int a = 0; a < 300; ++a)
    for (int b = 0; b < 300; ++b) {
      const std::string name = "Rule_" + std::to_string(a) + "_" + std::to_string(b);
      CHECK(seen.emplace(key_of(name), name).second);
    }
  CHECK(key_of("") != key_of(std::string_view("\0", 1)));
  CHECK(key_of("") != 0);
}

}  // namespace tunesmith::weights::text_hash_test
