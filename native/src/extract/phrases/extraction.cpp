#include "tunesmith/extract/phrases/extraction.h"

#include <limits>
#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::extract::phrases {

void unpack_links(LinkBits bits, int source_length, int target_length, std::vector<corpus::Link>& links) {
  for (int32_t source = 0; source < source_length; ++source)
    for (int32_t target = 0; target < target_length; ++target)
      if (bits >> (target * source_length + source) & 1) links.push_back({source, target});
}

PhraseExtractor::PhraseExtractor(int max_length, tables::OrientationEvents events)
    : max_length_(max_length), orientations_(events) {
  if (max_length < 1 || max_length > kMaxPhraseLength)
    throw InputError("expected a phrase length of 1 to " + std::to_string(kMaxPhraseLength) +
                     " words, found " + std::to_string(max_length));
}

std::span<const PhraseInstance> PhraseExtractor::extract(int source_length, int target_length,
                                                         std::span<const corpus::Link> links) {
  instances_.clear();
  short_blocks_.clear();
  if (links.empty()) return instances_;
  orientations_.reset(source_length, target_length, links);
  find_blocks(source_length, target_length, links);
  for (const auto& block : short_blocks_) add_instances(block);
  return instances_;
}

void PhraseExtractor::find_blocks(int source_length, int target_length, std::span<const corpus::Link> links) {
  const auto source_size = static_cast<size_t>(source_length);
  const auto target_size = static_cast<size_t>(target_length);
  first_link_.assign(target_size, std::numeric_limits<int>::max());
  last_link_.assign(target_size, -1);
  source_links_.assign(source_size + 1, 0);
  target_links_.assign(target_size + 1, 0);
  if (sources_of_.size() < target_size) sources_of_.resize(target_size);
  for (size_t target = 0; target < target_size; ++target) sources_of_[target].clear();
  for (const corpus::Link& link : links) {
    const auto target = static_cast<size_t>(link.target);
    first_link_[target] = std::min(first_link_[target], link.source);
    last_link_[target] = std::max(last_link_[target], link.source);
    sources_of_[target].push_back(link.source);
    ++source_links_[static_cast<size_t>(link.source) + 1];
    ++target_links_[target + 1];
  }
  for (size_t i = 0; i < source_size; ++i) source_links_[i + 1] += source_links_[i];
  for (size_t j = 0; j < target_size; ++j) target_links_[j + 1] += target_links_[j];
  free_before_.assign(source_size + 1, 0);
  free_after_.assign(source_size + 1, 0);
  for (size_t i = 1; i < source_size; ++i)
    if (source_links_[i] == source_links_[i - 1]) free_before_[i] = free_before_[i - 1] + 1;
  for (size_t i = source_size - 1; i-- > 0;)
    if (source_links_[i + 2] == source_links_[i + 1]) free_after_[i] = free_after_[i + 1] + 1;

  for (int begin = 0; begin < target_length; ++begin) {
    int first = std::numeric_limits<int>::max(), last = -1;
    for (int end = begin + 1; end <= target_length; ++end) {
      first = std::min(first, first_link_[static_cast<size_t>(end) - 1]);
      last = std::max(last, last_link_[static_cast<size_t>(end) - 1]);
      if (last < 0) continue;
      // Every link of the target side ends in [first, last]; none comes from outside if both sides have the
      // same number of links.
      if (source_links_[static_cast<size_t>(last) + 1] - source_links_[static_cast<size_t>(first)] !=
          target_links_[static_cast<size_t>(end)] - target_links_[static_cast<size_t>(begin)])
        continue;
      tables::OrientationReader::Block block{};
      block.target_begin = begin;
      block.target_end = end;
      block.last_begin = first;
      block.first_begin = first - free_before_[static_cast<size_t>(first)];
      block.first_end = last;
      block.last_end = last + free_after_[static_cast<size_t>(last)];
      block.is_short = end - begin <= max_length_ && last - first < max_length_;
      block.short_begin = std::max(block.first_begin, last - max_length_ + 1);
      block.short_end = std::min(block.last_end, first + max_length_ - 1);
      orientations_.add(block);
      if (block.is_short) short_blocks_.push_back(block);
    }
  }
}

void PhraseExtractor::add_instances(const tables::OrientationReader::Block& block) {
  for (int begin = block.short_begin; begin <= block.last_begin; ++begin) {
    for (int last = block.first_end; last <= block.short_end && last - begin < max_length_; ++last) {
      PhraseInstance instance{{begin, last + 1, block.target_begin, block.target_end}, 0, {}};
      const int length = last + 1 - begin;
      for (int target = block.target_begin; target < block.target_end; ++target)
        for (int source : sources_of_[static_cast<size_t>(target)])
          instance.links |= LinkBits{1} << ((target - block.target_begin) * length + source - begin);
      instance.orientations = orientations_.read(instance.span);
      instances_.push_back(instance);
    }
  }
}

}  // namespace tunesmith::extract::phrases
