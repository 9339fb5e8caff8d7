#include "tunesmith/corpus/word_order.h"

#include <algorithm>
#include <cstdlib>

#include "tunesmith/base/parallel.h"

namespace tunesmith::corpus {

namespace {

constexpr size_t kChunk = 4096;

using Side = int32_t OrderBlock::*;

/// Joins neighbors that overlap on a side, after sorting by it; returns whether any did.
bool join_overlapping(std::vector<OrderBlock>& blocks, Side begin, Side end) {
  std::sort(blocks.begin(), blocks.end(),
            [&](const OrderBlock& a, const OrderBlock& b) { return a.*begin < b.*begin; });
  size_t kept = 0;
  for (size_t i = 1; i < blocks.size(); ++i) {
    OrderBlock& last = blocks[kept];
    const OrderBlock& next = blocks[i];
    if (next.*begin < last.*end) {
      last = {std::min(last.source_begin, next.source_begin), std::max(last.source_end, next.source_end),
              std::min(last.target_begin, next.target_begin), std::max(last.target_end, next.target_end)};
    } else {
      blocks[++kept] = next;
    }
  }
  const bool joined = kept + 1 < blocks.size();
  if (joined) blocks.resize(kept + 1);
  return joined;
}

void count(std::vector<int64_t>& histogram, int32_t value) {
  const auto index = static_cast<size_t>(value);
  if (index >= histogram.size()) histogram.resize(index + 1);
  ++histogram[index];
}

void add(std::vector<int64_t>& sum, const std::vector<int64_t>& part) {
  if (sum.size() < part.size()) sum.resize(part.size());
  for (size_t i = 0; i < part.size(); ++i) sum[i] += part[i];
}

/// `blocks` are in source order.
void count_spans(std::span<const OrderBlock> blocks, WordOrder& order) {
  std::vector<int32_t> first_later(blocks.size() + 1, INT32_MAX);  // least target begin from block i on
  for (size_t i = blocks.size(); i-- > 0;)
    first_later[i] = std::min(first_later[i + 1], blocks[i].target_begin);
  int32_t last_target = 0, widest = 0;
  size_t first = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    last_target = std::max(last_target, blocks[i].target_end);
    if (first_later[i + 1] < last_target) continue;
    const int32_t span = i == first ? 0 : blocks[i].source_end - blocks[first].source_begin;
    count(order.spans, span);
    widest = std::max(widest, span);
    first = i + 1;
  }
  count(order.widest_spans, widest);
}

void count_jumps(std::vector<OrderBlock>& blocks, WordOrder& order) {
  std::sort(blocks.begin(), blocks.end(),
            [](const OrderBlock& a, const OrderBlock& b) { return a.target_begin < b.target_begin; });
  int32_t last_end = 0, longest = 0;
  for (const OrderBlock& block : blocks) {
    const int32_t jump = std::abs(block.source_begin - last_end);
    count(order.jumps, jump);
    longest = std::max(longest, jump);
    last_end = block.source_end;
  }
  count(order.longest_jumps, longest);
}

int64_t count_unaligned(size_t length, std::span<const Link> links, int32_t Link::* side) {
  std::vector<bool> aligned(length);
  for (const Link& link : links) aligned[static_cast<size_t>(link.*side)] = true;
  return std::count(aligned.begin(), aligned.end(), false);
}

void measure(size_t source_length, size_t target_length, std::span<const Link> links, WordOrder& order) {
  ++order.pairs;
  order.source_words += static_cast<int64_t>(source_length);
  order.target_words += static_cast<int64_t>(target_length);
  order.unaligned_source += count_unaligned(source_length, links, &Link::source);
  order.unaligned_target += count_unaligned(target_length, links, &Link::target);
  if (links.empty()) return;
  std::vector<OrderBlock> blocks = minimal_blocks(static_cast<int32_t>(source_length), links);
  count_spans(blocks, order);
  count_jumps(blocks, order);
}

}  // namespace

std::vector<OrderBlock> minimal_blocks(int32_t source_length, std::span<const Link> links) {
  std::vector<OrderBlock> blocks;
  blocks.reserve(links.size());
  for (const Link& link : links)
    blocks.push_back({link.source, link.source + 1, link.target, link.target + 1});
  if (blocks.empty()) return blocks;
  do join_overlapping(blocks, &OrderBlock::target_begin, &OrderBlock::target_end);
  while (join_overlapping(blocks, &OrderBlock::source_begin, &OrderBlock::source_end));
  blocks.front().source_begin = 0;
  for (size_t i = 0; i + 1 < blocks.size(); ++i) blocks[i].source_end = blocks[i + 1].source_begin;
  blocks.back().source_end = source_length;
  return blocks;
}

WordOrder measure_word_order(const Alignments& alignments, const Sentences& source, const Sentences& target,
                             int threads) {
  check_alignments(alignments, source, target);
  std::vector<WordOrder> parts(chunk_count(alignments.size(), kChunk));
  parallel_chunks(alignments.size(), kChunk, threads, [&](size_t chunk, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      measure(source[i].size(), target[i].size(), alignments[i], parts[chunk]);
  });
  WordOrder sum;
  for (const WordOrder& part : parts) {
    add(sum.jumps, part.jumps);
    add(sum.longest_jumps, part.longest_jumps);
    add(sum.spans, part.spans);
    add(sum.widest_spans, part.widest_spans);
    sum.pairs += part.pairs;
    sum.source_words += part.source_words;
    sum.target_words += part.target_words;
    sum.unaligned_source += part.unaligned_source;
    sum.unaligned_target += part.unaligned_target;
  }
  return sum;
}

}  // namespace tunesmith::corpus
