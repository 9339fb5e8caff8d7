#include "tunesmith/optimizers/mixture_sums.h"

#include <algorithm>

#include "tunesmith/base/parallel.h"

namespace tunesmith::optimizers {

namespace {

constexpr size_t kBlock = 1 << 14;               // features
constexpr size_t kBlocks = 32;                   // that are in memory at once
constexpr uint64_t kGroup = uint64_t{64} << 20;  // bytes of the files that are verified at once

/// The end of the sources from `begin` on that are opened together: some small files, or one large one.
size_t group_end(std::span<const MixtureSource> sources, size_t begin) {
  size_t end = begin;
  uint64_t bytes = 0;
  while (end < sources.size() && (end == begin || bytes + sources[end].file_bytes() <= kGroup))
    bytes += sources[end++].file_bytes();
  return end;
}

}  // namespace

void MixtureSums::add_all(std::vector<MixtureSource>& sources, std::span<const SourceUse> uses, int threads,
                          const std::function<void()>& poll) {
  std::vector<Block> all(kBlocks);  // their memory is used again
  size_t used = 0;
  const auto flush = [&] {
    const auto blocks = std::span(all).first(used);
    parallel_chunks(blocks.size(), 1, threads, [&](size_t i, size_t, size_t) {
      const uint32_t source = blocks[i].source;
      group(sources[source], source == 0 ? 0 : uses[source - 1].steps, blocks[i]);
    });
    parallel_chunks(kMixtureRanges, 1, threads,
                    [&](size_t range, size_t, size_t) { add(blocks, range, sources, uses); });
    for (const Block& block : blocks) sources[block.source].release();
    used = 0;
    if (poll) poll();
  };
  for (size_t begin = 0, end = 0; begin < sources.size(); begin = end) {
    end = group_end(sources, begin);
    parallel_chunks(end - begin, 1, threads, [&](size_t i, size_t, size_t) { sources[begin + i].open(); });
    for (size_t source = begin; source < end; ++source)
      for (size_t first = 0; first < sources[source].size(); first += kBlock) {
        all[used].source = static_cast<uint32_t>(source);
        all[used].begin = first;
        all[used].end = std::min(first + kBlock, sources[source].size());
        if (++used == kBlocks) flush();
      }
  }
  flush();
}

void MixtureSums::group(const MixtureSource& source, int64_t steps, Block& block) {
  source.check(block.begin, block.end);
  block.begins.fill(0);
  source.visit([&](const auto& weights) {
    for (size_t i = block.begin; i < block.end; ++i) ++block.begins[mixture_range_of(weights.key(i)) + 1];
    for (size_t range = 0; range < kMixtureRanges; ++range) block.begins[range + 1] += block.begins[range];
    std::array<uint32_t, kMixtureRanges> next;
    std::copy_n(block.begins.begin(), kMixtureRanges, next.begin());
    block.entries.resize(block.end - block.begin);
    for (size_t i = block.begin; i < block.end; ++i) {
      const auto number = static_cast<uint32_t>(i);
      const uint64_t key = weights.key(number);
      const double weight = weights.weight(number);
      const double average =
          weight - weights.drift(number) / static_cast<double>(std::max<int64_t>(steps, 1));
      block.entries[next[mixture_range_of(key)]++] = {key, weight, average, number,
                                                      static_cast<uint32_t>(weights.name(number).size())};
    }
  });
}

void MixtureSums::add(std::span<const Block> blocks, size_t range, std::span<const MixtureSource> sources,
                      std::span<const SourceUse> uses) {
  for (const Block& block : blocks) {
    const auto entries =
        std::span(block.entries).subspan(block.begins[range], block.begins[range + 1] - block.begins[range]);
    const auto repeated = block.source == 0
                              ? ranges_[range].add_start(entries)
                              : ranges_[range].add(entries, block.source, uses[block.source - 1].share);
    if (repeated) throw sources[block.source].repeated(*repeated);
  }
}

}  // namespace tunesmith::optimizers
