#include "tunesmith/decode/features/sparse_reordering.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/decode/model.h"

namespace tunesmith::decode::features {

namespace {

/// The sets of the first and the last target word of the last option.
struct LastWords {
  uint32_t first = LabelSets::kNone, last = LabelSets::kNone;

  bool operator==(const LastWords&) const = default;
  uint64_t hash() const { return uint64_t{first} << 32 | last; }
};

/// The sets of the words at the borders of a phrase or block.
struct Borders {
  uint32_t source_first, source_last, target_first, target_last;
};

/// Whether features look at the backward orientation of an option.
bool is_backward_needed(const SparseReorderingParts& parts) {
  return parts.has_phrase || parts.has_between || parts.has_identities || parts.stack == StackWords::kBlock;
}

OrientationUse use_of(const SparseReorderingParts& parts) {
  const bool has_blocks = parts.model == tables::OrientationModel::kHierarchical;
  const bool has_previous = parts.stack == StackWords::kPrevious;
  const bool is_backward = is_backward_needed(parts);
  // The words between are those beside the previous option, unless blocks are what stands on the stack.
  const bool has_gap = parts.has_between && parts.stack != StackWords::kBlock;
  return {parts.model, parts.classes, has_blocks && is_backward, !has_blocks || has_previous || has_gap};
}

/// The columns between two ranges that do not overlap.
Range between(Range before, Range range) {
  return range.begin >= before.end ? Range{before.end, range.begin} : Range{range.end, before.begin};
}

class SparseReorderingSession : public FeatureSession {
 public:
  SparseReorderingSession(const SparseReorderingFeature& feature, const weights::WeightStore& weights,
                          size_t offset)
      : feature_(feature),
        parts_(feature.parts()),
        is_backward_(is_backward_needed(parts_)),
        offset_(offset),
        scores_(feature.oriented_names(), parts_.only, *parts_.source, *parts_.target, weights),
        states_(use_of(parts_)) {}

  void begin(const DecoderInput& input) override {
    scores_.refresh();
    states_.begin(input);
    words_ = input.words;
    source_.clear();
    for (const std::string_view word : input.source) source_.push_back(parts_.source->number(word));
    if (parts_.has_between) sum_between();
  }
  uint32_t start() override { return states_.start(); }

  float lookahead(std::span<const uint32_t> tails, const Step& step) override {
    float score = 0;
    visit(
        tails[0], step,
        [&](WordPlace place, uint32_t set, size_t orientation) { score += scores_(place, set)[orientation]; },
        [&](Range gap, size_t orientation) { score += between_score(gap, orientation); },
        [&](size_t orientation) { score += step.option.prepared[offset_ + orientation]; });
    return score;
  }
  Transition apply(std::span<const uint32_t> tails, const Step& step) override {
    const float score = lookahead(tails, step);
    const Borders own = borders(step);
    LastWords last;
    if (parts_.stack == StackWords::kPrevious) last = {own.target_first, own.target_last};
    if (has_block()) last.last = own.target_last;
    return {score, states_.next(tails[0], step.range, last, has_block() ? own.target_first : 0)};
  }
  void values(std::span<const uint32_t> tails, const Step& step, FeatureSink& sink) override {
    const auto add = [&](WordPlace place, uint32_t set, size_t orientation) {
      scores_.add(place, set, orientation, sink);
    };
    visit(
        tails[0], step, add,
        [&](Range gap, size_t orientation) {
          if (source_.empty()) return;
          for (uint32_t i = gap.begin; i < gap.end; ++i) add(WordPlace::kBetween, source_[i], orientation);
        },
        [&](size_t orientation) {
          feature_.texts().read(step.option, words_, sides_);
          for (const PhraseIdentity identity : kAllIdentities)
            features::add(
                sink, parts_.only,
                feature_.oriented_names()(identity, sides_.source, sides_.target, orientation).name());
        });
  }
  size_t bytes() const override { return states_.bytes(); }

 private:
  using State = OrientationStates<LastWords>::State;

  bool has_block() const { return parts_.stack == StackWords::kBlock; }
  bool is_start(const State& state) const {
    return has_block() ? state.stack == BlockStacks::kEmpty : state.before.end == 0;
  }
  uint32_t source_set(uint32_t column) const { return source_.empty() ? LabelSets::kNone : source_[column]; }
  Borders borders(Range range, uint32_t target_first, uint32_t target_last) const {
    return {source_set(range.begin), source_set(range.end - 1), target_first, target_last};
  }
  Borders borders(const Step& step) const {
    const auto words = step.option.words;
    if (words.empty()) return borders(step.range, LabelSets::kNone, LabelSets::kNone);
    return borders(step.range, feature_.target().number(words.front(), words_),
                   feature_.target().number(words.back(), words_));
  }
  Borders top_borders(const State& state) const {
    if (!has_block()) return borders(state.before, state.last.first, state.last.last);
    const BlockStacks& stacks = states_.stacks();
    return borders(stacks.top(state.stack), stacks.mark(state.stack), state.last.last);
  }

  /// Calls word(place, set, orientation) for each word at a border, gap(columns, orientation), and
  /// whole(orientation) if the option has an identity.
  template <class Word, class Gap, class Whole>
  void visit(uint32_t number, const Step& step, Word word, Gap gap, Whole whole) {
    const State& state = states_[number];
    const auto visit_borders = [&](WordPlace first, const Borders& at, size_t orientation) {
      const auto place = [&](uint8_t i) { return static_cast<WordPlace>(static_cast<uint8_t>(first) + i); };
      word(place(0), at.source_first, orientation);
      word(place(1), at.source_last, orientation);
      word(place(2), at.target_first, orientation);
      word(place(3), at.target_last, orientation);
    };
    const size_t backward = is_backward_ ? states_.backward_class(state, step.range) : 0;
    if (parts_.has_phrase) visit_borders(WordPlace::kPhraseSourceFirst, borders(step), backward);
    if (parts_.has_identities && PhraseTexts::has_identity(step.option)) whole(backward);
    if (parts_.stack != StackWords::kNone && !is_start(state))
      visit_borders(WordPlace::kStackSourceFirst, top_borders(state),
                    has_block() ? backward : states_.forward_class(state, step));
    // Two classes have no discontinuous ones; the third and the fourth of all others are.
    if (parts_.has_between && (backward == 2 || backward == 3))
      gap(between(has_block() ? states_.stacks().top(state.stack) : state.before, step.range), backward);
  }

  /// The scores of the words before each column, summed.
  void sum_between() {
    const size_t width = feature_.oriented_names().orientations();
    between_.assign((source_.size() + 1) * width, 0);
    for (size_t i = 0; i < source_.size(); ++i) {
      const float* added = scores_(WordPlace::kBetween, source_[i]);
      for (size_t o = 0; o < width; ++o) between_[(i + 1) * width + o] = between_[i * width + o] + added[o];
    }
  }
  float between_score(Range gap, size_t orientation) const {
    if (source_.empty()) return 0;
    const size_t width = feature_.oriented_names().orientations();
    return between_[gap.end * width + orientation] - between_[gap.begin * width + orientation];
  }

  const SparseReorderingFeature& feature_;
  const SparseReorderingParts& parts_;
  bool is_backward_;
  size_t offset_;  // of the scores of identities
  OrientedScores scores_;
  OrientationStates<LastWords> states_;
  TargetWords words_;
  std::vector<uint32_t> source_;  // sets by column; empty for a lattice
  std::vector<float> between_;    // by column and orientation
  PhraseTexts::Sides sides_;
};

}  // namespace

SparseReorderingFeature::SparseReorderingFeature(SparseReorderingParts parts)
    : parts_(std::move(parts)), names_(parts_.name, parts_.orientations), target_(parts_.target) {
  const auto expected = static_cast<size_t>(tables::class_count(parts_.classes));
  if (parts_.orientations.size() != expected)
    throw InputError("sparse reordering has " + std::to_string(parts_.orientations.size()) +
                     " names of orientations; expected " + std::to_string(expected));
  if (parts_.stack == StackWords::kBlock && parts_.model != tables::OrientationModel::kHierarchical)
    throw InputError("a stack of blocks needs the hierarchical orientation model");
}

void SparseReorderingFeature::attach(const DecoderModel& model) {
  target_.attach(model.words());
  texts_.attach(model);
}

float SparseReorderingFeature::prepare(const Option& option, const TargetWords& words,
                                       const FeatureWeights& weights, std::span<float> out) const {
  if (!parts_.has_identities || !PhraseTexts::has_identity(option)) return 0;
  PhraseTexts::Sides sides;
  texts_.read(option, words, sides);
  for (size_t orientation = 0; orientation < out.size(); ++orientation) {
    out[orientation] = 0;
    for (const PhraseIdentity identity : kAllIdentities) {
      const uint64_t key = names_(identity, sides.source, sides.target, orientation).key();
      if (admits(parts_.only, key)) out[orientation] += weights.sparse.weight_of(key);
    }
  }
  return 0;
}

std::unique_ptr<FeatureSession> SparseReorderingFeature::session(const FeatureWeights& weights,
                                                                 size_t offset) const {
  return std::make_unique<SparseReorderingSession>(*this, weights.sparse, offset);
}

}  // namespace tunesmith::decode::features
