#include "tunesmith/forest/block.h"

#include <limits>
#include <numeric>
#include <random>

#include "check.h"
#include "tunesmith/base/byte_coder.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::forest::block_test {

using Bytes = std::vector<uint8_t>;

Bytes decoded(const Bytes& coded) {
  VarintReader in(coded);
  Bytes bytes = read_coded(in);
  CHECK(in.left() == 0);
  return bytes;
}

Bytes coded(const Bytes& bytes) {
  Bytes out;
  append_coded(bytes, out);
  return out;
}

/// A lattice of some nodes, parallel edges and shared rules.
ForestArrays lattice(size_t nodes, std::mt19937& random) {
  ForestArrays arrays;
  ForestRules& rules = arrays.rules;
  for (int i = 0; i < 40; ++i) {
    rules.sources.add(std::vector<grammar::Symbol>{i / 4});
    rules.targets.add(i < 4 ? std::vector<grammar::Symbol>{7} : std::vector<grammar::Symbol>{-1, i % 9});
    rules.links.add(std::vector<corpus::Link>{{0, 0}});
    rules.features.add(std::vector<FeatureValue>{{0, static_cast<float>(i % 5)}, {1, -1.0f}});
    rules.ids.push_back(1000 + i);
  }
  for (uint32_t node = 0; node < nodes; ++node) {
    for (uint32_t i = 0; i < 1 + random() % 5; ++i) {
      const uint32_t rule = node == 0 ? random() % 4 : 4 + random() % 36;
      arrays.tails.add(node == 0 ? std::vector<uint32_t>{}
                                 : std::vector<uint32_t>{static_cast<uint32_t>(random() % node)});
      arrays.edge_rules.push_back(rule);
      arrays.spans.push_back({static_cast<int32_t>(rule / 4), static_cast<int32_t>(rule / 4) + 1});
      arrays.features.add(std::vector<FeatureValue>{{2, static_cast<float>(random()) / 1e9f}});
    }
    arrays.edge_offsets.push_back(static_cast<uint32_t>(arrays.edge_rules.size()));
  }
  return arrays;
}

std::vector<uint32_t> numbers(size_t count) {
  std::vector<uint32_t> result(count);
  std::iota(result.begin(), result.end(), 0u);
  return result;
}

bool same(const ForestArrays& a, const ForestArrays& b) {
  return a.edge_offsets == b.edge_offsets && a.tails.offsets == b.tails.offsets &&
         a.tails.values == b.tails.values && a.edge_rules == b.edge_rules && a.spans == b.spans &&
         a.features.offsets == b.features.offsets && a.features.values == b.features.values &&
         a.rules.sources.values == b.rules.sources.values &&
         a.rules.targets.values == b.rules.targets.values && a.rules.links.values == b.rules.links.values &&
         a.rules.features.values == b.rules.features.values && a.rules.ids == b.rules.ids;
}

TEST(bytes_come_back_whatever_their_frequencies) {
  std::mt19937 random(1);
  for (const size_t size : {0, 1, 47, 48, 1000, 100000})
    for (const unsigned spread : {1u, 2u, 3u, 200u, 256u}) {
      Bytes bytes(size);
      for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(std::min(random() % spread, random() % spread));
      CHECK(decoded(coded(bytes)) == bytes);
      if (!bytes.empty()) bytes.back() = 255;
      CHECK(decoded(coded(bytes)) == bytes);
    }
}

TEST(a_stream_of_one_byte_costs_next_to_nothing) { CHECK(coded(Bytes(100000, 7)).size() < 25); }

TEST(coded_bytes_are_near_their_entropy) {
  std::mt19937 random(1);
  Bytes bytes(100000);
  for (uint8_t& byte : bytes) byte = random() % 8 == 0 ? static_cast<uint8_t>(random() % 16) : 0;
  double entropy = 0;
  std::vector<double> counts(256);
  for (const uint8_t byte : bytes) ++counts[byte];
  for (const double count : counts)
    if (count > 0) entropy -= count * std::log2(count / static_cast<double>(bytes.size())) / 8;
  CHECK(static_cast<double>(coded(bytes).size()) < 1.01 * entropy + 60);
}

TEST(arrays_come_back) {
  std::mt19937 random(1);
  for (const size_t nodes : {0, 1, 2, 50, 1000}) {
    const ForestArrays arrays = lattice(nodes, random);
    const ForestArrays again = decode_forest(encode_forest(arrays, numbers(10), numbers(3)));
    CHECK(same(arrays, again));
  }
}

TEST(many_rules_with_one_long_source_side_come_back) {
  ForestArrays arrays;
  for (int i = 0; i < 3000; ++i) {
    arrays.rules.sources.add(std::vector<grammar::Symbol>(200, 7));
    arrays.rules.targets.close();
    arrays.rules.links.close();
    arrays.rules.features.close();
    arrays.rules.ids.push_back(-1);
  }
  CHECK(same(arrays, decode_forest(encode_forest(arrays, numbers(10), {}))));
}

TEST(a_small_block_cannot_ask_for_much_memory) {
  constexpr size_t kRules = 30000;  // each with the 30,000 words of the first: 3.6 GB
  Bytes counts{0, 0}, lengths;
  append_varint(kRules, counts);
  append_varint(1 + kRules, lengths);
  lengths.resize(lengths.size() + kRules - 1);
  Bytes shapes(kRules, 1);
  shapes[0] = 0;
  const Bytes none, zeros(kRules);
  Bytes block;
  for (const Bytes& stream :
       {counts, Bytes{0}, none, none,  none,   none,     none, none, lengths, zeros, zeros,
        none,   zeros,    none, zeros, shapes, Bytes{0}, none, none, none,    none,  none})
    append_coded(stream, block);
  CHECK(block.size() < 200);
  CHECK_THROWS(decode_forest(block), InputError);
}

TEST(differences_that_are_too_large_are_refused) {
  Bytes huge;
  append_varint(to_zigzag(std::numeric_limits<int64_t>::max()), huge);
  Bytes lists{2, 0};  // column 0, then one far beyond
  lists.insert(lists.end(), huge.begin(), huge.end());
  const Bytes none, one{1}, zero{0};
  Bytes columns, rules;
  for (const Bytes& stream :
       {Bytes{0, 0, 1}, none, Bytes{0, 0}, none, none, none,  none, none, one,  none, zero,
        none,           zero, none,        zero, zero, lists, none, none, none, none, none})
    append_coded(stream, columns);
  CHECK_THROWS(decode_forest(columns), InputError);
  for (const Bytes& stream : {Bytes{1, 1, 1}, none, none, one,  zero, none, huge, zero, one,  none, zero,
                              none,           zero, none, zero, zero, zero, none, none, none, none, none})
    append_coded(stream, rules);
  CHECK_THROWS(decode_forest(rules), InputError);
}

TEST(bytes_that_are_no_forest_are_refused_without_a_crash) {
  std::mt19937 random(2);
  auto names = std::make_shared<ForestNames>();
  for (int i = 0; i < 10; ++i) names->words.add(std::to_string(i));
  for (int i = 0; i < 3; ++i) names->features.add(std::to_string(i));
  const Bytes block = encode_forest(lattice(60, random), numbers(10), numbers(3));
  size_t refused = 0, accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    Bytes damaged = block;
    for (unsigned n = 1 + random() % 4; n > 0; --n)
      damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
    if (random() % 4 == 0) damaged.resize(random() % damaged.size());
    try {
      Forest(decode_forest(damaged), names);
      ++accepted;  // a value or a word differs: detected by checksums
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(refused > 10000);
  CHECK(accepted > 0);
}

}  // namespace tunesmith::forest::block_test
