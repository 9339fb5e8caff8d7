// The queries of KenLM's probing model: kenlm BINARY TEXT, or kenlm --build ARPA BINARY
#include <cstring>

#include "lm/model.hh"
#include "measure.h"

struct Kenlm {
  using Word = lm::WordIndex;
  using State = lm::ngram::State;
  const lm::ngram::ProbingModel& lm;

  Word find(const std::string& token) const { return lm.GetVocabulary().Index(token); }
  Word end() const { return lm.GetVocabulary().EndSentence(); }
  State begin() const { return lm.BeginSentenceState(); }
  double score(const State& in, Word word, State& out) const { return lm.FullScore(in, word, out).prob; }
};

int main(int, char** arguments) {
  lm::ngram::Config config;
  if (std::strcmp(arguments[1], "--build") == 0) {
    config.write_mmap = arguments[3];
    lm::ngram::ProbingModel built(arguments[2], config);
    return 0;
  }
  const lm::ngram::ProbingModel model(arguments[1], config);
  return measure(Kenlm{model}, arguments[2]);
}
