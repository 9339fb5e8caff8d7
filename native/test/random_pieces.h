// Random rules over random sub-derivations ("pieces"), for tests of features in a chart.
#pragma once

#include <utility>
#include <vector>

#include "tunesmith/base/splitmix.h"
#include "tunesmith/decode/feature.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::test {

/// A sub-derivation: its yield, and the state of the feature under test.
struct Piece {
  std::vector<int32_t> words;
  bool begins = false;  // the sentence
  uint32_t state = 0;
};

/// A rule applied to pieces, with its yield. Its views are valid as long as it does not move.
struct PieceRule {
  std::vector<grammar::Symbol> symbols;
  std::vector<uint32_t> tails;
  std::vector<int32_t> words;
  bool begins = false;
  decode::Option option;

  decode::Step step() const { return {option, {0, 1}, {}}; }
  Piece piece(uint32_t state) const { return {words, begins, state}; }
};

/// Rules with up to two gaps, in both orders, and few or no words; a piece that begins a sentence comes first
/// on the target side of its rule.
class RandomPieces {
 public:
  RandomPieces(uint64_t seed, uint32_t words, uint32_t start) : random_(seed, 0), words_(words) {
    pieces_.push_back({{}, true, start});
  }
  void add(Piece piece) { pieces_.push_back(std::move(piece)); }

  PieceRule rule() {
    PieceRule rule;
    std::vector<const Piece*> tails;
    for (uint32_t gaps = random_.below(grammar::kMaxGaps + 1); gaps > 0; --gaps) {
      const Piece& piece = pieces_[random_.below(static_cast<uint32_t>(pieces_.size()))];
      if (piece.begins && rule.begins) break;
      rule.begins = rule.begins || piece.begins;
      tails.push_back(&piece);
      rule.tails.push_back(piece.state);
    }
    std::vector<grammar::Symbol> order;
    for (size_t gap = 0; gap < tails.size(); ++gap) order.push_back(grammar::gap_symbol(gap));
    if (order.size() == 2 && (rule.begins ? tails[1]->begins : random_.below(2) == 0))
      std::swap(order[0], order[1]);
    if (!rule.begins) add_words(rule);
    for (const grammar::Symbol gap : order) {
      rule.symbols.push_back(gap);
      const auto& yield = tails[grammar::gap_index(gap)]->words;
      rule.words.insert(rule.words.end(), yield.begin(), yield.end());
      add_words(rule);
    }
    rule.option.words = rule.symbols;
    return rule;
  }

 private:
  void add_words(PieceRule& rule) {
    for (uint32_t count = random_.below(3); count > 0; --count) {
      const auto word = static_cast<int32_t>(random_.below(words_));
      rule.symbols.push_back(word);
      rule.words.push_back(word);
    }
  }

  SplitMix random_;
  uint32_t words_;
  std::vector<Piece> pieces_;
};

}  // namespace tunesmith::test
