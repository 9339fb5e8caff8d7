#include "tunesmith/lm/unhashing.h"

#include <array>
#include <limits>
#include <numbers>
#include <numeric>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/radix_sort.h"
#include "tunesmith/lm/key.h"

namespace tunesmith::lm {

namespace {

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each step doubles the correct bits.
constexpr uint64_t inverse(uint64_t odd) {
  uint64_t found = odd;  // correct to 3 bits
  for (int step = 0; step < 5; ++step) found *= 2 - odd * found;
  return found;
}
static_assert(inverse(kHashFactor) * kHashFactor == 1);

constexpr uint64_t kHalf = std::numeric_limits<uint32_t>::max();

/// An n-gram that may be the suffix of longer ones. The key is the lower half of its hash.
struct Suffix {
  NgramKey<1> key;
  uint32_t upper;  // half of the hash
  uint32_t ngram;  // its number in the trie
};

/// An n-gram of the next order, its hash divided by the factor. The key is the upper half: the lower half of
/// the hash of its suffix. The rest is the upper half of that hash, xor its oldest word plus 1.
struct Hashed {
  NgramKey<1> key;
  uint32_t rest;
  NgramWeights weights;
};

/// An n-gram whose words are known. The key is that of the trie.
struct Placed {
  NgramKey<1> key;
  uint64_t hash;
  NgramWeights weights;
};

class Unhashing {
 public:
  Unhashing(const NgramLm& model, std::span<const uint32_t> numbers) : model_(model), numbers_(numbers) {
    std::vector<Placed> placed;
    for (size_t i = 0; i < numbers.size(); ++i) {
      const auto word = static_cast<int32_t>(i);
      placed.push_back({{{numbers[i]}}, hash_word(word), model.unigram(word)});
      if (own_.size() <= numbers[i]) own_.resize(numbers[i] + size_t{1});
      own_[numbers[i]] = word;
    }
    std::vector<Suffix> suffixes = add_level(placed, 1);
    for (uint32_t order = 2; order <= model.order(); ++order) {
      placed = place(order, suffixes);
      suffixes = add_level(placed, trie_.levels.back().size());
    }
  }

  SuffixTrie take() { return std::move(trie_); }

 private:
  /// Adds an order to the trie; returns those of its n-grams that are suffixes of longer ones, by hash.
  std::vector<Suffix> add_level(std::vector<Placed>& placed, size_t shorter) {
    radix_sort(placed);
    std::vector<uint64_t> keys;
    std::vector<NgramWeights> weights;
    std::vector<Suffix> suffixes;
    keys.reserve(placed.size());
    weights.reserve(placed.size());
    for (const Placed& each : placed) {
      if (!keys.empty() && keys.back() == each.key.parts[0]) fail("it has an n-gram twice");
      if (extends_left(each.weights.probability))
        suffixes.push_back({{{each.hash & kHalf}},
                            static_cast<uint32_t>(each.hash >> 32),
                            static_cast<uint32_t>(keys.size())});
      keys.push_back(each.key.parts[0]);
      weights.push_back(each.weights);
    }
    placed = {};
    radix_sort(suffixes);
    trie_.levels.emplace_back(std::move(keys), shorter);
    trie_.weights.push_back(std::move(weights));
    return suffixes;
  }

  /// Joins the n-grams of an order with those of the next lower one.
  std::vector<Placed> place(uint32_t order, const std::vector<Suffix>& suffixes) const {
    std::vector<Hashed> hashed;
    model_.each_ngram(order, [&](uint64_t hash, NgramWeights weights) {
      const uint64_t whole = hash * inverse(kHashFactor);
      hashed.push_back({{{whole >> 32}}, static_cast<uint32_t>(whole), weights});
    });
    radix_sort(hashed);
    std::vector<Placed> placed;
    placed.reserve(hashed.size());
    auto begin = suffixes.begin();
    for (const Hashed& ngram : hashed) {
      while (begin != suffixes.end() && begin->key < ngram.key) ++begin;
      auto end = begin;
      while (end != suffixes.end() && end->key == ngram.key) ++end;
      const uint64_t key = choose(order, ngram.rest, {begin, end});
      placed.push_back({{{key}}, (ngram.key.parts[0] << 32 | ngram.rest) * kHashFactor, ngram.weights});
    }
    return placed;
  }

  /// The key of the n-gram that has one of the suffixes.
  uint64_t choose(uint32_t order, uint32_t rest, std::span<const Suffix> suffixes) const {
    uint64_t chosen = 0;
    size_t fitting = 0;
    for (const bool by_context : {false, true}) {
      fitting = 0;
      for (const Suffix& each : suffixes) {
        const uint32_t word = (each.upper ^ rest) - 1;
        if (word >= numbers_.size() || (by_context && !has_context(order, each.ngram, numbers_[word])))
          continue;
        chosen = TrieLevel::key(each.ngram, numbers_[word]);
        ++fitting;
      }
      if (fitting <= 1) break;
    }
    if (fitting != 1) fail("the words of an n-gram of order " + std::to_string(order) + " cannot be found");
    return chosen;
  }

  bool has_context(uint32_t order, uint32_t suffix, uint32_t word) const {
    return order == 2 || model_.find_ngram(order - 1, context_hash(trie_, own_, order, suffix, word));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError("is damaged: " + what + "; build the model again, or give its ARPA file", model_.path());
  }

  const NgramLm& model_;
  std::span<const uint32_t> numbers_;
  std::vector<int32_t> own_;  // the model's number of the trie's word
  SuffixTrie trie_;
};

}  // namespace

uint64_t context_hash(const SuffixTrie& trie, std::span<const int32_t> own, uint32_t order, uint32_t suffix,
                      uint32_t word) {
  std::array<int32_t, kMaxLmOrder> words{own[word]};  // oldest first, without the newest
  for (uint32_t i = 1; i + 1 < order; ++i) {
    const TrieLevel& level = trie.levels[order - 1 - i];
    words[i] = own[level.word(suffix)];
    suffix = level.suffix(suffix);
  }
  uint64_t hash = hash_word(words[order - 2]);
  for (uint32_t i = order - 2; i-- > 0;) hash = extend_hash(hash, words[i]);
  return hash;
}

SuffixTrie unhash(const NgramLm& model, std::span<const uint32_t> numbers) {
  return Unhashing(model, numbers).take();
}

void send_ngrams(const NgramLm& model, NgramSink& sink) {
  std::vector<uint32_t> same(model.size());
  std::iota(same.begin(), same.end(), 0);
  const SuffixTrie trie = unhash(model, same);
  std::vector<uint64_t> counts;
  for (const TrieLevel& level : trie.levels) counts.push_back(level.size());
  const auto log10 = [](float natural) { return static_cast<float>(natural / std::numbers::ln10); };
  sink.begin(model.vocabulary().words(), counts);
  each_ngram(trie.levels, [&](size_t n, size_t i, std::span<const int32_t> words) {
    const NgramWeights& weights = trie.weights[n - 1][i];
    sink.add(words, log10(log_probability(weights.probability)), log10(weights.backoff));
  });
  sink.end();
}

}  // namespace tunesmith::lm
