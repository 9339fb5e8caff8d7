// How long the phrases of a pair are.
#pragma once

#include "tunesmith/decoder_feature.h"

namespace tunesmith {

/// An indicator `name_SxT` for each length S of a source phrase and T of a target phrase.
class PhraseLengthFeature : public PairFeature {
 public:
  explicit PhraseLengthFeature(std::string name) : name_(std::move(name)) {}

  std::vector<std::string> names() const override { return {}; }
  void values(const Option& option, std::span<const std::string_view> source, const TargetWords& words,
              FeatureSink& sink) const override;

 private:
  std::string name_;
};

}  // namespace tunesmith
