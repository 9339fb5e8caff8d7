// The same measurement for every language model library: a Model knows `find(token)`, `begin()`, `end()`,
// `score(state, word, out)` in log10 and, perhaps, `score_all`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/// CPU time: other programs on the machine take their share of the clock's.
inline double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

inline uint64_t next_random(uint64_t& seed) {
  uint64_t value = seed += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

template <class Word, class State>
struct Query {
  State state;
  Word word;
};

/// Runs a body twice over some queries; prints the best rate and the sum of the scores.
template <class Body>
void report(const char* what, size_t queries, Body body) {
  double best = 1e30, sum = 0;
  for (int run = 0; run < 2; ++run) {
    const double start = seconds();
    sum = body();
    best = std::min(best, seconds() - start);
  }
  std::printf("%s\t%zu\t%.4f\t%.3f\n", what, queries, queries / best / 1e6, sum);
}

/// text: a tokenized sentence a line.
template <class Model>
int measure(const Model& model, const char* text) {
  using Word = typename Model::Word;
  using State = typename Model::State;
  std::vector<std::vector<Word>> sentences;
  std::ifstream in(text);
  for (std::string line, token; std::getline(in, line);) {
    std::istringstream tokens(line);
    std::vector<Word> words;
    while (tokens >> token) words.push_back(model.find(token));
    words.push_back(model.end());
    sentences.push_back(std::move(words));
  }

  std::vector<Query<Word, State>> queries;
  for (const auto& words : sentences) {
    State state = model.begin(), next;
    for (Word word : words) {
      queries.push_back({state, word});
      model.score(state, word, next);
      state = next;
    }
  }
  report("running text", queries.size(), [&] {
    double sum = 0;
    for (const auto& words : sentences) {
      State states[2] = {model.begin()};
      bool now = false;
      for (Word word : words) {
        sum += model.score(states[now], word, states[!now]);
        now = !now;
      }
    }
    return sum;
  });
  uint64_t seed = 1;
  for (size_t i = queries.size(); i > 1; --i) std::swap(queries[i - 1], queries[next_random(seed) % i]);
  report("random order", queries.size(), [&] {
    double sum = 0;
    State out;
    for (const auto& query : queries) sum += model.score(query.state, query.word, out);
    return sum;
  });
  if constexpr (requires(std::vector<Query<Word, State>> all) { model.score_all(all); })
    report("random order, batched", queries.size(), [&] { return model.score_all(queries); });
  return 0;
}
