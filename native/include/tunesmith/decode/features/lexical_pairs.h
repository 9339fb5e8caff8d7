// Sparse features of the words of phrase pairs and rules: identity, shape, word translations, unaligned
// words.
#pragma once

#include <memory>
#include <string>

#include "tunesmith/decode/features/name_filter.h"
#include "tunesmith/decode/features/word_labels.h"

namespace tunesmith::decode::features {

/// What the lexical templates of pairs share: the start of their names, labels of the words of both sides,
/// and a whitelist.
struct LexicalParts {
  std::string name;
  std::shared_ptr<const WordLabels> source = std::make_shared<const WordLabels>();
  std::shared_ptr<const WordLabels> target = std::make_shared<const WordLabels>();
  Whitelist only = nullptr;
};

/// Indicators of the words of a pair. Values are not stored with options: there are too many names.
class LexicalPairFeature : public PairFeature {
 public:
  explicit LexicalPairFeature(LexicalParts parts)
      : prefix_text_(parts.name + "_"),
        prefix_(prefix_text_),
        source_(std::move(parts.source)),
        target_(std::move(parts.target)),
        only_(std::move(parts.only)) {}
  LexicalPairFeature(const LexicalPairFeature&) = delete;  // labels view its own text

  std::vector<std::string> names() const override { return {}; }
  bool is_stored() const override { return false; }
  void attach(Texts target_words) override { target_.attach(target_words); }

 protected:
  Label prefix() const { return prefix_; }
  const WordLabels& source_labels() const { return *source_; }
  const TargetLabels& target_labels() const { return target_; }
  const Whitelist& only() const { return only_; }

 private:
  std::string prefix_text_;
  Label prefix_;  // the name and an underscore
  std::shared_ptr<const WordLabels> source_;
  TargetLabels target_;
  Whitelist only_;
};

/// `NAME_f1_X1_~_X1_e1`: an indicator of the whole rule.
class RuleIdentityFeature : public LexicalPairFeature {
 public:
  using LexicalPairFeature::LexicalPairFeature;
  void values(const Option& option, std::span<const std::string_view> source, const TargetWords& words,
              FeatureSink& sink) const override;
};

/// `NAME_w_X1_~_X1_w`: the rule with each run of words replaced by `w` (Simianer, Riezler and Dyer 2012).
class RuleShapeFeature : public LexicalPairFeature {
 public:
  using LexicalPairFeature::LexicalPairFeature;
  void values(const Option& option, std::span<const std::string_view> source, const TargetWords& words,
              FeatureSink& sink) const override;
};

/// `NAME_f_e`: the number of links between a source word f and a target word e. With `sees_unknown`, words
/// that are passed through are linked to themselves.
class WordTranslationFeature : public LexicalPairFeature {
 public:
  WordTranslationFeature(LexicalParts parts, bool sees_unknown)
      : LexicalPairFeature(std::move(parts)), sees_unknown_(sees_unknown) {}
  bool sees_unknown_words() const override { return sees_unknown_; }
  void values(const Option& option, std::span<const std::string_view> source, const TargetWords& words,
              FeatureSink& sink) const override;

 private:
  bool sees_unknown_;
};

/// `NAME_f`: the number of source words f of a pair that have no link.
class WordDeletionFeature : public LexicalPairFeature {
 public:
  using LexicalPairFeature::LexicalPairFeature;
  void values(const Option& option, std::span<const std::string_view> source, const TargetWords& words,
              FeatureSink& sink) const override;
};

/// `NAME_e`: the number of target words e of a pair that have no link.
class WordInsertionFeature : public LexicalPairFeature {
 public:
  using LexicalPairFeature::LexicalPairFeature;
  void values(const Option& option, std::span<const std::string_view> source, const TargetWords& words,
              FeatureSink& sink) const override;
};

/// `NAME_a_b`: the number of adjacent words a b within the target side of a pair.
class InnerBigramFeature : public LexicalPairFeature {
 public:
  using LexicalPairFeature::LexicalPairFeature;
  bool sees_unknown_words() const override { return true; }
  void values(const Option& option, std::span<const std::string_view> source, const TargetWords& words,
              FeatureSink& sink) const override;
};

/// `NAME_sS`, `NAME_tT` and `NAME_SxT` for S source words and T target words; gaps are not counted.
class LengthFeature : public LexicalPairFeature {
 public:
  using LexicalPairFeature::LexicalPairFeature;
  bool sees_unknown_words() const override { return true; }
  void values(const Option& option, std::span<const std::string_view> source, const TargetWords& words,
              FeatureSink& sink) const override;
};

}  // namespace tunesmith::decode::features
