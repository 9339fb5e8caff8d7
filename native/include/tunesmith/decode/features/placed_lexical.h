// Sparse features of rules and their place in the input: word pairs in context, distortion, span lengths.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/decode/features/lexical_pairs.h"

namespace tunesmith::decode::features {

/// Sizes from this on are one: names have 1 to 9 and 10.
inline constexpr uint32_t kMostColumns = 10;

/// Word pairs in context (Chiang, Knight and Wang 2009): `NAME_f_e_l_g` and `NAME_f_e_r_h` count the links of
/// a source word f and a target word e with the source words g before and h after f; <s> and </s> at the
/// ends. Only listed pairs count. A lattice has no words before and after, and no such features.
class ContextPairFeature : public PlacedFeature {
 public:
  /// `pairs` are words; the features have their labels and those of the source words beside them.
  ContextPairFeature(LexicalParts parts, const std::vector<std::pair<std::string, std::string>>& pairs);
  ContextPairFeature(const ContextPairFeature&) = delete;  // labels view its own text

  std::vector<std::string> names() const override { return {}; }
  void attach(Texts target_words) override;
  std::unique_ptr<PlacedSession> session(const DecoderInput& input) const override;

  const Label& prefix() const { return prefix_; }
  const WordLabels& source_labels() const { return *source_labels_; }
  const TargetLabels& target_labels() const { return target_labels_; }
  const Whitelist& only() const { return only_; }
  /// The number of a source word of a listed pair; NameTable::kUnknown of others.
  int32_t source_number(std::string_view word) const { return sources_.find(word); }
  bool is_listed(int32_t source, int32_t word, const TargetWords& words) const;

 private:
  std::string prefix_text_;
  Label prefix_;
  std::shared_ptr<const WordLabels> source_labels_;
  TargetLabels target_labels_;
  Whitelist only_;
  NameTable sources_, targets_;          // words of listed pairs
  FlatMap<char> pairs_;                  // by the numbers of both
  std::vector<int32_t> target_numbers_;  // of the model's target words
};

/// Structural distortion (after Chiang, Marton and Resnik 2008): `NAME_m_K` and `NAME_r_K` count the gaps
/// that cover K columns, 10 if more, and keep (m) or change (r) their order to another gap or a linked word
/// of the rule.
class StructuralDistortionFeature : public PlacedFeature {
 public:
  explicit StructuralDistortionFeature(LexicalParts parts);
  StructuralDistortionFeature(const StructuralDistortionFeature&) = delete;  // names view its own texts

  std::vector<std::string> names() const override { return {}; }
  std::unique_ptr<PlacedSession> session(const DecoderInput& input) const override;
  /// The name of a gap's feature; texts are kept.
  weights::FeatureName name(bool is_reordered, uint32_t columns) const;
  const Whitelist& only() const { return only_; }

 private:
  std::array<std::string, 2 * kMostColumns> texts_;
  std::array<std::string_view, 2 * kMostColumns> views_;
  std::array<uint64_t, 2 * kMostColumns> keys_;
  Whitelist only_;
};

/// `NAME_K`: the number of rules with gaps that cover K columns, 10 if more.
class SpanLengthFeature : public PlacedFeature {
 public:
  explicit SpanLengthFeature(LexicalParts parts);
  SpanLengthFeature(const SpanLengthFeature&) = delete;  // names view its own texts

  std::vector<std::string> names() const override { return {}; }
  std::unique_ptr<PlacedSession> session(const DecoderInput& input) const override;
  weights::FeatureName name(uint32_t columns) const;
  const Whitelist& only() const { return only_; }

 private:
  std::array<std::string, kMostColumns> texts_;
  std::array<std::string_view, kMostColumns> views_;
  std::array<uint64_t, kMostColumns> keys_;
  Whitelist only_;
};

}  // namespace tunesmith::decode::features
