#include "tunesmith/decode/features/sparse_reordering.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/decode/features/oriented_words.h"
#include "tunesmith/decode/model.h"

namespace tunesmith::decode::features {

namespace {

class SparseReorderingSession : public FeatureSession {
 public:
  SparseReorderingSession(const SparseReorderingFeature& feature, const weights::WeightStore& weights,
                          size_t offset)
      : feature_(feature),
        parts_(feature.parts()),
        reading_(parts_.model, parts_.classes),
        is_backward_(reads_backward(parts_)),
        offset_(offset),
        scores_(feature.oriented_names(), parts_.only, *parts_.source, *parts_.target, weights),
        words_(parts_, feature.source(), feature.target()),
        states_(use_of(parts_)) {}

  void begin(const DecoderInput& input) override {
    scores_.refresh();
    states_.begin(input);
    words_.begin(input);
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
    const Borders own = words_.phrase(step);
    return {score, states_.next(tails[0], step.range, words_.kept(own), words_.mark(own))};
  }
  void values(std::span<const uint32_t> tails, const Step& step, FeatureSink& sink) override {
    const auto add = [&](WordPlace place, uint32_t set, size_t orientation) {
      scores_.add(place, set, orientation, sink);
    };
    visit(
        tails[0], step, add,
        [&](Range gap, size_t orientation) {
          if (words_.columns().empty()) return;
          for (uint32_t i = gap.begin; i < gap.end; ++i)
            add(WordPlace::kBetween, words_.columns()[i], orientation);
        },
        [&](size_t orientation) {
          feature_.texts().read(step.option, words_.words(), sides_);
          for (const PhraseIdentity identity : kAllIdentities)
            features::add(
                sink, parts_.only,
                feature_.oriented_names()(identity, sides_.source, sides_.target, orientation).name());
        });
  }
  size_t bytes() const override { return states_.bytes(); }

 private:
  /// Calls word(place, set, orientation) for each word at a border, gap(columns, orientation), and
  /// whole(orientation) if the option has an identity.
  template <class Word, class Gap, class Whole>
  void visit(uint32_t number, const Step& step, Word word, Gap gap, Whole whole) {
    const auto& state = states_[number];
    const auto visit_borders = [&](WordPlace first, const Borders& at, size_t orientation) {
      at.for_each(first, [&](WordPlace place, uint32_t set) { word(place, set, orientation); });
    };
    const size_t backward = is_backward_ ? states_.backward_class(reading_, state, step.range) : 0;
    if (parts_.has_phrase) visit_borders(WordPlace::kPhraseSourceFirst, words_.phrase(step), backward);
    if (parts_.has_identities && PhraseTexts::has_identity(step.option)) whole(backward);
    if (parts_.stack != StackWords::kNone && !words_.is_start(state))
      visit_borders(WordPlace::kStackSourceFirst, words_.top(states_, state, state.last),
                    words_.has_block() ? backward : states_.forward_class(reading_, state, step));
    if (parts_.has_between && is_discontinuous(backward))
      gap(words_.gap(states_, state, step.range), backward);
  }

  /// The scores of the words before each column, summed.
  void sum_between() {
    const size_t width = reading_.width();
    const auto columns = words_.columns();
    between_.assign((columns.size() + 1) * width, 0);
    for (size_t i = 0; i < columns.size(); ++i) {
      const float* added = scores_(WordPlace::kBetween, columns[i]);
      for (size_t o = 0; o < width; ++o) between_[(i + 1) * width + o] = between_[i * width + o] + added[o];
    }
  }
  float between_score(Range gap, size_t orientation) const {
    if (words_.columns().empty()) return 0;
    const size_t width = reading_.width();
    return between_[gap.end * width + orientation] - between_[gap.begin * width + orientation];
  }

  const SparseReorderingFeature& feature_;
  const SparseReorderingParts& parts_;
  OrientationReading reading_;
  bool is_backward_;
  size_t offset_;  // of the scores of identities
  OrientedScores scores_;
  OrientedWords words_;
  OrientationStates<LastWords> states_;
  std::vector<float> between_;  // by column and orientation
  PhraseTexts::Sides sides_;
};

}  // namespace

SparseReorderingParts checked(SparseReorderingParts parts) {
  const auto expected = static_cast<size_t>(tables::class_count(parts.classes));
  if (parts.orientations.size() != expected)
    throw InputError("sparse reordering has " + std::to_string(parts.orientations.size()) +
                     " names of orientations; expected " + std::to_string(expected));
  if (parts.stack == StackWords::kBlock && parts.model != tables::OrientationModel::kHierarchical)
    throw InputError("a stack of blocks needs the hierarchical orientation model");
  return parts;
}

SparseReorderingFeature::SparseReorderingFeature(SparseReorderingParts parts)
    : parts_(checked(std::move(parts))),
      names_(parts_.name, parts_.orientations),
      source_(parts_.source),
      target_(parts_.target) {}

void SparseReorderingFeature::attach(const DecoderModel& model) {
  source_.attach(model);
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
