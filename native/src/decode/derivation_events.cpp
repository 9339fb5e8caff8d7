#include "tunesmith/decode/derivation_events.h"

#include <algorithm>
#include <functional>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/decode/event_joiner.h"
#include "tunesmith/decode/event_reader.h"

namespace tunesmith::decode {

namespace {

constexpr size_t kForestsPerChunk = 4;

/// Reads the derivations `derivations_of(i)` of each forest on threads, and joins the results in order.
template <class DerivationsOf>
DerivationEvents collect(std::span<const forest::Forest* const> forests, int threads,
                         DerivationsOf derivations_of) {
  std::vector<DerivationEvents> parts(forests.size());
  parallel_chunks(forests.size(), kForestsPerChunk, threads, [&](size_t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      EventReader reader(*forests[i]);
      for (const forest::Derivation& derivation : derivations_of(i)) reader.add(derivation);
      parts[i] = reader.take();
    }
  });
  EventJoiner joiner(parts);
  for (size_t i = 0; i < parts.size(); ++i) joiner.add(*forests[i], std::exchange(parts[i], {}));
  return joiner.take();
}

void check_count(size_t found, size_t forests, const char* what) {
  if (found != forests)
    throw InputError(std::to_string(found) + " " + what + " for " + std::to_string(forests) + " forests");
}

}  // namespace

DerivationEvents kbest_events(std::span<const forest::Forest* const> forests,
                              const forest::NamedWeights& weights, const forest::KbestOptions& options,
                              int threads) {
  forest::ColumnWeights by_column(weights);
  std::vector<const std::vector<double>*> forest_weights;
  for (const forest::Forest* forest : forests) forest_weights.push_back(&by_column.of(*forest));
  return collect(forests, threads, [&](size_t i) {
    return forest::kbest(*forests[i], forests[i]->scores(*forest_weights[i]), options);
  });
}

DerivationEvents kbest_events(std::span<const forest::Forest* const> forests,
                              std::span<const std::span<const double>> scores,
                              const forest::KbestOptions& options, int threads) {
  check_count(scores.size(), forests.size(), "arrays of scores");
  return collect(forests, threads, [&](size_t i) { return forest::kbest(*forests[i], scores[i], options); });
}

DerivationEvents derivation_events(std::span<const forest::Forest* const> forests,
                                   std::span<const std::vector<forest::Derivation>> derivations,
                                   int threads) {
  check_count(derivations.size(), forests.size(), "lists of derivations");
  return collect(forests, threads, [&](size_t i) { return std::span(derivations[i]); });
}

std::vector<uint32_t> first_derivation(const forest::Forest& forest) {
  if (forest.empty()) return {};
  return forest::unfold(
      forest, forest.root(), [&](uint32_t node) { return forest.first_edge(node); },
      [&](uint32_t node, size_t i) { return forest.tails(forest.first_edge(node))[i]; });
}

TextColumn joined_words(const Texts& vocabulary, std::span<const int64_t> offsets,
                        std::span<const int32_t> words) {
  check_offsets(offsets, words.size(), "rows of words");
  TextColumn texts;
  std::string text;
  for (size_t row = 0; row + 1 < offsets.size(); ++row) {
    text.clear();
    for (int64_t i = offsets[row]; i < offsets[row + 1]; ++i) {
      const int32_t word = words[static_cast<size_t>(i)];
      if (word < 0 || static_cast<size_t>(word) >= vocabulary.size())
        throw InputError("no word has the number " + std::to_string(word));
      if (i > offsets[row]) text += ' ';
      text += vocabulary[static_cast<size_t>(word)];
    }
    texts.add(text);
  }
  return texts;
}

}  // namespace tunesmith::decode
