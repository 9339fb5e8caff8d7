// Decoding to a given target: a feature that forbids all else.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tunesmith/decoder_model.h"

namespace tunesmith {

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
  /// Calls body(position) wherever the words stand in the target, until it returns true; returns whether it
  /// did. O(places of the first word).
  template <class Body>
  bool any_place(std::span<const int32_t> words, Body body) const {
    if (words.empty()) return false;
    const auto found = places_.find(words[0]);
    if (found == places_.end()) return false;
    for (const uint32_t place : found->second)
      if (place + words.size() <= words_.size() && goes_on(place, words) && body(place)) return true;
    return false;
  }
  /// Whether the words stand somewhere in the target; no words do.
  bool has(std::span<const int32_t> words) const {
    return words.empty() || any_place(words, [](uint32_t) { return true; });
  }

 private:
  std::vector<int32_t> words_;
  std::unordered_map<int32_t, std::vector<uint32_t>> places_;
};

/// Forbids every step whose words do not continue the required target, and ends before the target's. Its
/// state is the number of target words so far; after a required prefix all is allowed. A request without a
/// target is not touched. It has no columns: it changes no score.
class TargetConstraint : public StatefulFeature {
 public:
  /// The model to which it is added.
  explicit TargetConstraint(const DecoderModel& model) : model_(model) {}

  std::vector<std::string> names() const override { return {}; }
  bool foresees() const override { return true; }
  std::unique_ptr<FeatureSession> session(const FeatureWeights&, size_t offset) const override;

 private:
  const DecoderModel& model_;
};

}  // namespace tunesmith
