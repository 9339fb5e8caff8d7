#include "tunesmith/decode/features/context.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "check.h"
#include "random_pieces.h"

namespace tunesmith::decode::features::context_test {
using tunesmith::test::Piece;
using tunesmith::test::RandomPieces;

using Words = std::vector<int32_t>;
using Ends = std::tuple<bool, Words, Words>;

Ends ends(const Piece& piece, size_t size) {
  const auto kept = static_cast<std::ptrdiff_t>(std::min(size, piece.words.size()));
  const Words first(piece.words.begin(), piece.words.begin() + kept);
  return {piece.begins, piece.begins ? Words() : first, Words(piece.words.end() - kept, piece.words.end())};
}

TEST(sub_derivations_have_equal_states_exactly_if_their_ends_are_equal) {
  for (const size_t size : {0, 1, 2, 3, 5}) {
    const weights::WeightStore sparse;
    const auto session = ContextFeature(size).chart_session({{}, sparse}, 0);
    for (uint64_t round = 0; round < 20; ++round) {
      session->begin({});
      std::map<Ends, uint32_t> states;
      std::map<uint32_t, Ends> found;
      RandomPieces pieces(round, 2, session->start());
      for (int i = 0; i < 300; ++i) {
        const auto rule = pieces.rule();
        const Transition made = session->apply(rule.tails, rule.step());
        CHECK(made.score == 0);
        const Piece piece = rule.piece(made.state);
        CHECK(states.emplace(ends(piece, size), made.state).first->second == made.state);
        CHECK(found.emplace(made.state, ends(piece, size)).first->second == ends(piece, size));
        pieces.add(piece);
      }
      CHECK(found.size() > (size == 0 ? 1U : 5U));
    }
  }
}

}  // namespace tunesmith::decode::features::context_test
