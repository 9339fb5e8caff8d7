#include "tunesmith/metrics/ter.h"

#include <algorithm>
#include <tuple>

#include "tunesmith/base/parallel.h"
#include "tunesmith/metrics/banded_alignment.h"
#include "tunesmith/metrics/edit_distance.h"
#include "tunesmith/metrics/words.h"

namespace tunesmith::metrics {

namespace {

constexpr size_t kLongestShift = 10;
constexpr size_t kFarthestShift = 50;
constexpr int kMostCandidates = 1000;
// Up to this many 64-bit blocks the bit-parallel distance is cheaper than the banded one.
constexpr size_t kMostBlocks = 8;

using Words = std::vector<int32_t>;

/// Moves words [start, start + length) to just before the word now at `target`; a target inside the block
/// moves it that far to the right.
struct Shift {
  size_t start, length, target;

  size_t first_change() const { return std::min(start, target); }

  void apply(Words& words) const {
    const auto begin = words.begin();
    const size_t end = start + length;
    if (target < start)
      std::rotate(begin + target, begin + start, begin + end);
    else if (target > end)
      std::rotate(begin + start, begin + end, begin + target);
    else
      std::rotate(begin + start, begin + end, begin + std::min(words.size(), target + length));
  }
};

/// Counts the edits between hypotheses and one reference.
class TerCounter {
 public:
  void set_reference(const Words& reference) {
    reference_ = reference;
    exact_.set_reference(reference_);
  }

  size_t edits(const Words& hypothesis) {
    if (reference_.empty()) return hypothesis.size();
    words_ = hypothesis;
    size_t shifts = 0;
    for (candidates_ = 0;; ++shifts) {
      distance_ = banded_(words_, reference_);
      banded_.trace();
      if (!find_best_shift() || candidates_ >= kMostCandidates) return shifts + size_t(distance_);
      best_.shift.apply(words_);
    }
  }

 private:
  struct Best {
    int32_t gain = 0;
    Shift shift{};
    /// More gain, then a longer block, then an earlier one, then an earlier target.
    bool before(int32_t other_gain, const Shift& other) const {
      return std::tuple(gain, shift.length, other.start, other.target) <
             std::tuple(other_gain, other.length, shift.start, shift.target);
    }
  };

  /// Tries every block of words that also occurs elsewhere in the reference.
  bool find_best_shift() {
    best_ = {};
    if (exact_.blocks() <= kMostBlocks) exact_.remember(words_);
    for (size_t start = 0; start < words_.size(); ++start) {
      const size_t first = start > kFarthestShift ? start - kFarthestShift : 0;
      const size_t last = std::min(reference_.size(), start + kFarthestShift + 1);
      for (size_t there = first; there < last; ++there) {
        const size_t most = std::min({kLongestShift, words_.size() - start, reference_.size() - there});
        for (size_t length = 1; length <= most; ++length) {
          if (words_[start + length - 1] != reference_[there + length - 1]) break;
          if (!worth_trying(start, there, length)) continue;
          try_targets(start, there, length);
          if (candidates_ >= kMostCandidates) return best_.gain > 0;
        }
      }
    }
    return best_.gain > 0;
  }

  /// A shift is tried if the block has an error, the reference span has one, and the block is not already
  /// aligned there.
  bool worth_trying(size_t start, size_t there, size_t length) const {
    const auto wrong = [length](const std::vector<char>& errors, size_t at) {
      return std::any_of(errors.begin() + at, errors.begin() + at + length, [](char e) { return e != 0; });
    };
    const int32_t aligned = banded_.aligned()[there];
    const bool inside = aligned >= int32_t(start) && aligned < int32_t(start + length);
    return wrong(banded_.hypothesis_errors(), start) && wrong(banded_.reference_errors(), there) && !inside;
  }

  void try_targets(size_t start, size_t there, size_t length) {
    int32_t tried = -1;
    for (size_t offset = 0; offset <= length; ++offset) {
      const size_t before = there + offset;  // the block goes after reference word before - 1
      const int32_t target = before == 0 ? 0 : banded_.aligned()[before - 1] + 1;
      if (target == tried) continue;
      tried = target;
      ++candidates_;
      const Shift shift{start, length, size_t(target)};
      const int32_t gain = distance_ - shifted_distance(shift, distance_ - std::max(1, best_.gain));
      if (gain > 0 && best_.before(gain, shift)) best_ = {gain, shift};
    }
  }

  /// The distance after a shift, or some larger value if it exceeds `most`.
  int32_t shifted_distance(const Shift& shift, int32_t most) {
    shifted_ = words_;
    shift.apply(shifted_);
    if (exact_.blocks() <= kMostBlocks) {
      const size_t exact = exact_(shifted_, shift.first_change());
      // The banded distance is never less, and equal where it is exact.
      if (int32_t(exact) > most || exact <= BandedAlignment::kExactUpTo) return int32_t(exact);
    }
    return trial_(shifted_, reference_);
  }

  Words reference_, words_, shifted_;
  EditDistance exact_;
  BandedAlignment banded_, trial_;
  int32_t distance_ = 0;
  int candidates_ = 0;
  Best best_;
};

}  // namespace

void ter_stats(const Texts& hypotheses, std::span<const int64_t> lists, const std::vector<Texts>& references,
               int threads, std::span<double> out) {
  constexpr size_t kListsPerChunk = 8;
  parallel_chunks(lists.size() - 1, kListsPerChunk, threads, [&](size_t, size_t begin, size_t end) {
    std::vector<TerCounter> counters(references.size());
    ReferenceWords words;
    for (size_t list = begin; list < end; ++list) {
      words.read(references, list);
      for (size_t r = 0; r < references.size(); ++r) counters[r].set_reference(words.ids()[r]);
      for (int64_t h = lists[list]; h < lists[list + 1]; ++h) {
        const Words& hypothesis = words.find(hypotheses[h]);
        size_t edits = SIZE_MAX;
        for (TerCounter& counter : counters) edits = std::min(edits, counter.edits(hypothesis));
        out[2 * h] = double(edits);
        out[2 * h + 1] = words.mean_length();
      }
    }
  });
}

}  // namespace tunesmith::metrics
