// Estimation of interpolated modified Kneser-Ney language models, in bounded memory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/base/record_runs.h"
#include "tunesmith/corpus/sentences.h"
#include "tunesmith/corpus/vocabulary.h"
#include "tunesmith/lm/discounts.h"
#include "tunesmith/lm/records.h"
#include "tunesmith/lm/sink.h"

namespace tunesmith::lm {

struct KneserNeyOptions {
  int order = 5;
  std::vector<uint64_t> prune;        // n-grams of order n that occur at most prune[n - 1] times are pruned
  std::optional<Discounts> fallback;  // used if counts do not allow discounts to be estimated
  bool interpolate_unigrams = true;   // false: <unk> gets all discounted unigram mass
  bool skip_marks = false;            // skip <unk>, <s>, </s> in the text instead of refusing it
  uint64_t vocabulary_limit = 0;      // keep this many of the most frequent words; 0: all
  size_t memory = size_t{1} << 30;    // bytes of records in memory; the rest is spilled to files
  std::string folder = "/tmp";        // for these files
  int threads = 1;
};

/// The stages of estimation on sorted n-grams; see kneser_ney_stages.h.
class KneserNeyStages {
 public:
  virtual ~KneserNeyStages() = default;
  virtual uint64_t word_limit() const = 0;
  virtual void count(std::span<const int32_t> sentence) = 0;
  virtual std::vector<OrderStatistics> adjust(const Pruning& pruning, size_t words) = 0;
  virtual void weigh(const std::vector<Discounts>& discounts) = 0;
  /// Sends all n-grams to a sink; `numbers[w]` is the sink's number of word w, -1 if pruned.
  virtual void add_to(NgramSink& sink, std::span<const int32_t> numbers) const = 0;
};

/// Chen and Goodman (1998), with the conventions of KenLM's lmplz (Heafield et al. 2013): the vocabulary is
/// the words, `<unk>` with the probability of an unseen word, `<s>` with probability 1, and `</s>`. Tokens
/// are separated by ASCII spaces. Tabs, carriage returns and NULs, which words of an ARPA file cannot
/// contain, are an InputError.
class KneserNey {
 public:
  explicit KneserNey(const KneserNeyOptions& options);
  ~KneserNey();

  /// Counts the n-grams of a line; an empty line is an empty sentence.
  void add_sentence(std::string_view line);
  /// The same for sentences as indices into `words`. An index out of range, or a word that an ARPA file
  /// cannot contain, is an InputError.
  void add_sentences(const corpus::Sentences& sentences, const Texts& words);
  /// Once a word is allowed, all others are pruned, with the n-grams that contain them. Before `finish`.
  void allow_word(std::string_view word);
  /// To be called after the last sentence: computes adjusted counts, discounts and probabilities.
  void finish();
  /// To be called after `finish`, any number of times. Sends the n-grams in suffix order.
  void send(NgramSink& sink) const;

  int order() const { return options_.order; }
  uint64_t sentences() const { return sentences_; }
  uint64_t tokens() const { return tokens_; }
  const std::vector<OrderStatistics>& statistics() const { return statistics_; }
  const std::vector<Discounts>& discounts() const { return discounts_; }

 private:
  int32_t number_of(std::string_view token);
  void count_sentence();
  Pruning pruning() const;

  KneserNeyOptions options_;
  MemoryBudget budget_;
  std::unique_ptr<KneserNeyStages> stages_;
  corpus::Vocabulary vocabulary_;
  std::vector<uint64_t> occurrences_;  // by word
  std::vector<int32_t> sentence_;
  std::optional<corpus::Vocabulary> allowed_;
  uint64_t sentences_ = 0, tokens_ = 0;
  bool finished_ = false;
  std::vector<int32_t> numbers_;
  TextColumn kept_words_;
  std::vector<OrderStatistics> statistics_;
  std::vector<Discounts> discounts_;
};

/// Feeds one file of sentences to an estimator.
class KneserNeyParser : public LineParser {
 public:
  explicit KneserNeyParser(KneserNey& model) : model_(model) {}

 protected:
  void parse_line(std::string_view line) override { model_.add_sentence(line); }

 private:
  KneserNey& model_;
};

}  // namespace tunesmith::lm
