// Fuzzes the readers of containers: fuzz_containers FOLDER [seconds] [seed], where FOLDER has a small sound
// file of each kind (`python -m tests.fuzz.seeds FOLDER` writes them).
//
// Most mutations change the values, sizes, types or names of sections and give them checksums that fit, so
// that damage reaches the code behind the checksums. For any bytes, a reader must end with InputError or with
// something that can be used to the end. With FUZZ_KEEP=FILE the last file is kept there.
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "tunesmith/base/container.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"
#include "tunesmith/decode/features/lm.h"
#include "tunesmith/decode/features/reordering.h"
#include "tunesmith/decode/phrase/decoder.h"
#include "tunesmith/extract/on_demand/extraction.h"
#include "tunesmith/extract/on_demand/file.h"
#include "tunesmith/extract/on_demand/format.h"
#include "tunesmith/extract/phrases/scoring.h"
#include "tunesmith/forest/file.h"
#include "tunesmith/grammar/from_table.h"
#include "tunesmith/lm/model.h"
#include "tunesmith/reestimate/derivation_file.h"
#include "tunesmith/weights/file.h"
#include "tunesmith/xbleu/evaluate_forests.h"
#include "tunesmith/xbleu/list_file.h"

using namespace tunesmith;

namespace {

/// A file in memory that can be opened by a path.
class MemoryFile {
 public:
  MemoryFile() : number_(memfd_create("container", 0)), path_("/proc/self/fd/" + std::to_string(number_)) {}
  ~MemoryFile() { close(number_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::string& path() const { return path_; }
  void write(const std::string& bytes) const {
    if (ftruncate(number_, 0) != 0 ||
        pwrite(number_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
      std::abort();
  }

 private:
  int number_;
  std::string path_;
};

/// A container taken apart: the header's first fields, and the sections with their bytes.
struct Parts {
  std::string head;  // magic, kind, version and byte order
  std::vector<std::pair<Section, std::string>> sections;
};

constexpr size_t kHead = 24, kHeader = 64;

Parts take_apart(const std::string& bytes) {
  uint64_t numbers[4];  // size of the file; begin, length and checksum of the table of sections
  std::memcpy(numbers, bytes.data() + kHead, sizeof(numbers));
  Parts parts{bytes.substr(0, kHead), {}};
  for (size_t i = 0; i < numbers[2]; ++i) {
    Section section;
    std::memcpy(&section, bytes.data() + numbers[1] + i * sizeof(section), sizeof(section));
    parts.sections.emplace_back(section, bytes.substr(section.begin, section.bytes));
  }
  return parts;
}

uint64_t checksum_of_text(std::string_view text) {
  Checksum checksum;
  checksum.update(text.data(), text.size());
  return checksum.value();
}

std::string put_together(const Parts& parts) {
  std::string bytes = parts.head, table;
  bytes.resize(kHeader);
  for (auto [section, content] : parts.sections) {
    section.begin = bytes.size();
    section.bytes = content.size();
    section.checksum = checksum_of_text(content);
    table.append(reinterpret_cast<const char*>(&section), sizeof(section));
    bytes += content;
    bytes.resize((bytes.size() + kHeader - 1) / kHeader * kHeader);
  }
  const uint64_t numbers[4] = {bytes.size() + table.size(), bytes.size(), parts.sections.size(),
                               checksum_of_text(table)};
  std::memcpy(bytes.data() + kHead, numbers, sizeof(numbers));
  return bytes + table;
}

/// Numbers that sums, products and casts of bounds get wrong, and random ones.
uint64_t edge_number(std::mt19937_64& random, size_t width) {
  const uint64_t top = width == 8 ? 0 : uint64_t{1} << (8 * width), half = uint64_t{1} << (8 * width - 1);
  const uint64_t numbers[] = {0,       1,    2,        top - 1,  top - 2, top - 4,
                              top - 8, half, half - 1, half + 1, random()};
  return numbers[random() % std::size(numbers)];
}

std::string mutate(std::mt19937_64& random, const std::string& bytes) {
  const auto below = [&](size_t n) { return n == 0 ? 0 : static_cast<size_t>(random() % n); };
  std::string result = bytes;
  if (below(8) == 0) {  // checksums do not fit, except by chance
    for (size_t edits = 1 + below(3); edits > 0; --edits)
      result[below(result.size())] = static_cast<char>(random());
    if (below(4) == 0) result.resize(below(result.size() + 64));
    return result;
  }
  Parts parts = take_apart(bytes);
  for (size_t edits = 1 + below(3); edits > 0 && !parts.sections.empty(); --edits) {
    const size_t chosen = below(parts.sections.size());
    auto& [section, content] = parts.sections[chosen];
    const size_t element = std::max<size_t>(section.element_size, 1);
    switch (below(12)) {
      case 0:  // fewer elements
        content.resize(content.size() / element == 0 ? 0 : element * below(content.size() / element));
        break;
      case 1:  // more elements
        content.resize(content.size() + element * (1 + below(4)), static_cast<char>(random()));
        break;
      case 2:
        content = parts.sections[below(parts.sections.size())].second;
        content.resize(content.size() / element * element);
        break;
      case 3:
        if (below(4) == 0) parts.sections.erase(parts.sections.begin() + static_cast<std::ptrdiff_t>(chosen));
        break;
      case 4:
        if (below(4) == 0) section.element = static_cast<Element>(below(11));
        break;
      case 5:
        if (below(4) == 0) section.name[below(sizeof(section.name))] = static_cast<char>(random());
        break;
      default: {  // other numbers
        const size_t width = size_t{1} << below(4);
        for (size_t times = below(3) == 0 ? 8 : 1; times > 0 && content.size() >= width; --times) {
          const uint64_t number = edge_number(random, width);
          std::memcpy(content.data() + width * below(content.size() / width), &number, width);
        }
      }
    }
  }
  return put_together(parts);
}

const char* const kSentence = "der mann sieht das haus . die frau hat ein kleines kind unseen";

void decode_with(const tables::PhraseTable& table) {
  auto model = std::make_shared<decode::DecoderModel>();
  model->add_table(table, "TranslationModel0", 20);
  model->add_penalty(decode::Penalty::kDistortion, "Distortion0");
  model->add_penalty(decode::Penalty::kUnknownWord, "UnknownWordPenalty0");
  const tables::ReorderingModel reordering;
  const auto columns = static_cast<size_t>(tables::column_count(reordering));
  if (table.reordering_count() >= columns) {
    model->require_reordering(0, columns);
    model->add_feature(std::make_shared<decode::features::ReorderingFeature>(reordering, "R", 0));
  }
  const decode::WeightedModel weighted(model, std::vector<float>(model->names().size(), 0.3F));
  decode::phrase::PhraseDecoderOptions options;
  options.search.pop_limit = options.search.stack_size = 20;
  options.search.memory_limit = size_t{64} << 20;
  decode::DecoderRequest request;
  request.input = std::make_shared<corpus::WordLattice>(corpus::WordLattice::sentence(kSentence));
  decode::phrase::PhraseDecoder(weighted, options).translate(request);
}

void use_phrases(const std::string& path) {
  const tables::PhraseTable table(path, true);
  for (uint32_t node = 1; node < table.node_count(); ++node) {
    const auto source = table.source(node);
    const tables::PairRange pairs = table.pairs(node);
    for (uint32_t pair = pairs.begin; pair < pairs.end; ++pair) {
      table.target_phrase(table.target(pair));
      table.pair(pair, source.size());
    }
    table.find(source);
  }
  decode_with(table);
}

void use_lm(const std::string& path) {
  const lm::NgramLm model(path);
  lm::LmState states[2] = {model.begin_state(), {}};
  std::mt19937_64 random(1);
  std::vector<int32_t> words;
  for (int i = 0; i < 400; ++i) {
    words.push_back(static_cast<int32_t>(random() % (model.size() + 2)));
    model.full_score(states[i % 2], words.back(), states[(i + 1) % 2]);
  }
  model.phrase_score(words);
  for (size_t i = 0; i < model.vocabulary().size(); ++i) model.find(model.vocabulary().words()[i]);
}

void use_rules(const std::string& path) {
  const grammar::TableGrammar grammar(std::make_shared<const grammar::RuleTable>(path));
  std::vector<uint32_t> nodes{grammar::RuleTrie::kRoot};
  std::vector<grammar::RuleTrie::Gap> gaps;
  for (size_t i = 0; i < nodes.size() && i < 1000; ++i) {
    grammar::RuleRows rows;
    grammar.rules(nodes[i], rows);
    grammar.source(nodes[i]);
    for (int32_t word = 0; word < 50; ++word)
      if (const uint32_t next = grammar.by_word(nodes[i], word); next != grammar::RuleTrie::kNoNode)
        nodes.push_back(next);
    gaps.clear();
    for (uint32_t gap = 0; gap < 2; ++gap) grammar.gaps(nodes[i], gap, gaps);
    for (const auto& gap : gaps) nodes.push_back(gap.node);
  }
}

void use_suffixes(const std::string& path) {
  const extract::on_demand::SuffixIndex index(path);
  extract::on_demand::GrammarOptions options;
  options.target_counts = index.both_sides();
  extract::on_demand::GrammarExtractor extractor(index, options);
  if (index.size() == 0) return;
  const auto sentence = index.source().sentence(index.size() / 2);
  extractor.extract(sentence.first(std::min<size_t>(sentence.size(), 8)));
}

void use_grammars(const std::string& path) {
  const extract::on_demand::GrammarFile file(path);
  const std::vector<std::string> names{"a", "b", "c", "d", "e", "f", "g", "h"};
  for (size_t i = 0; i < file.size() && i < 8; ++i) file.trie(i, names, true);
}

/// Reads what it is given.
struct ReadingSink : tables::PhraseSink {
  void begin_source(std::span<const int32_t> source) override { add_all(source); }
  void add(const tables::ScoredPhrase& phrase) override {
    add_all(phrase.target);
    for (const corpus::Link link : phrase.alignment) sum += link.source + link.target;
  }
  void add_all(std::span<const int32_t> words) {
    for (const int32_t word : words) sum += word;
  }
  int64_t sum = 0;
};

void use_counts(const std::string& path) {
  const extract::phrases::PhraseCountFile counts(path);
  const extract::phrases::Lexicon lexicon({}, {}, {}, {}, -1);
  extract::phrases::ScoringOptions options;
  options.reordering.emplace_back();
  ReadingSink sink;
  score_phrases(counts, lexicon, options, sink);
}

void use_forests(const std::string& path) {
  const forest::ForestFile file(path);
  for (size_t i = 0; i < file.size(); ++i) file.forest(i);
}

void use_weights(const std::string& path) {
  const weights::WeightStore store = weights::read_weights(path).store;
  for (const uint32_t number : store.top(store.size())) store[store.name(number)];
}

/// Features of all that an event refers to.
xbleu::EventFeatures event_features() {
  decode::features::SparseReorderingParts parts;
  parts.name = "Order";
  parts.orientations = {"monotone", "swap", "left", "right"};
  parts.stack = decode::features::StackWords::kBlock;
  parts.has_identities = true;
  const std::vector<std::string> words = {"der", "the"};
  const std::vector<std::vector<std::string>> labels = {{"w_der"}, {"w_the"}};
  parts.source = parts.target = std::make_shared<decode::features::LabelSets>(words, labels);
  return xbleu::EventFeatures(std::make_shared<decode::features::SparseReorderingFeature>(std::move(parts)));
}

void use_lists(const std::string& path) {
  const xbleu::ListFile file(path);
  xbleu::EventFeatures features = event_features();
  features.open(file);
  std::vector<uint32_t> numbers;
  size_t sum = 0;
  for (size_t i = 0; i < file.size(); ++i) {
    const xbleu::ListView list = file[i];
    for (const uint32_t word : list.source) sum += file.words()[word].size();
    const auto add = [&](uint16_t use) { sum += file.phrase(list.events[use].target).size(); };
    for (const xbleu::Event& event : list.events) features.append(list, event, numbers);
    for (const uint16_t use : list.common) add(use);
    for (size_t candidate = 0; candidate < list.size(); ++candidate)
      for (const uint16_t use : list.uses(candidate)) add(use);
  }
  if (sum == SIZE_MAX) std::abort();  // what is read is used
}

void use_derivations(const std::string& path) {
  const reestimate::DerivationFile file(path);
  size_t sum = 0;
  for (size_t i = 0; i < file.size(); ++i) {
    const reestimate::DerivationList list = file[i];
    for (const uint32_t word : list.source) sum += file.words()[word].size();
    for (size_t derivation = 0; derivation < list.size(); ++derivation)
      for (const uint16_t step : list.steps(derivation)) {
        for (const uint32_t word : file.targets()[list.phrases[step].target])
          sum += file.words()[word].size();
        for (const reestimate::PhraseLink link : file.links()[list.phrases[step].links]) sum += link.target;
      }
  }
  if (sum == SIZE_MAX) std::abort();  // what is read is used
}

void use_event_forests(const std::string& path) {
  const xbleu::EventForestFile file(path);
  xbleu::EventFeatures features = event_features();
  features.open(file.texts());
  xbleu::ForestSet set(std::filesystem::temp_directory_path(), features.is_small(), true);
  double sum = 0;
  for (size_t i = 0; i < file.size(); ++i) {
    sum += xbleu::best_statistics(file[i], file.texts())[0];
    set.add(file[i], file.texts(), {0.1, -0.1, {0.1, 0.2, 0.3, 0.4}}, features);
  }
  set.seal();
  const std::vector<float> weights(features.size());
  std::vector<double> gradient(features.size());
  for (const auto objective : {xbleu::ListObjective::kExpectedGain, xbleu::ListObjective::kLikelihood})
    xbleu::gradient_of(set, weights, objective, 1, gradient);
  if (sum < 0) std::abort();  // what is read is used
}

const std::map<std::string, void (*)(const std::string&)> kReaders = {
    {"phrases", use_phrases},        {"ngramlm", use_lm},           {"rules", use_rules},
    {"suffix", use_suffixes},        {"phrcount", use_counts},      {"forests", use_forests},
    {"grammars", use_grammars},      {"weights", use_weights},      {"xbleu", use_lists},
    {"xforests", use_event_forests}, {"derivats", use_derivations},
};

/// Whether the bytes were read to the end.
bool read(const std::string& kind, const MemoryFile& file) {
  try {
    kReaders.at(kind)(file.path());
    return true;
  } catch (const InputError& error) {
    if (find_invalid_utf8(error.what()) == std::string_view::npos) return false;
    std::fprintf(stderr, "broken: a message is not UTF-8\n");
    std::abort();
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "broken: a damaged size was taken for true\n");
    std::abort();
  }
}

std::map<std::string, std::string> read_seeds(const char* folder) {
  std::map<std::string, std::string> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string kind = container_kind(entry.path().string());
    if (!kReaders.contains(kind)) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    seeds[kind] = std::string(std::istreambuf_iterator<char>(stream), {});
  }
  return seeds;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return std::fprintf(stderr, "usage: fuzz_containers FOLDER [seconds] [seed]\n"), 2;
  const double seconds = count > 2 ? std::atof(arguments[2]) : 5;
  std::mt19937_64 random(count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 1);
  const auto seeds = read_seeds(arguments[1]);
  const MemoryFile file;
  for (const auto& [kind, reader] : kReaders) {
    if (!seeds.contains(kind)) return std::fprintf(stderr, "no seed of kind %s\n", kind.c_str()), 1;
    file.write(put_together(take_apart(seeds.at(kind))));
    if (!read(kind, file)) return std::fprintf(stderr, "the seed of kind %s is refused\n", kind.c_str()), 1;
  }
  const auto start = std::chrono::steady_clock::now();
  std::map<std::string, std::pair<size_t, size_t>> totals;  // inputs, and those that were read
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds)
    for (const auto& [kind, seed] : seeds)
      for (int i = 0; i < 20; ++i) {
        const std::string bytes = mutate(random, seed);
        if (const char* kept = std::getenv("FUZZ_KEEP")) std::ofstream(kept, std::ios::binary) << bytes;
        file.write(bytes);
        ++totals[kind].first;
        totals[kind].second += read(kind, file) ? 1 : 0;
      }
  for (const auto& [kind, total] : totals)
    std::printf("%s: %zu files, %zu of them read, no fault\n", kind.c_str(), total.first, total.second);
  return 0;
}
