#include "tunesmith/metrics/edit_distance.h"

#include <algorithm>
#include <numeric>

#include "tunesmith/base/parallel.h"
#include "tunesmith/metrics/words.h"

namespace tunesmith::metrics {

void EditDistance::set_reference(std::span<const int32_t> reference) {
  length_ = reference.size();
  blocks_ = (length_ + 63) / 64;
  last_bit_ = length_ == 0 ? 0 : uint64_t{1} << ((length_ - 1) % 64);
  const size_t words = length_ == 0 ? 0 : 1 + size_t(*std::max_element(reference.begin(), reference.end()));
  starts_.assign(words + 1, 0);
  for (int32_t word : reference) ++starts_[word + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  positions_.resize(length_);
  std::vector<size_t> next(starts_.begin(), starts_.end());
  for (size_t i = 0; i < length_; ++i) positions_[next[reference[i]]++] = i;
  masks_.assign(blocks_ == 1 ? words : 0, 0);
  for (size_t w = 0; w < masks_.size(); ++w)
    for (size_t k = starts_[w]; k < starts_[w + 1]; ++k) masks_[w] |= uint64_t{1} << positions_[k];
  bits_.assign(blocks_, 0);
  known_.clear();
  known_distances_.clear();
}

void EditDistance::start() {
  column_.assign(blocks_, {~uint64_t{0}, 0});
  distance_ = length_;
}

const uint64_t* EditDistance::equal_bits(int32_t word) {
  const bool known = word >= 0 && size_t(word) + 1 < starts_.size();
  if (known && blocks_ == 1) return &masks_[word];
  std::fill(bits_.begin(), bits_.end(), 0);
  if (known)
    for (size_t k = starts_[word]; k < starts_[word + 1]; ++k)
      bits_[positions_[k] / 64] |= uint64_t{1} << (positions_[k] % 64);
  return bits_.data();
}

void EditDistance::advance(int32_t word) {
  if (length_ == 0) {
    ++distance_;
    return;
  }
  const uint64_t* bits = equal_bits(word);
  int carry = 1;  // horizontal difference in the row above the block: the first row rises by 1 per word
  for (size_t b = 0; b < blocks_; ++b) {
    auto& [up, down] = column_[b];
    const uint64_t equal = bits[b] | (carry < 0 ? 1 : 0);
    const uint64_t vertical = bits[b] | down;
    const uint64_t horizontal = (((equal & up) + up) ^ up) | equal;
    uint64_t rise = down | ~(horizontal | up);
    uint64_t fall = up & horizontal;
    const uint64_t last = b + 1 == blocks_ ? last_bit_ : uint64_t{1} << 63;
    const int next = rise & last ? 1 : fall & last ? -1 : 0;
    rise = (rise << 1) | (carry > 0 ? 1 : 0);
    fall = (fall << 1) | (carry < 0 ? 1 : 0);
    up = fall | ~(vertical | rise);
    down = rise & vertical;
    carry = next;
  }
  distance_ += carry;
}

size_t EditDistance::operator()(std::span<const int32_t> hypothesis, size_t kept) {
  if (kept == 0) {
    start();
  } else {
    column_.assign(known_.begin() + kept * blocks_, known_.begin() + (kept + 1) * blocks_);
    distance_ = known_distances_[kept];
  }
  for (int32_t word : hypothesis.subspan(kept)) advance(word);
  return distance_;
}

size_t EditDistance::remember(std::span<const int32_t> hypothesis) {
  start();
  known_ = column_;
  known_distances_ = {distance_};
  for (int32_t word : hypothesis) {
    advance(word);
    known_.insert(known_.end(), column_.begin(), column_.end());
    known_distances_.push_back(distance_);
  }
  return distance_;
}

void wer_stats(const Texts& hypotheses, std::span<const int64_t> lists, const std::vector<Texts>& references,
               int threads, std::span<double> out) {
  constexpr size_t kListsPerChunk = 64;
  parallel_chunks(lists.size() - 1, kListsPerChunk, threads, [&](size_t, size_t begin, size_t end) {
    std::vector<EditDistance> distances(references.size());
    ReferenceWords words;
    for (size_t list = begin; list < end; ++list) {
      words.read(references, list);
      for (size_t r = 0; r < references.size(); ++r) distances[r].set_reference(words.ids()[r]);
      for (int64_t h = lists[list]; h < lists[list + 1]; ++h) {
        const auto& hypothesis = words.find(hypotheses[h]);
        size_t edits = SIZE_MAX;
        for (EditDistance& distance : distances) edits = std::min(edits, distance(hypothesis));
        out[2 * h] = double(edits);
        out[2 * h + 1] = words.mean_length();
      }
    }
  });
}

}  // namespace tunesmith::metrics
