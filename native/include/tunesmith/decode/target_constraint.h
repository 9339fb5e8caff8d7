// Decoding to a given target: a feature that forbids all else.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tunesmith/decode/model.h"

namespace tunesmith::decode {

/// The words that a translation must have, in the numbers of a decoder.
class RequiredTarget {
 public:
  static constexpr int32_t kNowhere = -1;  // a word that neither a table nor the input has

  /// `passed` are the words after those of the tables; of equal ones the first counts.
  void assign(const DecoderModel& model, std::string_view text, const Texts& passed);

  size_t size() const { return words_.size(); }
  std::span<const int32_t> words() const { return words_; }
  /// Whether the target goes on with these words at a position, up to its own end.
  bool goes_on(size_t position, std::span<const int32_t> words) const;
  /// The first place of a word, and the next place of the word at a place; `size` if there is none.
  size_t first_place(int32_t word) const {
    const auto found = first_.find(word);
    return found == first_.end() ? size() : found->second;
  }
  size_t next_place(size_t place) const { return next_[place]; }
  /// Calls body(position) wherever the words stand in the target, until it returns true; returns whether it
  /// did. O(places of the first word).
  template <class Body>
  bool any_place(std::span<const int32_t> words, Body body) const {
    if (words.empty()) return false;
    for (size_t place = first_place(words[0]); place + words.size() <= size(); place = next_place(place))
      if (goes_on(place, words) && body(static_cast<uint32_t>(place))) return true;
    return false;
  }
  /// Whether the words stand somewhere in the target; no words do.
  bool has(std::span<const int32_t> words) const {
    return words.empty() || any_place(words, [](uint32_t) { return true; });
  }

 private:
  std::vector<int32_t> words_;
  std::vector<uint32_t> next_;
  std::unordered_map<int32_t, uint32_t> first_;
};

/// Forbids every step whose words do not continue the required target, and ends before the target's. Its
/// state is the number of target words so far; after a required prefix all is allowed. A request without a
/// target is not touched. It has no columns: it changes no score.
///
/// In a chart it is the exact intersection with the target: the yield of a piece must stand somewhere in it,
/// at its begin if the piece begins the sentence, and the state is where it stands first, and its length. A
/// required prefix is a target with anything after it: a piece stands where its words agree with the prefix
/// up to the prefix's end, and any piece stands there at the latest.
class TargetConstraint : public StatefulFeature {
 public:
  /// The model to which it is added.
  explicit TargetConstraint(const DecoderModel& model) : model_(model) {}

  std::vector<std::string> names() const override { return {}; }
  bool foresees() const override { return true; }
  float most_expected(const FeatureWeights&) const override { return 0; }
  std::unique_ptr<FeatureSession> session(const FeatureWeights&, size_t offset) const override;
  std::unique_ptr<FeatureSession> chart_session(const FeatureWeights&, size_t offset) const override;

 private:
  const DecoderModel& model_;
};

}  // namespace tunesmith::decode
