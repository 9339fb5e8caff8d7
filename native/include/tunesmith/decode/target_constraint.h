// Forced decoding: a feature that forbids all derivations that do not produce a given target.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tunesmith/decode/model.h"

namespace tunesmith::decode {

/// The words that a translation must have, numbered by the decoder.
class RequiredTarget {
 public:
  static constexpr int32_t kNowhere = -1;  // a word that neither the model nor the input has

  /// `passed` are the words after those of the model; of equal ones the first is used.
  void assign(const DecoderModel& model, std::string_view text, const Texts& passed);

  size_t size() const { return words_.size(); }
  std::span<const int32_t> words() const { return words_; }
  /// Whether the words agree with the target from a position on, up to the target's end.
  bool goes_on(size_t position, std::span<const int32_t> words) const;
  /// The first position of a word, and the next position of the word at a position; `size` if there is none.
  size_t first_place(int32_t word) const {
    const auto found = first_.find(word);
    return found == first_.end() ? size() : found->second;
  }
  size_t next_place(size_t place) const { return next_[place]; }
  /// Calls body(position) for each occurrence of the words in the target, until it returns true; returns
  /// whether it did. O(occurrences of the first word).
  template <class Body>
  bool any_place(std::span<const int32_t> words, Body body) const {
    if (words.empty()) return false;
    for (size_t place = first_place(words[0]); place + words.size() <= size(); place = next_place(place))
      if (goes_on(place, words) && body(static_cast<uint32_t>(place))) return true;
    return false;
  }
  /// Whether the words occur in the target; the empty sequence does.
  bool has(std::span<const int32_t> words) const {
    return words.empty() || any_place(words, [](uint32_t) { return true; });
  }

 private:
  std::vector<int32_t> words_;
  std::vector<uint32_t> next_;
  std::unordered_map<int32_t, uint32_t> first_;
};

/// Forbids every step whose words do not continue the required target, and ending before the target does. Its
/// state is the number of target words so far; after a required prefix everything is allowed. A request
/// without a target is not constrained. It has no columns and changes no score.
///
/// In a chart it is the exact intersection with the target: the yield of a sub-derivation must occur in it,
/// at its begin if the sub-derivation begins the sentence. The state is the first occurrence and the length.
/// A required prefix is a target followed by anything: a yield occurs where its words agree with the prefix
/// up to the prefix's end, and any yield occurs at that end at the latest.
class TargetConstraint : public StatefulFeature {
 public:
  /// `model` is the model to which the feature is added.
  explicit TargetConstraint(const DecoderModel& model) : model_(model) {}

  std::vector<std::string> names() const override { return {}; }
  bool has_lookahead() const override { return true; }
  float most_expected(const FeatureWeights&) const override { return 0; }
  std::unique_ptr<FeatureSession> session(const FeatureWeights&, size_t offset) const override;
  std::unique_ptr<FeatureSession> chart_session(const FeatureWeights&, size_t offset) const override;

 private:
  const DecoderModel& model_;
};

}  // namespace tunesmith::decode
