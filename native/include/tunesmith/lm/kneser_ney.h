// Interpolated modified Kneser-Ney language models, estimated from text of any size.
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
  std::vector<uint64_t> prune;        // n-grams of order n that occur at most prune[n - 1] times are left out
  std::optional<Discounts> fallback;  // where counts do not allow discounts
  bool interpolate_unigrams = true;   // false: <unk> gets all that unigrams leave
  bool skip_marks = false;            // <unk>, <s>, </s> in the text are left out, instead of refused
  uint64_t vocabulary_limit = 0;      // keep so many of the most frequent words; 0 is all
  size_t memory = size_t{1} << 30;    // bytes of records that are held; more go to files
  std::string folder = "/tmp";        // where such files are
  int threads = 1;
};

/// The sorted n-grams between the stages of estimation; see kneser_ney_stages.h.
class KneserNeyStages {
 public:
  virtual ~KneserNeyStages() = default;
  virtual uint64_t word_limit() const = 0;
  virtual void count(std::span<const int32_t> sentence) = 0;
  virtual std::vector<OrderStatistics> adjust(const Pruning& pruning, size_t words) = 0;
  virtual void weigh(const std::vector<Discounts>& discounts) = 0;
  /// Adds all n-grams to a sink; `numbers[w]` is what the sink calls word w, -1 for a pruned one.
  virtual void add_to(NgramSink& sink, std::span<const int32_t> numbers) const = 0;
};

/// Chen and Goodman (1998), with the conventions of KenLM's lmplz (Heafield et al. 2013): a model over words,
/// `<unk>` with the probability of a word that never occurred, `<s>` with probability 1, and `</s>`.
/// Tokens stand between ASCII spaces. Tabs, carriage returns and NULs, which no word of an ARPA file can
/// hold, are an InputError.
class KneserNey {
 public:
  explicit KneserNey(const KneserNeyOptions& options);
  ~KneserNey();

  /// Counts the n-grams of a line; an empty line is an empty sentence.
  void add_sentence(std::string_view line);
  /// The same for sentences as numbers of `words`, which are tokens. A number outside of them, or a word that
  /// an ARPA file cannot hold, is an InputError.
  void add_sentences(const corpus::Sentences& sentences, const Texts& words);
  /// Words that are not `allowed` are pruned, with all n-grams that contain them; before `finish`.
  void allow_word(std::string_view word);
  /// After the last sentence: adjusted counts, discounts, probabilities.
  void finish();
  /// After `finish`, any number of times. The n-grams come in suffix order.
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
  std::vector<uint64_t> occurrences_;  // of each word
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
