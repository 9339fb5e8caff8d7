// The rules of sentences from an index of the training text, each without the sentence itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/decode/translation.h"
#include "tunesmith/extract/on_demand/extraction.h"

namespace tunesmith::reestimate {

/// Extracts the grammar of a sentence when it is decoded, on the thread that decodes it: no grammar is kept.
class IndexRules {
 public:
  struct Options {
    std::vector<uint32_t> columns;   // features of rules that the model has, of rules::rule_features
    std::vector<std::string> names;  // the model's names of these
    bool coherent = true;            // see extract::on_demand::scored
    grammar::GrammarLimits limits;
    bool leave_one_out = false;  // sentences are those of the index, by row, and are left out of it
  };

  /// The extractor must outlive it.
  IndexRules(extract::on_demand::GrammarExtractor& extractor, Options options)
      : extractor_(extractor), options_(std::move(options)) {}

  /// Adds the grammar of a tokenized sentence to its request. Thread-safe.
  void add(std::string_view source, uint32_t row, decode::DecoderRequest& request) const;

 private:
  extract::on_demand::GrammarExtractor& extractor_;
  Options options_;
};

}  // namespace tunesmith::reestimate
