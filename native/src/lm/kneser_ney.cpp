#include "tunesmith/lm/kneser_ney.h"

#include <algorithm>
#include <numeric>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/lm/kneser_ney_stages.h"

namespace tunesmith::lm {

namespace {

constexpr std::string_view kMarks[] = {"<unk>", "<s>", "</s>"};
constexpr std::string_view kOtherSpaces("\0\t\r\n", 4);  // tools differ in whether these separate words

KneserNeyOptions checked(KneserNeyOptions options) {
  if (options.order < 1 || options.order > kMaxNgramOrder)
    throw InputError("the order of a language model is 1 to " + std::to_string(kMaxNgramOrder) + ", not " +
                     std::to_string(options.order));
  auto& prune = options.prune;
  if (prune.size() > static_cast<size_t>(options.order))
    throw InputError("more pruning thresholds than orders: " + std::to_string(prune.size()) + " for order " +
                     std::to_string(options.order));
  if (prune.empty()) prune.push_back(0);
  prune.resize(options.order, prune.back());
  if (prune[0] != 0)
    throw InputError("the pruning threshold of single words must be 0; limit the vocabulary instead");
  if (!std::is_sorted(prune.begin(), prune.end()))
    throw InputError("pruning thresholds must not decrease from one order to the next");
  if (options.fallback)
    for (int j = 1; j <= 3; ++j)
      if (!(options.fallback->amount[j] >= 0 && options.fallback->amount[j] <= j))
        throw InputError("the fallback discount of count " + std::to_string(j) + " must be 0 to " +
                         std::to_string(j));
  return options;
}

/// Stages with the smallest keys that hold an n-gram: up to 32 bits per word, 25 for order 5.
std::unique_ptr<KneserNeyStages> make_stages(const KneserNeyOptions& options, MemoryBudget& budget) {
  if (options.order <= 2) return std::make_unique<SortedStages<1>>(options, budget);
  if (options.order <= 5) return std::make_unique<SortedStages<2>>(options, budget);
  return std::make_unique<SortedStages<3>>(options, budget);
}

}  // namespace

KneserNey::KneserNey(const KneserNeyOptions& options)
    : options_(checked(options)), budget_(options.memory), stages_(make_stages(options_, budget_)) {
  for (std::string_view mark : kMarks) vocabulary_.intern(mark);
  occurrences_.resize(vocabulary_.size());
}

KneserNey::~KneserNey() = default;

/// The number of a word; -1 for a skipped sentence marker.
int32_t KneserNey::number_of(std::string_view token) {
  const int32_t word = vocabulary_.intern(token);
  if (word <= kSentenceEnd) {
    if (options_.skip_marks) return -1;
    throw InputError("the text holds " + quoted(token) +
                     ", which the model reserves; remove it, or skip such words (--skip-marks)");
  }
  if (static_cast<size_t>(word) == occurrences_.size()) {
    if (vocabulary_.size() > stages_->word_limit())
      throw InputError("the text has more than " + std::to_string(stages_->word_limit()) +
                       " different words, the limit for this order; use another order");
    occurrences_.push_back(0);
  }
  return word;
}

void KneserNey::count_sentence() {
  if (finished_) throw InputError("this estimator has finished; make a new one");
  for (int32_t word : sentence_) ++occurrences_[word];
  ++sentences_;
  tokens_ += sentence_.size();
  stages_->count(sentence_);
}

void KneserNey::add_sentence(std::string_view line) {
  sentence_.clear();
  const size_t odd = line.find_first_of(kOtherSpaces);
  if (odd != std::string_view::npos)
    throw InputError("the text holds " + quoted(line.substr(odd, 1)) +
                     "; expected words between spaces: prepare the text (tunesmith corpus prepare)");
  for (size_t begin = 0; (begin = line.find_first_not_of(' ', begin)) != std::string_view::npos;) {
    const size_t end = std::min(line.find(' ', begin), line.size());
    const int32_t word = number_of(line.substr(begin, end - begin));
    if (word >= 0) sentence_.push_back(word);
    begin = end;
  }
  count_sentence();
}

void KneserNey::add_sentences(const corpus::Sentences& sentences, const Texts& words) {
  constexpr int32_t kNotYet = -2;
  corpus::check_sentences(sentences, words.size());
  std::vector<int32_t> numbers(words.size(), kNotYet);
  for (size_t i = 0; i < sentences.size(); ++i) {
    sentence_.clear();
    for (int32_t word : sentences[i]) {
      int32_t& number = numbers[word];
      if (number == kNotYet) {
        const std::string_view token = words[word];
        if (token.empty() || token.find_first_of(kOtherSpaces) != std::string_view::npos ||
            token.find(' ') != std::string_view::npos)
          throw InputError("the word " + quoted(token) + " is empty or holds white space", i + 1);
        number = number_of(token);
      }
      if (number >= 0) sentence_.push_back(number);
    }
    count_sentence();
  }
}

void KneserNey::allow_word(std::string_view word) {
  if (!allowed_) allowed_.emplace();
  allowed_->intern(word);
}

Pruning KneserNey::pruning() const {
  Pruning pruning{options_.prune, {}};
  const size_t words = vocabulary_.size();
  if (allowed_) {
    pruning.words.resize(words);
    for (size_t word = 0; word < words; ++word)
      pruning.words[word] =
          allowed_->find(vocabulary_[static_cast<int32_t>(word)]) == corpus::Vocabulary::kUnknown;
  }
  if (options_.vocabulary_limit > 0 && options_.vocabulary_limit < words - std::size(kMarks)) {
    std::vector<int32_t> ranked(words - std::size(kMarks));
    std::iota(ranked.begin(), ranked.end(), static_cast<int32_t>(std::size(kMarks)));
    std::stable_sort(ranked.begin(), ranked.end(),
                     [&](int32_t a, int32_t b) { return occurrences_[a] > occurrences_[b]; });
    pruning.words.resize(words);
    for (size_t rank = options_.vocabulary_limit; rank < ranked.size(); ++rank)
      pruning.words[ranked[rank]] = true;
  }
  for (size_t mark = 0; mark < std::size(kMarks) && !pruning.words.empty(); ++mark)
    pruning.words[mark] = false;
  return pruning;
}

void KneserNey::finish() {
  if (finished_) throw InputError("this estimator has finished; make a new one");
  if (sentences_ == 0) throw InputError("no text was given");
  finished_ = true;
  const Pruning cut = pruning();
  statistics_ = stages_->adjust(cut, vocabulary_.size());
  for (int n = 1; n <= options_.order; ++n)
    discounts_.push_back(kneser_ney_discounts(statistics_[n - 1], n, options_.fallback));
  stages_->weigh(discounts_);
  for (size_t word = 0; word < vocabulary_.size(); ++word) {
    const bool kept = !cut.word(static_cast<uint32_t>(word));
    numbers_.push_back(kept ? static_cast<int32_t>(kept_words_.size()) : -1);
    if (kept) kept_words_.add(vocabulary_[static_cast<int32_t>(word)]);
  }
}

void KneserNey::send(NgramSink& sink) const {
  if (numbers_.empty()) throw InputError("this estimator has not finished; call finish() first");
  std::vector<uint64_t> counts;
  for (const auto& statistics : statistics_) counts.push_back(statistics.kept);
  sink.begin(kept_words_.view(), counts);
  stages_->add_to(sink, numbers_);
  sink.end();
}

}  // namespace tunesmith::lm
