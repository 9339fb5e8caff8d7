#include "tunesmith/decode/features/lm_chart_session.h"

namespace tunesmith::decode::features {

void LmChartSession::begin(const DecoderInput& input) {
  words_.begin(input);
  states_.clear();
  known_.clear();
}

uint32_t LmChartSession::start() {
  lm::LmPiece piece(model_);
  piece.begin_sentence();
  return intern(piece.state());
}

Transition LmChartSession::apply(std::span<const uint32_t> tails, const Step& step) {
  const auto weighted = [&] {
    const Transition found = compose(tails, step.option);
    return Transition{weight_ * found.score, found.state};
  };
  if (!tails.empty()) return weighted();
  if (const Transition* known = known_.find(step.option.phrase)) return *known;
  return known_.insert(step.option.phrase, weighted()).value;
}

Transition LmChartSession::compose(std::span<const uint32_t> tails, const Option& option) {
  lm::LmPiece piece(model_);
  for (const grammar::Symbol symbol : option.words)
    if (grammar::is_gap(symbol))
      piece.piece(states_[tails[grammar::gap_index(symbol)]]);
    else
      piece.word(words_.number(symbol));
  return {piece.score(), intern(piece.state())};
}

float LmChartSession::end(uint32_t state) const {
  lm::LmState out;
  return model_.score(states_[state].right, model_.sentence_end(), out);
}

}  // namespace tunesmith::decode::features
