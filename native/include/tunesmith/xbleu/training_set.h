// Lists compiled for one feature set: what a learner passes over, in one scratch file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/base/scratch.h"
#include "tunesmith/xbleu/event_features.h"
#include "tunesmith/xbleu/list_file.h"

namespace tunesmith::xbleu {

/// A compiled list. Its events are groups of events that the same candidates use, and `uses` are the
/// candidates of each event, one event after the other. A candidate's score is
///   base + sum over events of sign * (sum of the weights of its features), once per use,
/// up to a number that all candidates of the list share: what all use is left out, and an event that most
/// use is represented by the candidates that do not, with the sign -1.
template <class Number>
struct TrainingList {
  std::span<const float> base;   // scores under the decoder's weights, without the largest one
  std::span<const float> gains;  // scores of the metric
  uint32_t best;                 // candidate with the largest gain, the first of equal ones
  uint32_t negatives;            // the first event with the sign -1; those after it have it, too
  std::span<const uint16_t> use_counts, feature_counts;  // by event
  const uint16_t* uses;
  const Number* features;
  std::span<const uint16_t> dense_columns;  // dense features that vary; none if the set does not keep them
  const float* dense;                       // their values, as `DenseValues` has them
  uint32_t reference_length;
  const Matches* matches;  // by candidate; null if the set does not keep them

  size_t size() const { return base.size(); }
  size_t events() const { return use_counts.size(); }
  /// Whether no candidate has a larger gain than another.
  bool is_even() const {
    return std::all_of(gains.begin(), gains.end(), [&](float gain) { return gain == gains[best]; });
  }
};

/// What lists became.
struct TrainingCounts {
  uint64_t candidates = 0;
  uint64_t events = 0;    // different events of the lists
  uint64_t groups = 0;    // events of the compiled lists
  uint64_t uses = 0;      // of compiled events
  uint64_t features = 0;  // of compiled events
};

/// Compiled lists in one file of the folder that has no name, so that it cannot be left behind; it is
/// mapped: the system holds in memory what fits. Lists follow each other in blocks.
class TrainingSet {
 public:
  /// Lists per block: what is shuffled at once and read ahead.
  static constexpr size_t kBlock = 1000;

  /// `is_small`: features are numbered by 16 bits. `has_matches`: statistics of BLEU are kept, for
  /// evaluation. `dense_features`: how many features of the decoder have values in the lists, 0 if those
  /// are not kept.
  TrainingSet(const std::string& folder, bool is_small, bool has_matches, size_t dense_features = 0);
  /// Maps lists that `write` wrote: a sealed set. Throws InputError for a foreign or damaged file.
  explicit TrainingSet(const std::string& path);

  /// Writes the lists [begin, end) of a sealed set to a file, for learners in other processes. The numbers of
  /// features stay as they are.
  void write(const std::string& path, size_t begin, size_t end) const;

  /// Appends a list; there is one gain per candidate. The file of the list must be the open one of
  /// `features`. O(events x candidates).
  void add(const ListView& list, std::span<const float> gains, EventFeatures& features,
           const DenseValues& dense = {});
  /// Maps the file; nothing may be added after it.
  void seal();

  size_t size() const { return offsets_.size() - 1; }
  size_t blocks() const { return (size() + kBlock - 1) / kBlock; }
  bool is_small() const { return is_small_; }
  bool has_matches() const { return has_matches_; }
  size_t bytes() const { return offsets_.back(); }
  /// Largest number of candidates or events of a list.
  size_t widest() const { return widest_; }
  const TrainingCounts& counts() const { return counts_; }
  size_t dense_features() const { return dense_squares_.size(); }
  /// Of each dense feature, within lists: root of the mean over candidates of (h - mean of the list)^2.
  std::vector<double> dense_deviations() const;
  /// Throws InputError unless the set is sealed and there is a weight for every feature of its lists.
  void check(size_t weights) const;

  /// `Number` is uint16_t if `is_small`, else uint32_t. The set must be sealed.
  template <class Number>
  TrainingList<Number> list(size_t number) const;
  /// The bytes of a block.
  std::span<const char> block(size_t number) const;

 private:
  template <class T>
  void append(const std::vector<T>& values);
  /// Checks a list of a file, and adds it to the counts. Throws InputError if it does not fit its bytes.
  template <class Number>
  void check_list(size_t number);

  std::unique_ptr<const Container> container_;  // of a set that was read
  Scratch scratch_;
  bool is_small_, has_matches_;
  std::vector<uint64_t> offsets_{0};
  std::string_view data_;
  size_t widest_ = 0;
  size_t least_weights_ = 0;  // one more than the largest number of a feature
  bool is_sealed_ = false;
  TrainingCounts counts_;
  std::vector<double> dense_squares_;  // sums over candidates of (h - mean of the list)^2
};

}  // namespace tunesmith::xbleu
