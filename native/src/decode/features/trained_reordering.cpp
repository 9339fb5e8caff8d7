#include "tunesmith/decode/features/trained_reordering.h"

#include <algorithm>

#include "tunesmith/decode/features/lexical_orientations.h"
#include "tunesmith/decode/features/oriented_words.h"
#include "tunesmith/decode/model.h"

namespace tunesmith::decode::features {

namespace {

/// What states keep of the last option, for all models of a session.
struct LastPhrase {
  LastOption option;
  LastWords words;

  bool operator==(const LastPhrase&) const = default;
  uint64_t hash() const { return mix(option.hash(), words.hash()); }
};

/// One state serves the trained model and the lexicalized ones that joined it.
class TrainedReorderingSession : public FeatureSession {
 public:
  TrainedReorderingSession(const TrainedReorderingFeature& feature, const FeatureWeights& weights,
                           size_t offset)
      : feature_(feature),
        parts_(feature.parts()),
        scores_(feature.scores()),
        reading_(parts_.model, parts_.classes),
        width_(reading_.width()),
        offset_(offset + feature.local_offset()),
        has_stack_(parts_.stack != StackWords::kNone),
        has_block_(parts_.stack == StackWords::kBlock),
        has_between_(parts_.has_between),
        has_backward_(reads_backward(parts_)),
        lexical_(lexical_of(feature, offset)),
        words_(parts_, feature.source(), feature.target()),
        states_(use_of_all()) {
    const auto own = weights.dense.last(width_);
    weights_.assign(own.begin(), own.end());
    keeps_option_ = std::ranges::any_of(lexical_, [](const auto& each) { return each.is_forward(); });
    reads_blocks_ = (has_backward_ && reading_.has_blocks()) ||
                    std::ranges::any_of(lexical_, [](const auto& each) { return each.reads_blocks(); });
  }

  void begin(const DecoderInput& input) override {
    states_.begin(input);
    words_.begin(input);
    contexts_.clear();
    if (has_between_) sum_between();
  }
  uint32_t start() override { return with_context(states_.start()); }

  float lookahead(std::span<const uint32_t> tails, const Step& step) override {
    const auto& state = states_[tails[0]];
    const auto beside = reads_blocks_ ? states_.beside_block(state, step.range) : tables::Orientation();
    const size_t backward = has_backward_ ? states_.backward_class(reading_, state, step.range, beside) : 0;
    float score = step.option.prepared[offset_ + backward];
    if (has_stack_) {
      const size_t found = has_block_ ? backward : states_.forward_class(reading_, state, step);
      score += contexts_[tails[0] * width_ + found];
    }
    if (has_between_ && is_discontinuous(backward) && !words_.columns().empty()) {
      const Range gap = words_.gap(states_, state, step.range);
      score += between_[gap.end * width_ + backward] - between_[gap.begin * width_ + backward];
    }
    if (is_given(step.option)) score += weights_[backward] * given_source(step, backward);
    for (const LexicalOrientations& each : lexical_)
      score += each.score(states_, state, state.last.option, step, beside);
    return score;
  }
  Transition apply(std::span<const uint32_t> tails, const Step& step) override {
    const float score = lookahead(tails, step);  // before states may move
    LastPhrase last;
    uint32_t mark = 0;
    if (keeps_option_) last.option = LastOption::of(step.option);
    if (has_stack_) {
      const Borders own = words_.phrase(step);
      last.words = words_.kept(own);
      mark = words_.mark(own);
    }
    return {score, with_context(states_.next(tails[0], step.range, last, mark))};
  }
  void values(std::span<const uint32_t> tails, const Step& step, FeatureSink& sink) override {
    const auto& state = states_[tails[0]];
    size_t first = 0;
    for (size_t i = 0; i < lexical_.size(); ++i) {
      lexical_[i].values(states_, state, state.last.option, step,
                         [&](size_t column, float value) { sink.add(first + column, value); });
      first += feature_.lexical()[i]->prepared_size();  // one float per column
    }
    sums_.assign(width_, 0);
    const size_t backward = has_backward_ ? states_.backward_class(reading_, state, step.range) : 0;
    local_.resize(width_);
    feature_.local(step.option, words_.words(), local_);
    sums_[backward] += local_[backward];
    if (is_given(step.option)) sums_[backward] += given_source(step, backward);
    if (has_stack_ && !words_.is_start(state)) {
      const size_t found = has_block_ ? backward : states_.forward_class(reading_, state, step);
      words_.top(states_, state, state.last.words)
          .for_each(WordPlace::kStackSourceFirst,
                    [&](WordPlace place, uint32_t set) { sums_[found] += scores_.row(place, set)[found]; });
    }
    if (has_between_ && is_discontinuous(backward) && !words_.columns().empty()) {
      const Range gap = words_.gap(states_, state, step.range);
      for (uint32_t i = gap.begin; i < gap.end; ++i)
        sums_[backward] += scores_.row(WordPlace::kBetween, words_.columns()[i])[backward];
    }
    for (size_t i = 0; i < width_; ++i)
      if (sums_[i] != 0) sink.add(first + i, sums_[i]);
  }
  size_t bytes() const override { return states_.bytes() + held_bytes(contexts_); }

 private:
  static std::vector<LexicalOrientations> lexical_of(const TrainedReorderingFeature& feature, size_t offset) {
    std::vector<LexicalOrientations> made;
    for (const auto& each : feature.lexical()) {
      made.emplace_back(*each, offset);
      offset += each->prepared_size();
    }
    return made;
  }
  OrientationUse use_of_all() const {
    OrientationUse use = use_of(parts_);
    for (const LexicalOrientations& each : lexical_) use = use | each.use();
    return use;
  }
  /// Whether an option is given by the input. Such options have no reordering probabilities, which the joined
  /// models read anyway: the number of the rule is in another cache line.
  static bool is_given(const Option& option) {
    return option.reordering.empty() && option.rule == Option::kGiven;
  }
  /// The source words of a phrase that is given by the input are known only here.
  float given_source(const Step& step, size_t orientation) const {
    if (!parts_.has_phrase || words_.columns().empty()) return 0;
    const auto columns = words_.columns();
    return scores_.row(WordPlace::kPhraseSourceFirst, columns[step.range.begin])[orientation] +
           scores_.row(WordPlace::kPhraseSourceLast, columns[step.range.end - 1])[orientation];
  }
  /// Stores the weighted scores of what is on top of the stack with a new state.
  uint32_t with_context(uint32_t number) {
    if (!has_stack_ || contexts_.size() > number * width_) return number;
    contexts_.resize((number + 1) * width_);
    const auto& state = states_[number];
    if (words_.is_start(state)) return number;
    float* context = contexts_.data() + number * width_;
    words_.top(states_, state, state.last.words)
        .for_each(WordPlace::kStackSourceFirst, [&](WordPlace place, uint32_t set) {
          const float* row = scores_.row(place, set);
          for (size_t i = 0; i < width_; ++i) context[i] += row[i];
        });
    for (size_t i = 0; i < width_; ++i) context[i] *= weights_[i];
    return number;
  }
  /// The weighted scores of the words before each column, summed.
  void sum_between() {
    const auto columns = words_.columns();
    between_.assign((columns.size() + 1) * width_, 0);
    for (size_t i = 0; i < columns.size(); ++i) {
      const float* row = scores_.row(WordPlace::kBetween, columns[i]);
      for (size_t o = 0; o < width_; ++o)
        between_[(i + 1) * width_ + o] = between_[i * width_ + o] + weights_[o] * row[o];
    }
  }

  const TrainedReorderingFeature& feature_;
  const SparseReorderingParts& parts_;
  const OrientedTable& scores_;
  OrientationReading reading_;
  size_t width_, offset_;
  bool has_stack_, has_block_, has_between_, has_backward_, keeps_option_ = false, reads_blocks_ = false;
  std::vector<LexicalOrientations> lexical_;
  OrientedWords words_;
  OrientationStates<LastPhrase> states_;
  std::vector<float> weights_;   // by orientation
  std::vector<float> contexts_;  // by state and orientation
  std::vector<float> between_;   // by column and orientation
  std::vector<float> sums_, local_;
};

}  // namespace

TrainedReorderingFeature::TrainedReorderingFeature(SparseReorderingParts parts,
                                                   std::shared_ptr<const weights::MappedWeights> phi)
    : parts_(checked(std::move(parts))),
      phi_(std::move(phi)),
      names_(parts_.name, parts_.orientations),
      source_(parts_.source),
      target_(parts_.target) {
  for (const WordPlace place : places_of(parts_))
    scores_.compute(names_, parts_.only, place, is_target(place) ? *parts_.target : *parts_.source, *phi_);
}

std::vector<std::string> TrainedReorderingFeature::names() const {
  std::vector<std::string> names;
  for (const auto& each : lexical_)
    for (std::string& name : each->names()) names.push_back(std::move(name));
  for (const std::string& orientation : parts_.orientations) names.push_back(parts_.name + "_" + orientation);
  return names;
}

void TrainedReorderingFeature::attach(const DecoderModel& model) {
  source_.attach(model);
  target_.attach(model.words());
  texts_.attach(model);
  for (size_t i = 0; i < rows_.size() && i < model.tables().size(); ++i)
    if (rows_[i]) rows_[i]->check(*model.tables()[i].table, width());
}

size_t TrainedReorderingFeature::local_offset() const {
  size_t sum = 0;
  for (const auto& each : lexical_) sum += each->prepared_size();
  return sum;
}

float TrainedReorderingFeature::prepare(const Option& option, const TargetWords& words,
                                        const FeatureWeights& weights, std::span<float> out) const {
  float expected = 0;
  size_t column = 0, at = 0;
  for (const auto& each : lexical_) {
    const size_t size = each->prepared_size();
    expected += each->prepare(option, words, {weights.dense.subspan(column, size), weights.sparse},
                              out.subspan(at, size));
    column += size;
    at += size;
  }
  const std::span<float> own = out.subspan(at);
  local(option, words, own);
  for (size_t i = 0; i < own.size(); ++i) own[i] *= weights.dense[column + i];
  return expected + *std::ranges::max_element(own);  // an upper bound: the best orientation
}

void TrainedReorderingFeature::local(const Option& option, const TargetWords& words,
                                     std::span<float> out) const {
  if (option.rule >= 0) {
    const auto table = static_cast<size_t>(option.rule >> 32);
    if (table < rows_.size() && rows_[table]) {
      std::ranges::copy((*rows_[table])[static_cast<uint32_t>(option.rule)], out.begin());
      return;
    }
  }
  compute_local(option, words, out);
}

void TrainedReorderingFeature::compute_local(const Option& option, const TargetWords& words,
                                             std::span<float> out) const {
  std::ranges::fill(out, 0);
  if (parts_.has_phrase) {
    const auto ends = source_.ends(option, words);
    Borders borders{ends.first, ends.last, LabelSets::kNone, LabelSets::kNone};
    if (!option.words.empty()) {
      borders.target_first = target_.number(option.words.front(), words);
      borders.target_last = target_.number(option.words.back(), words);
    }
    borders.for_each(WordPlace::kPhraseSourceFirst, [&](WordPlace place, uint32_t set) {
      const float* row = scores_.row(place, set);
      for (size_t i = 0; i < out.size(); ++i) out[i] += row[i];
    });
  }
  if (!parts_.has_identities || !PhraseTexts::has_identity(option)) return;
  PhraseTexts::Sides sides;
  texts_.read(option, words, sides);
  for (size_t i = 0; i < out.size(); ++i)
    for (const PhraseIdentity identity : kAllIdentities) {
      const uint64_t key = names_(identity, sides.source, sides.target, i).key();
      if (admits(parts_.only, key)) out[i] += phi_->weight_of(key);
    }
}

std::unique_ptr<FeatureSession> TrainedReorderingFeature::session(const FeatureWeights& weights,
                                                                  size_t offset) const {
  return std::make_unique<TrainedReorderingSession>(*this, weights, offset);
}

void write_local_scores(const SparseReorderingParts& parts, std::shared_ptr<const weights::MappedWeights> phi,
                        const tables::PhraseTable& table, int threads, const std::string& path) {
  DecoderModel model;
  model.add_table(table, parts.name, 0);
  TrainedReorderingFeature feature(parts, std::move(phi));
  feature.attach(model);
  const TargetWords words{model.words(), {}};
  const auto row = [&](std::span<const int32_t> source, uint32_t pair, std::span<float> out) {
    Option option;
    option.rule = pair;
    option.source = source;
    option.words = table.target_phrase(table.target(pair));
    feature.local(option, words, out);
  };
  write_pair_scores(table, feature.width(), row, threads, path);
}

}  // namespace tunesmith::decode::features
