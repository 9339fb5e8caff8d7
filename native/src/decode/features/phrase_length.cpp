#include "tunesmith/decode/features/phrase_length.h"

#include <algorithm>

#include "tunesmith/grammar/rule.h"

namespace tunesmith::decode::features {

namespace {

std::string word_count(std::span<const grammar::Symbol> symbols) {
  return std::to_string(symbols.size() -
                        static_cast<size_t>(std::ranges::count_if(symbols, grammar::is_gap)));
}

}  // namespace

void PhraseLengthFeature::values(const Option& option, std::span<const std::string_view>, const TargetWords&,
                                 FeatureSink& sink) const {
  sink.add(name_ + "_" + word_count(option.source) + "x" + word_count(option.words), 1);
}

}  // namespace tunesmith::decode::features
