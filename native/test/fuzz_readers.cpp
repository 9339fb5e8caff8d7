// Fuzzes the parsers of candidate lists and forests. Built with libFuzzer (-fsanitize=fuzzer,
// -DTUNESMITH_LIBFUZZER) it is an ordinary target; otherwise its own main mutates the seeds below,
// deterministically: fuzz_readers [seconds] [seed]
//
// For any bytes, a parser must end with InputError or with a well-formed pool or forest, independent of how
// the input is split into chunks.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tunesmith/base/csr.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"
#include "tunesmith/base/texts.h"
#include "tunesmith/candidates/column_parser.h"
#include "tunesmith/candidates/jsonl_parser.h"
#include "tunesmith/candidates/nbest_parser.h"
#include "tunesmith/forest/block.h"
#include "tunesmith/forest/formats/hypergraph_parser.h"
#include "tunesmith/forest/formats/hypergraph_writer.h"
#include "tunesmith/forest/formats/search_graph_parser.h"
#include "tunesmith/forest/formats/search_graph_writer.h"

using namespace tunesmith;

namespace {

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

constexpr int kKinds = 9;

template <class Parser>
std::optional<candidates::PoolArrays> run(Parser&& parser, std::string_view text, size_t step) {
  try {
    for (size_t at = 0; at < text.size(); at += step) parser.feed(text.substr(at, step));
    parser.finish();
    return parser.take();
  } catch (const InputError& error) {
    require(find_invalid_utf8(error.what()) == std::string_view::npos, "a message is not UTF-8");
    return std::nullopt;
  }
}

std::optional<candidates::PoolArrays> parse_pool(int kind, std::string_view text, size_t step) {
  switch (kind) {
    case 0:
      return run(candidates::NbestParser(candidates::NbestStyle::moses), text, step);
    case 1:
      return run(candidates::NbestParser(candidates::NbestStyle::moses_old), text, step);
    case 2:
      return run(candidates::NbestParser(candidates::NbestStyle::cdec), text, step);
    case 3:
      return run(candidates::NbestParser(candidates::NbestStyle::travatar), text, step);
    default:
      return run(candidates::JsonlParser(), text, step);
  }
}

void check_texts(const TextColumn& column, size_t expected, const char* what) {
  require(column.size() == expected || column.empty(), what);
  check_offsets(column.offsets, column.blob.size(), what);
  require(find_invalid_utf8({reinterpret_cast<const char*>(column.blob.data()), column.blob.size()}) ==
              std::string_view::npos,
          what);
}

void check_pool(const candidates::PoolArrays& pool) {
  const size_t rows = pool.offsets.size() - 1, lists = pool.lists.size() - 1;
  check_csr({pool.offsets, pool.columns, pool.values, pool.names.size()});
  check_offsets(pool.lists, rows, "lists");
  for (size_t g = 0; g < lists; ++g) require(pool.lists[g] < pool.lists[g + 1], "an empty list");
  require(lists > 0 && pool.ids.size() == lists, "ids");
  require(pool.totals.empty() || pool.totals.size() == rows, "totals");
  require(pool.scores.size() == pool.score_names.size(), "score names");
  for (const auto& scores : pool.scores) require(scores.size() == rows, "scores");
  for (const auto& reference : pool.references) check_texts(reference, lists, "references");
  check_texts(pool.texts, rows, "texts");
  check_texts(pool.sources, lists, "sources");
}

void fuzz_columns(int kind, std::string_view text, size_t step) {
  try {
    candidates::TextParser texts;
    candidates::NumberParser numbers;
    LineParser& parser = kind == 5 ? static_cast<LineParser&>(texts) : numbers;
    for (size_t at = 0; at < text.size(); at += step) parser.feed(text.substr(at, step));
    parser.finish();
    const TextColumn lines = texts.take();
    check_texts(lines, lines.size(), "lines");
    if (kind == 6) require(numbers.width() > 0 && numbers.take().size() % numbers.width() == 0, "numbers");
  } catch (const InputError&) {
  }
}

std::vector<forest::Forest> parse_forests(int kind, std::string_view text, size_t step) {
  forest::formats::HypergraphParser hypergraph;
  forest::formats::SearchGraphParser graphs;
  LineParser& parser = kind == 7 ? static_cast<LineParser&>(hypergraph) : graphs;
  for (size_t at = 0; at < text.size(); at += step) parser.feed(text.substr(at, step));
  parser.finish();
  std::vector<forest::Forest> forests;
  if (kind == 7) forests.push_back(hypergraph.take());
  for (auto& [id, forest] : graphs.take()) forests.push_back(std::move(forest));
  return forests;
}

/// Checks that what was read can be written, packed and unpacked.
bool fuzz_forests(int kind, std::string_view text, size_t step) {
  std::vector<forest::Forest> forests;
  try {
    forests = parse_forests(kind, text, step);
  } catch (const InputError& error) {
    require(find_invalid_utf8(error.what()) == std::string_view::npos, "a message is not UTF-8");
    return false;
  }
  for (const forest::Forest& forest : forests) {
    std::vector<uint32_t> words(forest.names().words.size()), features(forest.names().features.size());
    for (size_t i = 0; i < words.size(); ++i) words[i] = static_cast<uint32_t>(i);
    for (size_t i = 0; i < features.size(); ++i) features[i] = static_cast<uint32_t>(i);
    const forest::Forest again(forest::decode_forest(forest::encode_forest(forest.arrays(), words, features)),
                               forest.shared_names());
    require(again.arrays().tails.values == forest.arrays().tails.values &&
                again.arrays().features.values == forest.arrays().features.values,
            "a packed forest differs from the original");
    try {
      const std::vector<double> scores(forest.edge_count());
      const std::string written = kind == 7 ? forest::formats::format_hypergraph(forest)
                                            : forest::formats::format_search_graph(forest, "0", scores, true);
      require(parse_forests(kind, written, 4096).size() == 1, "what was written cannot be read");
    } catch (const InputError& error) {
      const std::string_view message = error.what();
      require(message.find("write the format forests") != std::string_view::npos ||
                  message.find("finite") != std::string_view::npos,
              error.what());
    }
  }
  return !forests.empty();
}

void fuzz_one(int kind, size_t step, std::string_view text) {
  if (kind >= 7) {
    fuzz_forests(kind, text, step);
    return;
  }
  if (kind >= 5) return fuzz_columns(kind, text, step);
  const auto whole = parse_pool(kind, text, std::max<size_t>(text.size(), 1));
  const auto cut = parse_pool(kind, text, step);
  require(whole.has_value() == cut.has_value(), "whether a file is read depends on the chunks");
  if (!whole) return;
  check_pool(*whole);
  require(whole->values == cut->values && whole->columns == cut->columns && whole->lists == cut->lists &&
              whole->texts.blob == cut->texts.blob && whole->texts.offsets == cut->texts.offsets,
          "what is read depends on the chunks");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  fuzz_one(data[0] % kKinds, 1 + data[1] % 64, text);
  return 0;
}

#ifndef TUNESMITH_LIBFUZZER

namespace {

const std::vector<std::string> kSeeds = {
    "0 ||| a b  ||| L= 1 -2.5 M= 3e-2 s_x= 1 ||| -4 ||| 0-0\n0 |||  |||  L= 0 0 M= 1 ||| 2\n1 ||| c ||| L= 1 "
    "1\n",
    "0||| a ||| d: 0 -1 lm: -3.5 w: 2 ||| 1\n1||| \u00fcber ||| d: 1 1 lm: 2 w: 1 ||| 0\r\n",
    "0 ||| a ||| f=1 g=x=2 ||| 3\n2 ||| b ||| g=x=-1e5 ||| 1",
    "0 ||| a ||| -1.5 ||| f=1 g=2\n0 ||| b ||| 2 ||| g=3\n",
    "{\"feature_names\": [\"f\", \"g\"]}\n"
    "{\"id\": 0, \"source\": \"s\", \"references\": [\"r\\u00e9\", \"\\ud83d\\ude00\"], \"hypotheses\": "
    "[{\"text\": \"a\\n\", \"features\": {\"f\": -1.5e3, \"g\": 0}, \"scores\": {\"c\": 0.5}, \"total\": 1}, "
    "{\"text\": \"\", \"features\": {}, \"scores\": {\"c\": 1}, \"total\": 2}]}\n",
    "a line\n\nanother \u4e2d\n",
    "1 2.5 -3e4\n4 5 6\n",
    "# target ||| features ||| source-covered\n3 4\n# node 0\n1\n<s> |||  ||| 0\n# node 1\n2\n[0] a  ||| f=1 "
    "g=-2 "
    "||| 1\n[0] b c ||| f=0.5 ||| 1\n# node 2\n1\n[1] [0] </s> |||  ||| 2\n",
    "0 hyp=0 stack=0\n0 hyp=1 stack=1 back=0 score=-1 transition=-1 forward=3 fscore=-2 covered=0-0 out=a\n"
    "0 hyp=2 stack=1 back=0 score=-2 transition=-2 recombined=1 forward=3 fscore=-2 covered=0-0 out=b \n"
    "0 hyp=3 stack=2 back=1 score=-3 transition=-2 forward=-1 fscore=0 covered=1-1 scores=\"core=(1,2) f=3 "
    "L= 1 "
    "2\" out=\"x|y\"\n1 hyp=0 stack=0\n",
};
const std::vector<std::string> kTokens = {
    "|||",
    " ||| ",
    "=",
    ": ",
    "= ",
    "\n",
    "\r\n",
    "\xff",
    "\xc3",
    std::string(1, '\0'),
    "nan",
    "-inf",
    "1e999",
    "1e-999",
    "{",
    "}",
    "[",
    "]",
    ",",
    "\"",
    "\\u",
    "\\ud83d",
    "\\",
    "\"id\": ",
    "true",
    "null",
    "-0",
    "00",
    "\xef\xbb\xbf",
    "&#124;",
    "99999999",
    "0 ||| ",
    "1 ||| ",
    "text\": ",
    "L= 1 2",
    "f=1 f=1",
    "\"f\": 1",
    "total",
    " ",
    "\t",
    "[0]",
    " hyp=",
    "back=0",
    "recombined=1",
    "forward=-1",
    "scores=\"",
    "out=",
};

/// Changes, deletes, repeats or inserts bytes, tokens and substrings of other seeds.
std::string mutate(std::mt19937_64& random, std::string text) {
  const auto below = [&](size_t n) { return n == 0 ? 0 : static_cast<size_t>(random() % n); };
  for (size_t edits = 1 + below(4); edits > 0; --edits) {
    const size_t at = below(text.size() + 1), length = below(text.size() - at + 1);
    switch (below(6)) {
      case 0:
        text.insert(at, kTokens[below(kTokens.size())]);
        break;
      case 1:
        text.erase(at, std::min<size_t>(length, 8));
        break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(random());
        break;
      case 3:
        text.insert(at, text.substr(below(text.size() + 1), 40));
        break;
      case 4: {
        const std::string& other = kSeeds[below(kSeeds.size())];
        text.insert(at, other.substr(below(other.size() + 1), below(60)));
        break;
      }
      default:
        text.erase(at, length);
    }
    if (text.size() > 4096) text.resize(4096);
  }
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  const double seconds = count > 1 ? std::atof(arguments[1]) : 5;
  std::mt19937_64 random(count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1);
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::vector<std::string>> corpus;  // by kind; grows by inputs that were read, to mutate further
  for (const auto& seed : kSeeds) corpus.push_back({seed});
  size_t runs = 0, pools = 0, forests = 0;
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
    for (int i = 0; i < 1000; ++i, ++runs) {
      const auto kind = static_cast<size_t>(random() % kKinds);
      auto& known = corpus[random() % 8 == 0 ? random() % kKinds : kind];
      const std::string text = mutate(random, known[random() % known.size()]);
      fuzz_one(static_cast<int>(kind), 1 + random() % 64, text);
      if (kind == 5 || kind == 6) continue;
      if (kind >= 7 ? !fuzz_forests(static_cast<int>(kind), text, 4096)
                    : !parse_pool(static_cast<int>(kind), text, 4096).has_value())
        continue;
      (kind >= 7 ? forests : pools) += 1;
      if (corpus[kind].size() < 1000) corpus[kind].push_back(text);
    }
  }
  std::printf("%zu inputs, %zu of them pools, %zu forests, no fault\n", runs, pools, forests);
  return pools > 0 && forests > 0 ? 0 : 1;
}

#endif
