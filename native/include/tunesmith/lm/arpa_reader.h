// Reader of language models in ARPA format.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/corpus/vocabulary.h"
#include "tunesmith/lm/sink.h"

namespace tunesmith::lm {

/// Sends the n-grams of an ARPA file to a sink, order by order. Fields are separated by tabs or spaces. If
/// the file has no `<unk>` (or `<UNK>`), one with the given log10 probability is added.
class ArpaReader : public LineParser {
 public:
  explicit ArpaReader(NgramSink& sink, float unknown_log10 = -100) : sink_(sink), unknown_(unknown_log10) {}

 protected:
  void parse_line(std::string_view line) override;
  void end() override;

 private:
  enum class Part { before, counts, between, ngrams, after };

  void parse_count(std::string_view line);
  void begin_order(std::string_view line);
  void parse_ngram(std::string_view line);
  void add_unigram(std::string_view word, float probability, float backoff);
  void end_order();
  void end_unigrams();

  NgramSink& sink_;
  float unknown_;
  Part part_ = Part::before;
  std::vector<uint64_t> counts_;
  size_t order_ = 0;  // of the n-grams being read
  uint64_t read_ = 0;
  corpus::Vocabulary words_;
  struct Weights {
    float probability, backoff;
  };
  std::vector<Weights> unigrams_;  // buffered until all words are known
  std::vector<int32_t> ngram_;
};

}  // namespace tunesmith::lm
