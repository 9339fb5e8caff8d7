// The phrase decoder: from a sentence or lattice to its translation, and to the forest of all that was kept.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tunesmith/forest.h"
#include "tunesmith/phrase_search.h"
#include "tunesmith/sentence_options.h"

namespace tunesmith {

struct DecoderSettings {
  SearchSettings search;
  UnknownWords unknown_words = UnknownWords::kPass;
  bool make_forest = false;
};

/// What is to be translated, and what the translation must be.
struct DecoderRequest {
  std::shared_ptr<const WordLattice> input;  // shared, since lattices keep all distances
  std::optional<std::string> target;         // the translation, or with `is_prefix` how it begins
  bool is_prefix = false;
  OptionDemands demands;
};

/// A phrase of a translation: where its words come from and where they stand.
struct TranslatedPhrase {
  Range source;
  Range target;
  int64_t rule;
};

struct Translation {
  bool found = false;  // false where no derivation reaches the required target
  std::string text;
  double score = 0;
  std::vector<TranslatedPhrase> phrases;  // in target order
  std::vector<Link> alignment;            // of source columns and target words, sorted
  Rows<FeatureValue> steps;               // what each phrase added, and then the end, by columns of the model
  std::shared_ptr<const Forest> forest;
  uint64_t nodes = 0, edges = 0;
  double seconds = 0;  // of decoding; for logs, nothing depends on it
};

/// At work on one thread; it must not outlive the model.
class PhraseDecoder {
 public:
  PhraseDecoder(const WeightedModel& model, const DecoderSettings& settings)
      : model_(model), settings_(settings), search_(model, settings.search) {}

  Translation translate(const DecoderRequest& request);

  /// Sets what is called now and then while a search is made; what it throws ends the search.
  void set_poll(std::function<void()> poll) { search_.set_poll(std::move(poll)); }

 private:
  const WeightedModel& model_;
  DecoderSettings settings_;
  PhraseSearch search_;
};

/// Translates on several threads; results are in the order of the requests and do not depend on the threads.
/// The first request that fails is the one whose error is thrown; no other is begun after it. The line of an
/// InputError is the number of the request, from 1. `poll` is called now and then, on the caller's thread;
/// what it throws stops the work and is thrown.
std::vector<Translation> translate_all(const WeightedModel& model, const DecoderSettings& settings,
                                       std::span<const DecoderRequest> requests, int threads,
                                       std::function<void()> poll = {});

}  // namespace tunesmith
