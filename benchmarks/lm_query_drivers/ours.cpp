// The queries of Tunesmith's own model: ours MODEL TEXT map|memory
#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "measure.h"
#include "tunesmith/lm/model.h"

struct Ours {
  using Word = int32_t;
  using State = tunesmith::lm::LmState;
  tunesmith::lm::NgramLm lm;

  Word find(const std::string& token) const { return lm.find(token); }
  Word end() const { return lm.sentence_end(); }
  State begin() const { return lm.begin_state(); }
  double score(const State& in, Word word, State& out) const {
    return lm.score(in, word, out) / std::numbers::ln10;
  }
  double score_all(const std::vector<Query<Word, State>>& queries) const {
    constexpr size_t kBatch = 256;
    tunesmith::lm::LmQuery batch[kBatch];
    float scores[kBatch];
    State out[kBatch];
    double sum = 0;
    for (size_t begin = 0; begin < queries.size(); begin += kBatch) {
      const size_t size = std::min(kBatch, queries.size() - begin);
      for (size_t i = 0; i < size; ++i) batch[i] = {&queries[begin + i].state, queries[begin + i].word};
      lm.score({batch, size}, {scores, size}, {out, size});
      for (size_t i = 0; i < size; ++i) sum += scores[i] / std::numbers::ln10;
    }
    return sum;
  }
};

int main(int, char** arguments) {
  return measure(Ours{tunesmith::lm::NgramLm(arguments[1], std::strcmp(arguments[3], "memory") == 0)},
                 arguments[2]);
}
