// Builder of the file that NgramLm maps, from the n-grams of an estimator or an ARPA file.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tunesmith/lm/model.h"
#include "tunesmith/lm/sink.h"
#include "tunesmith/lm/table_builder.h"

namespace tunesmith::lm {

/// Builds the tables in memory (as large as the file) and writes them at the end. A query reaches an n-gram
/// through its suffixes, and its context must be a state; if a pruned model lacks either, a blank is
/// inserted, with the probability that backing off gives and no back-off of its own.
class NgramLmBuilder : public NgramSink {
 public:
  explicit NgramLmBuilder(const std::string& path, corpus::ClassMap classes = {});

  void begin(const Texts& words, std::span<const uint64_t> counts) override;
  void add(std::span<const int32_t> words, float log10_probability, float log10_backoff) override;
  void end() override;

  const NgramLmFacts& facts() const { return facts_; }

 private:
  static constexpr size_t kPending = 64;
  struct Pending {
    uint64_t prefix, suffix;
    int32_t words[kMaxLmOrder];
  };

  void close_order();
  void mark_pending();
  void mark(std::span<const int32_t> words, uint64_t prefix, uint64_t suffix);
  NgramWeights& require(std::span<const int32_t> words, uint64_t hash);
  void write();

  std::string path_;
  corpus::ClassMap classes_;
  NgramLmFacts facts_;
  corpus::Vocabulary words_;
  uint32_t order_ = 0;  // of the model
  uint32_t adding_ = 1;
  uint64_t added_ = 0;
  std::vector<NgramWeights> unigrams_;  // NaN until the word is added
  std::array<NgramTableBuilder<MiddleLine>, kMaxLmOrder> middle_;
  NgramTableBuilder<LongestLine> longest_;
  std::vector<Pending> pending_;  // their prefixes and suffixes are being prefetched
};

}  // namespace tunesmith::lm
