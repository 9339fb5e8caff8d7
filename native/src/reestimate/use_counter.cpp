#include "tunesmith/reestimate/use_counter.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/reestimate/oracle_text.h"

namespace tunesmith::reestimate {

namespace {

using extract::phrases::kMaxPhraseLength;
using extract::phrases::LinkBits;

constexpr size_t kChunkSentences = 32;

LinkBits link_bits(std::span<const PhraseLink> links, size_t source_length) {
  LinkBits bits = 0;
  for (const PhraseLink& link : links) bits |= LinkBits{1} << (link.target * source_length + link.source);
  return bits;
}

/// The decoder's orientations as those of an extracted pair. The word-based model has those of the phrase
/// model, as in a decoder. What follows the last phrase is the end of the sentence, which is beside its last
/// word, as in extraction.
tables::OrientationSet orientation_set(const decode::PhraseOrientation& found, bool at_end) {
  using tables::Direction, tables::Orientation, tables::OrientationModel;
  constexpr uint8_t kNone = decode::PhraseOrientation::kNoOrientation;
  const Orientation last = at_end ? Orientation::kMonotone : Orientation::kRight;
  const auto forward = [&](uint8_t code, Orientation otherwise) {
    return code == kNone ? otherwise : static_cast<Orientation>(code);
  };
  tables::OrientationSet set;
  for (const OrientationModel model : {OrientationModel::kWord, OrientationModel::kPhrase}) {
    set.set(model, Direction::kBackward, static_cast<Orientation>(found.phrase_backward));
    set.set(model, Direction::kForward, forward(found.phrase_forward, last));
  }
  set.set(OrientationModel::kHierarchical, Direction::kBackward,
          static_cast<Orientation>(found.hierarchical_backward));
  set.set(OrientationModel::kHierarchical, Direction::kForward,
          forward(found.hierarchical_forward, at_end ? tables::with_global(last) : last));
  return set;
}

/// A phrase of the file in the words of the counter.
std::span<const int32_t> renumbered(std::span<const uint32_t> words, const std::vector<int32_t>& numbers,
                                    std::vector<int32_t>& scratch) {
  scratch.clear();
  for (const uint32_t word : words) scratch.push_back(numbers[word]);
  return scratch;
}

/// Numbers of all short phrases of a sentence: at [begin * longest + length - 1].
template <class Find>
void number_phrases(std::span<const int32_t> words, int longest, Find find, std::vector<uint32_t>& numbers) {
  const auto most = static_cast<size_t>(longest);
  numbers.assign(words.size() * most, UsedPairs::kUnknown);
  for (size_t begin = 0; begin < words.size(); ++begin)
    for (size_t length = 1; length <= std::min(most, words.size() - begin); ++length)
      numbers[begin * most + length - 1] = find(words.subspan(begin, length));
}

/// Extracts from the derivations of one sentence at a time.
class DerivationExtractor {
 public:
  struct Counted {
    PairEvent event;
    uint64_t weight;
  };

  DerivationExtractor(const DerivationFile& file, const std::vector<int32_t>& words, const UsedPairs& pairs,
                      int max_length, tables::OrientationEvents events)
      : file_(file), words_(words), pairs_(pairs), max_length_(max_length), extractor_(max_length, events) {}

  void extract(const DerivationList& list, std::span<const uint64_t> shares, std::vector<Counted>& counted) {
    merge(list, shares);
    const auto source = renumbered(list.source, words_, source_words_);
    number_phrases(
        source, max_length_, [&](auto phrase) { return pairs_.find_source(phrase); }, source_numbers_);
    for (const Different& each : different_) {
      translation_.read(file_, list, each.derivation);
      const auto target = renumbered(translation_.words, words_, target_words_);
      number_phrases(
          target, max_length_, [&](auto phrase) { return pairs_.find_target(phrase); }, target_numbers_);
      for (const extract::phrases::PhraseInstance& instance : extractor_.extract(
               static_cast<int>(source.size()), static_cast<int>(target.size()), translation_.links)) {
        const tables::PhraseSpan& span = instance.span;
        const uint32_t from = at(source_numbers_, span.source_begin, span.source_end);
        const uint32_t to = at(target_numbers_, span.target_begin, span.target_end);
        if (from == UsedPairs::kUnknown || to == UsedPairs::kUnknown) continue;
        const uint32_t pair = pairs_.find_pair(from, to);
        if (pair == UsedPairs::kUnknown) continue;
        counted.push_back({{pair, instance.links, instance.orientations}, each.weight});
      }
    }
  }

 private:
  struct Different {
    size_t derivation;
    uint64_t weight;
  };

  /// Sums the shares of derivations with equal words and links.
  void merge(const DerivationList& list, std::span<const uint64_t> shares) {
    different_.clear();
    known_.clear();
    for (size_t i = 0; i < list.size(); ++i) {
      translation_.read(file_, list, i);
      key_ = translation_.words;
      key_.push_back(static_cast<uint32_t>(translation_.words.size()));
      for (const corpus::Link& link : translation_.links) {
        key_.push_back(static_cast<uint32_t>(link.source));
        key_.push_back(static_cast<uint32_t>(link.target));
      }
      const uint32_t number = known_.intern(key_);
      if (number == different_.size()) different_.push_back({i, 0});
      different_[number].weight += shares[i];
    }
  }
  uint32_t at(const std::vector<uint32_t>& numbers, int begin, int end) const {
    return numbers[static_cast<size_t>(begin * max_length_ + end - begin - 1)];
  }

  const DerivationFile& file_;
  const std::vector<int32_t>& words_;
  const UsedPairs& pairs_;
  int max_length_;
  extract::phrases::PhraseExtractor extractor_;
  LinkedTranslation translation_;
  std::vector<Different> different_;
  SequencePool<uint32_t> known_;
  std::vector<uint32_t> key_, source_numbers_, target_numbers_;
  std::vector<int32_t> source_words_, target_words_;
};

}  // namespace

std::vector<int32_t> UseCounter::numbers(const DerivationFile& file) {
  std::vector<int32_t> found(file.words().size());
  for (size_t i = 0; i < found.size(); ++i) found[i] = pairs_.word(file.words()[i]);
  return found;
}

void UseCounter::count(const DerivationFile& file) {
  const std::vector<int32_t> words = numbers(file);
  decode::PhraseOrientations reader;
  std::vector<decode::PhraseOrientation> orientations;
  std::vector<decode::TopBlock> blocks;
  std::vector<forest::SourceSpan> sources, targets;
  std::vector<int32_t> source_words, target_words;
  std::vector<uint64_t> weights;
  for (size_t i = 0; i < file.size(); ++i) {
    const DerivationList list = file[i];
    totals_.sentences += list.size() > 0 ? 1 : 0;
    totals_.derivations += list.size();
    reader.clear();
    shares_.read(list, weights);
    for (size_t d = 0; d < list.size(); ++d) {
      sources.clear();
      targets.clear();
      int32_t target = 0;
      for (const uint16_t step : list.steps(d)) {
        const UsedPhrase& phrase = list.phrases[step];
        const auto length = static_cast<int32_t>(file.targets()[phrase.target].size());
        sources.push_back({phrase.begin, phrase.end});
        targets.push_back({target, target + length});
        target += length;
      }
      orientations.clear();
      blocks.clear();
      reader.read(sources, targets, orientations, blocks);
      size_t at = 0;
      for (const uint16_t step : list.steps(d)) {
        const UsedPhrase& phrase = list.phrases[step];
        const decode::PhraseOrientation& orientation = orientations[at++];
        if (phrase.origin != PhraseOrigin::kTable) {
          ++totals_.untabled;
          continue;
        }
        const auto from =
            renumbered(list.source.subspan(phrase.begin, phrase.end - phrase.begin), words, source_words);
        const auto to = renumbered(file.targets()[phrase.target], words, target_words);
        if (from.size() > kMaxPhraseLength || to.size() > kMaxPhraseLength)
          throw InputError(
              "has a phrase pair of " + std::to_string(from.size()) + " and " + std::to_string(to.size()) +
                  " words in line " + std::to_string(list.sentence + 1) + " of the text; expected at most " +
                  std::to_string(kMaxPhraseLength) + ": use a model without phrases that are longer",
              file.path());
        ++totals_.uses;
        const auto links = link_bits(file.links()[phrase.links], from.size());
        uses_.add(
            {pairs_.intern(from, to), links, orientation_set(orientation, phrase.end == list.source.size())},
            weights[d]);
      }
    }
  }
}

void UseCounter::extract(const DerivationFile& file, int max_length, tables::OrientationEvents events,
                         int threads) {
  const std::vector<int32_t> words = numbers(file);
  std::vector<std::vector<DerivationExtractor::Counted>> counted(chunk_count(file.size(), kChunkSentences));
  parallel_chunks(file.size(), kChunkSentences, threads, [&](size_t chunk, size_t begin, size_t end) {
    DerivationExtractor extractor(file, words, pairs_, max_length, events);
    std::vector<uint64_t> weights;
    for (size_t i = begin; i < end; ++i) {
      const DerivationList list = file[i];
      shares_.read(list, weights);
      if (list.size() > 0) extractor.extract(list, weights, counted[chunk]);
    }
  });
  for (const auto& chunk : counted)
    for (const auto& [event, weight] : chunk) extracted_.add(event, weight);
}

}  // namespace tunesmith::reestimate
