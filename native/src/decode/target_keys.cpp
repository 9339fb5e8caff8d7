#include "tunesmith/decode/target_keys.h"

#include <algorithm>
#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::decode {

std::vector<uint32_t> phrase_keys(std::span<const int32_t> sentence, size_t longest) {
  std::vector<uint32_t> keys{TargetKey().value()};
  for (size_t begin = 0; begin < sentence.size(); ++begin) {
    TargetKey key;
    const size_t end = begin + std::min(longest, sentence.size() - begin);
    for (size_t i = begin; i < end && sentence[i] >= 0; ++i) keys.push_back(key.add(sentence[i]).value());
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

TargetKeys::TargetKeys(const tables::PhraseTable& table, tables::PairRange pairs,
                       std::span<const int32_t> words) {
  entries_.reserve(pairs.size());
  for (uint32_t pair = pairs.begin; pair < pairs.end; ++pair) {
    TargetKey key;
    const auto target = table.target_phrase(table.target(pair));
    if (target.size() > table.longest_target())  // no sentence would have its key
      throw InputError("a target phrase has " + std::to_string(target.size()) +
                           " words, but the longest is " + std::to_string(table.longest_target()) +
                           " by the header; the file is damaged",
                       table.path());
    for (const int32_t word : target) key.add(words.empty() ? word : words[static_cast<size_t>(word)]);
    entries_.push_back({key.value(), pair});
  }
  std::ranges::sort(entries_);
}

void TargetKeys::find(std::span<const uint32_t> keys, std::vector<uint32_t>& found) const {
  const size_t before = found.size();
  auto from = entries_.begin();
  for (const uint32_t key : keys) {
    from = std::lower_bound(from, entries_.end(), Entry{key, 0});
    for (; from != entries_.end() && from->key == key; ++from) found.push_back(from->pair);
  }
  std::sort(found.begin() + static_cast<std::ptrdiff_t>(before), found.end());
}

}  // namespace tunesmith::decode
