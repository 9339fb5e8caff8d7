#include "tunesmith/decode/first_words.h"

#include <algorithm>

namespace tunesmith::decode {

FirstWords::FirstWords(const tables::PhraseTable& table, tables::PairRange pairs,
                       std::span<const int32_t> words) {
  entries_.reserve(pairs.size());
  for (uint32_t pair = pairs.begin; pair < pairs.end; ++pair) {
    const auto target = table.target_phrase(table.target(pair));
    const int32_t first = target.empty() ? kEmpty : target[0];
    entries_.push_back({words.empty() || first == kEmpty ? first : words[static_cast<size_t>(first)], pair});
  }
  std::ranges::sort(entries_, std::less());
}

void FirstWords::find(std::span<const int32_t> words, std::vector<uint32_t>& found) const {
  const size_t before = found.size();
  auto from = entries_.begin();
  const auto take = [&](int32_t word) {
    from = std::lower_bound(from, entries_.end(), Entry{word, 0});
    for (; from != entries_.end() && from->word == word; ++from) found.push_back(from->pair);
  };
  take(kEmpty);
  for (const int32_t word : words) take(word);
  std::sort(found.begin() + static_cast<std::ptrdiff_t>(before), found.end());
}

}  // namespace tunesmith::decode
