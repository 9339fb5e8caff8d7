#include "tunesmith/extract/phrases/counting.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/extract/phrases/counts.h"
#include "tunesmith/extract/phrases/extraction.h"
#include "tunesmith/extract/phrases/instance_partitions.h"
#include "tunesmith/extract/phrases/joined_instances.h"
#include "tunesmith/extract/phrases/names.h"

namespace tunesmith::extract::phrases {

namespace {

constexpr size_t kPartitions = 256;
constexpr size_t kBatch = 16;  // partitions counted in parallel before they are written
constexpr size_t kChunkSentences = 4096;
constexpr int kOrientationBits = 18;
constexpr size_t kMaxCells = size_t{1} << 28;  // of an alignment matrix: 7 bits per cell and thread

/// The extracted target phrases, renumbered consecutively.
class UsedPhrases {
 public:
  explicit UsedPhrases(size_t phrases) : numbers_(phrases, 0) {}

  void mark(uint32_t phrase) {
    // Threads may store to the same element; all store the same value.
    std::atomic_ref<uint32_t>(numbers_[phrase]).store(1, std::memory_order_relaxed);
  }
  void close() {
    for (uint32_t& number : numbers_) {
      const bool used = number != 0;
      number = size_;
      size_ += used ? 1 : 0;
    }
  }
  uint32_t operator[](uint32_t phrase) const { return numbers_[phrase]; }
  bool used(uint32_t phrase) const {
    return (phrase + 1 < numbers_.size() ? numbers_[phrase + 1] : size_) > numbers_[phrase];
  }
  uint32_t size() const { return size_; }

 private:
  std::vector<uint32_t> numbers_;
  uint32_t size_ = 0;
};

/// Checks all alignments of the sentence pairs.
void check_copies(const FoldedBitext& bitext) {
  const corpus::Alignments& all = bitext.alignments;
  const size_t pairs = bitext.source.size();
  if (bitext.copies == 1) return corpus::check_alignments(all, bitext.source, bitext.target);
  if (all.size() != bitext.copies * pairs)
    throw InputError("found " + std::to_string(all.size()) + " alignments for " + std::to_string(pairs) +
                     " sentence pairs");
  for (size_t copy = 0; copy < bitext.copies; ++copy) {
    const auto part = all.offsets.subspan(copy * pairs, pairs + 1);
    std::vector<int64_t> offsets(part.begin(), part.end());
    for (int64_t& each : offsets) each -= part.front();
    const auto links =
        all.links.subspan(static_cast<size_t>(part.front()), static_cast<size_t>(part.back() - part.front()));
    corpus::check_alignments({links, offsets}, bitext.source, bitext.target);
  }
}

uint32_t check(const FoldedBitext& bitext) {
  corpus::check_sentences(bitext.source, bitext.source_words.size());
  corpus::check_sentences(bitext.target, bitext.target_words.size());
  if (bitext.source.size() != bitext.target.size())
    throw InputError("there are " + std::to_string(bitext.source.size()) + " source sentences and " +
                     std::to_string(bitext.target.size()) + " target sentences; expected the same number");
  check_copies(bitext);
  for (size_t i = 0; i < bitext.source.size(); ++i)
    if (bitext.source[i].size() * bitext.target[i].size() > kMaxCells)
      throw InputError("a pair of " + std::to_string(bitext.source[i].size()) + " and " +
                           std::to_string(bitext.target[i].size()) +
                           " words is too long to extract phrases from; remove such lines",
                       static_cast<int64_t>(i) + 1);
  const auto one_each = [&](size_t found, const char* what) {
    if (found != 0 && found != bitext.source.size())
      throw InputError("there are " + std::to_string(found) + " " + what + " for " +
                       std::to_string(bitext.source.size()) + " sentence pairs");
  };
  one_each(bitext.weights.size(), "weights");
  one_each(bitext.orientations.size(), "orientations");
  if (bitext.unit == 0 || bitext.unit > kMaxUnit) throw InputError("the unit of weights is out of range");
  for (size_t i = 0; i < bitext.weights.size(); ++i)
    if (bitext.weights[i] <= 0) throw InputError("expected a positive weight", static_cast<int64_t>(i) + 1);
  if (!bitext.folds.empty() && bitext.folds.size() != bitext.source.size())
    throw InputError("there are " + std::to_string(bitext.folds.size()) + " fold numbers for " +
                     std::to_string(bitext.source.size()) + " sentence pairs");
  int32_t largest = 0;
  for (size_t i = 0; i < bitext.folds.size(); ++i) {
    if (bitext.folds[i] < 0 || static_cast<uint32_t>(bitext.folds[i]) >= kMaxFolds)
      throw InputError("expected a fold number from 0 to " + std::to_string(kMaxFolds - 1) + ", found " +
                           std::to_string(bitext.folds[i]),
                       static_cast<int64_t>(i) + 1);
    largest = std::max(largest, bitext.folds[i]);
  }
  return static_cast<uint32_t>(largest) + 1;
}

/// The phrase pair of a line of phrase pairs extracted before: all of its words.
PhraseInstance whole_pair(const FoldedBitext& bitext, size_t line, std::span<const corpus::Link> links,
                          int max_length) {
  const size_t source = bitext.source[line].size(), target = bitext.target[line].size();
  const auto number = static_cast<int64_t>(line) + 1;
  const auto longest = static_cast<size_t>(max_length);
  if (source == 0 || target == 0 || source > longest || target > longest)
    throw InputError("found a phrase pair of " + std::to_string(source) + " and " + std::to_string(target) +
                         " words; expected from 1 to " + std::to_string(max_length) + " on each side",
                     number);
  PhraseInstance whole{};
  whole.span = {0, static_cast<int>(source), 0, static_cast<int>(target)};
  for (const corpus::Link& link : links)
    whole.links |=
        LinkBits{1} << (static_cast<size_t>(link.target) * source + static_cast<size_t>(link.source));
  whole.orientations = tables::OrientationSet(static_cast<uint32_t>(bitext.orientations[line]));
  if (bitext.orientations[line] < 0 || bitext.orientations[line] >= 1 << kOrientationBits ||
      !whole.orientations.valid())
    throw InputError("the orientations of a phrase pair are out of range", number);
  return whole;
}

/// The phrase pairs of all alignments of sentence pair i.
void extract_pair(const FoldedBitext& bitext, size_t i, int max_length, PhraseExtractor& extractor,
                  JoinedInstances& found) {
  found.clear();
  for (size_t copy = 0; copy < bitext.copies; ++copy) {
    const auto links = bitext.alignments[copy * bitext.source.size() + i];
    if (bitext.orientations.empty()) {
      found.add(extractor.extract(static_cast<int>(bitext.source[i].size()),
                                  static_cast<int>(bitext.target[i].size()), links));
    } else {
      const PhraseInstance whole = whole_pair(bitext, i, links, max_length);
      found.add({&whole, 1});
    }
  }
}

template <class Record>
void extract(const FoldedBitext& bitext, const CountingOptions& options, const PhraseNames& sources,
             const PhraseNames& targets, InstancePartitions<Record>& partitions, UsedPhrases& used) {
  const auto record_of = [&](size_t i, const PhraseInstance& instance) {
    const tables::PhraseSpan& span = instance.span;
    const uint32_t fold = bitext.folds.empty() ? 0 : static_cast<uint32_t>(bitext.folds[i]);
    Record record{};
    record.source = sources.at(static_cast<size_t>(bitext.source.offsets[i] + span.source_begin),
                               span.source_end - span.source_begin);
    record.target = targets.at(static_cast<size_t>(bitext.target.offsets[i] + span.target_begin),
                               span.target_end - span.target_begin);
    record.links_high = static_cast<uint32_t>(instance.links >> 32);
    record.links_low = static_cast<uint32_t>(instance.links);
    record.tag = fold << kOrientationBits | instance.orientations.bits();
    if constexpr (std::is_same_v<Record, WeightedRecord>) record.sentence = static_cast<uint32_t>(i);
    return record;
  };
  parallel_chunks(bitext.source.size(), kChunkSentences, options.threads,
                  [&](size_t, size_t begin, size_t end) {
                    PhraseExtractor extractor(options.max_length, options.events);
                    JoinedInstances found;
                    typename InstancePartitions<Record>::Feeder feeder(partitions);
                    for (size_t i = begin; i < end; ++i) {
                      extract_pair(bitext, i, options.max_length, extractor, found);
                      for (const auto& [instance, times] : found.all()) {
                        Record record = record_of(i, instance);
                        used.mark(record.target);
                        if constexpr (std::is_same_v<Record, RepeatedRecord>) {
                          record.times = times;
                          feeder.add(record);
                        } else {
                          for (uint32_t time = 0; time < times; ++time) feeder.add(record);
                        }
                      }
                    }
                    feeder.finish();
                  });
}

/// Encodes the counts of a partition: sorts its records and merges equal ones into one event.
template <class Record>
std::vector<uint8_t> count_partition(std::vector<Record> records, const FoldedBitext& bitext,
                                     const PhraseNames& sources, const UsedPhrases& used, uint64_t folds,
                                     PhraseTotals& totals) {
  std::sort(records.begin(), records.end());
  const auto occurrences = [&](size_t begin, size_t end) -> uint64_t {
    if constexpr (std::is_same_v<Record, WeightedRecord>) {
      uint64_t sum = 0;
      for (size_t i = begin; i < end; ++i) sum += static_cast<uint64_t>(bitext.weights[records[i].sentence]);
      return sum;
    } else if constexpr (std::is_same_v<Record, RepeatedRecord>) {
      uint64_t sum = 0;
      for (size_t i = begin; i < end; ++i) sum += records[i].times;
      return sum;
    } else {
      return end - begin;
    }
  };
  PhraseCountEncoder encoder(folds);
  std::vector<PhraseEvent> found;
  const auto run_end = [&](size_t begin, size_t end, auto same) {
    size_t at = begin + 1;
    while (at < end && same(records[at], records[begin])) ++at;
    return at;
  };
  const auto same_source = [](const auto& a, const auto& b) { return a.source == b.source; };
  const auto same_target = [](const auto& a, const auto& b) { return a.target == b.target; };
  const auto equal = [](const InstanceRecord& a, const InstanceRecord& b) { return a == b; };
  const auto runs = [&](size_t begin, size_t end, auto same) {
    uint64_t count = 0;
    for (size_t at = begin; at < end; at = run_end(at, end, same)) ++count;
    return count;
  };
  for (size_t source = 0, next = 0; source < records.size(); source = next) {
    next = run_end(source, records.size(), same_source);
    const uint64_t pairs = runs(source, next, same_target);
    encoder.source(sources.words(records[source].source), pairs);
    ++totals.sources;
    totals.pairs += pairs;
    for (size_t pair = source, next_pair = 0; pair < next; pair = next_pair) {
      next_pair = run_end(pair, next, same_target);
      found.clear();
      for (size_t event = pair, next_event = 0; event < next_pair; event = next_event) {
        next_event = run_end(event, next_pair, equal);
        const InstanceRecord& record = records[event];
        const uint64_t seen = occurrences(event, next_event);
        if (seen > kMaxCount)
          throw InputError("the weights of a phrase pair sum to more than can be counted");
        found.push_back({record.links(), tables::OrientationSet(record.tag & ((1u << kOrientationBits) - 1)),
                         record.tag >> kOrientationBits, seen});
        totals.instances += seen;
      }
      encoder.pair(used[records[pair].target], found);
      totals.events += found.size();
    }
  }
  return encoder.take();
}

void write_targets(ContainerWriter& writer, const PhraseNames& targets, const UsedPhrases& used) {
  ShortOffsets::Writer offsets;
  writer.open<int32_t>("target.phrases.words");
  for (uint32_t phrase = 0; phrase < targets.size(); ++phrase) {
    if (!used.used(phrase)) continue;
    const auto words = targets.words(phrase);
    writer.append(words);
    offsets.add(words.size());
  }
  writer.add<uint8_t>("target.phrases.lengths", offsets.lengths);
  writer.add<uint64_t>("target.phrases.starts", offsets.starts);
}

template <class Record>
void count(const FoldedBitext& bitext, const std::string& path, const CountingOptions& options) {
  const auto report = [&](const std::string& line) {
    if (options.progress) options.progress(line);
  };
  PhraseTotals totals{};
  totals.folds = check(bitext);
  totals.max_length = static_cast<uint64_t>(options.max_length);
  totals.sentences = bitext.source.size();
  totals.source_words = bitext.source_words.size();
  PhraseExtractor check_length(options.max_length);

  PhraseNames sources(bitext.source, options.max_length, options.threads);
  PhraseNames targets(bitext.target, options.max_length, options.threads);
  report("numbered the phrases of both sides");
  InstancePartitions<Record> partitions(sources.cut(kPartitions), options.memory, options.temporary);
  UsedPhrases used(targets.size());
  extract<Record>(bitext, options, sources, targets, partitions, used);
  report("extracted " + std::to_string(partitions.records()) + " phrase pairs");
  sources.drop_positions();
  targets.drop_positions();
  used.close();
  totals.targets = used.size();

  ContainerWriter writer(path, kPhraseCountsKind, kPhraseCountsVersion);
  corpus::write_vocabulary(writer, "source", bitext.source_words);
  corpus::write_vocabulary(writer, "target", bitext.target_words);
  write_targets(writer, targets, used);
  std::vector<int64_t> blocks{0};
  writer.open<uint8_t>("pairs");
  for (size_t first = 0; first < partitions.size(); first += kBatch) {
    const size_t batch = std::min(kBatch, partitions.size() - first);
    std::vector<std::vector<uint8_t>> bytes(batch);
    std::vector<PhraseTotals> parts(batch);
    parallel_chunks(batch, 1, options.threads, [&](size_t i, size_t, size_t) {
      bytes[i] =
          count_partition<Record>(partitions.take(first + i), bitext, sources, used, totals.folds, parts[i]);
    });
    for (size_t i = 0; i < batch; ++i) {
      writer.append(std::span<const uint8_t>(bytes[i]));
      blocks.push_back(blocks.back() + static_cast<int64_t>(bytes[i].size()));
      totals.sources += parts[i].sources;
      totals.pairs += parts[i].pairs;
      totals.events += parts[i].events;
      totals.instances += parts[i].instances;
    }
  }
  totals.instances = (totals.instances + bitext.unit / 2) / bitext.unit;
  if (bitext.unit != 1) writer.add<uint64_t>(kUnitSection, std::span<const uint64_t>(&bitext.unit, 1));
  writer.add<int64_t>("blocks", blocks);
  writer.add<PhraseTotals>("totals", std::span<const PhraseTotals>(&totals, 1));
  writer.finish();
  report("counted " + std::to_string(totals.pairs) + " distinct pairs");
}

}  // namespace

void count_phrase_pairs(const FoldedBitext& bitext, const std::string& path, const CountingOptions& options) {
  if (!bitext.weights.empty())
    count<WeightedRecord>(bitext, path, options);
  else if (bitext.copies > 1)
    count<RepeatedRecord>(bitext, path, options);
  else
    count<InstanceRecord>(bitext, path, options);
}

}  // namespace tunesmith::extract::phrases
