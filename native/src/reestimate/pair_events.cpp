#include "tunesmith/reestimate/pair_events.h"

#include "tunesmith/base/text.h"
#include "tunesmith/corpus/alignment.h"

namespace tunesmith::reestimate {

uint32_t UsedPairs::intern(std::span<const int32_t> source, std::span<const int32_t> target) {
  const Sides sides{sources_.intern(source), targets_.intern(target)};
  const auto [number, is_new] =
      numbers_.insert(key(sides.source, sides.target), static_cast<uint32_t>(pairs_.size()));
  if (is_new) pairs_.push_back(sides);
  return number;
}

void PairEvents::add(const PairEvent& event, uint64_t weight) {
  const uint64_t hash = mix(mix(event.pair, event.links), event.orientations.bits());
  const uint32_t number = events_.number(event, hash);
  if (number == weights_.size()) weights_.push_back(0);
  weights_[number] += weight;
}

/// One line per event, as if it were a sentence pair that is one phrase pair, extracted before.
void PairEvents::write(const UsedPairs& pairs, uint64_t unit, const std::string& path,
                       const extract::phrases::CountingOptions& options) const {
  std::vector<int32_t> source, target, orientations;
  std::vector<int64_t> source_offsets{0}, target_offsets{0}, link_offsets{0}, weights;
  std::vector<corpus::Link> links;
  const auto append = [](std::span<const int32_t> phrase, std::vector<int32_t>& words,
                         std::vector<int64_t>& offsets) {
    words.insert(words.end(), phrase.begin(), phrase.end());
    offsets.push_back(static_cast<int64_t>(words.size()));
  };
  for (uint32_t number = 0; number < size(); ++number) {
    const PairEvent& event = events_[number];
    const auto from = pairs.source(event.pair), to = pairs.target(event.pair);
    append(from, source, source_offsets);
    append(to, target, target_offsets);
    extract::phrases::unpack_links(event.links, static_cast<int>(from.size()), static_cast<int>(to.size()),
                                   links);
    link_offsets.push_back(static_cast<int64_t>(links.size()));
    orientations.push_back(static_cast<int32_t>(event.orientations.bits()));
    weights.push_back(static_cast<int64_t>(weights_[number]));
  }
  const Texts words = pairs.words();
  const extract::phrases::FoldedBitext lines{
      {{source, source_offsets}, {target, target_offsets}, {links, link_offsets}, words, words},
      {},
      weights,
      unit,
      orientations};
  extract::phrases::count_phrase_pairs(lines, path, options);
}

}  // namespace tunesmith::reestimate
