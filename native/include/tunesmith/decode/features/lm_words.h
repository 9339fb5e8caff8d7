// Maps the target words of options to the word numbers of a language model.
#pragma once

#include <vector>

#include "tunesmith/decode/features/lm.h"

namespace tunesmith::decode::features {

/// Words that are passed through are looked up once per sentence.
class LmWords {
 public:
  explicit LmWords(const LmFeature& feature) : feature_(feature) {}

  void begin(const DecoderInput& input) {
    words_ = input.words;
    passed_.clear();
    for (size_t i = 0; i < words_.passed.size(); ++i)
      passed_.push_back(feature_.model().find(words_.passed[i]));
  }
  uint32_t key(const Option& option) const { return option.phrase; }
  template <class Body>
  void for_each(const Option& option, Body body) const {
    for (const int32_t word : option.words) body(number(word));
  }
  int32_t number(int32_t word) const {
    const auto index = static_cast<size_t>(word);
    return index < words_.table.size() ? feature_.number(word, words_) : passed_[index - words_.table.size()];
  }

 private:
  const LmFeature& feature_;
  TargetWords words_;
  std::vector<int32_t> passed_;
};

}  // namespace tunesmith::decode::features
