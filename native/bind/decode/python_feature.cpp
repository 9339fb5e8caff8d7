// Features written in Python. Decoder threads run without the GIL and acquire it for each call into Python; a
// Python exception propagates through them unchanged.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <mutex>
#include <optional>
#include <unordered_map>

#include "bind/bind.h"
#include "tunesmith/decode/model.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::bind {

namespace {

using NamedValues = std::vector<std::pair<std::string, float>>;

/// A damaged table may hold any bytes; invalid UTF-8 is replaced.
nb::object text(std::string_view word) {
  PyObject* decoded = PyUnicode_DecodeUTF8(word.data(), static_cast<Py_ssize_t>(word.size()), "replace");
  if (decoded == nullptr) throw nb::python_error();
  return nb::steal(decoded);
}

template <class Items, class Convert>
nb::tuple tuple(const Items& items, Convert convert) {
  nb::list list;
  for (const auto& item : items) list.append(convert(item));
  return nb::tuple(list);
}

float weighted(const NamedValues& values, const weights::WeightStore& weights) {
  float sum = 0;
  for (const auto& [name, value] : values) sum += weights[name] * value;
  return sum;
}

void pass_on(const NamedValues& values, decode::FeatureSink& sink) {
  for (const auto& [name, value] : values) sink.add(name, value);
}

/// A Python object that is released with the GIL held, on any thread.
template <class Object>
class Held {
 public:
  explicit Held(Object object) : object_(std::move(object)) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    const GilHeld gil;
    object_.reset();
  }
  const Object& operator*() const { return object_; }
  const Object* operator->() const { return &object_; }

 private:
  Object object_;
};

/// The Python side of a template. The decoder in Python owns it, not the native model: templates may refer to
/// decoders, and Python collects only cycles that it can see.
class Bridge {
 public:
  explicit Bridge(const nb::object& bridge) : weak_(nb::weakref(bridge)) {}
  /// The caller holds the GIL.
  nb::object operator*() const {
    nb::object found = (*weak_)();
    if (found.is_none()) throw InputError("the decoder of the feature template is gone; keep a reference");
    return found;
  }

 private:
  Held<nb::weakref> weak_;
};

/// Converts phrase pairs and rules to Python.
class PairConverter {
 public:
  explicit PairConverter(const decode::DecoderModel& model) : model_(model) {}

  /// A Python `Pair`. The caller holds the GIL.
  nb::object operator()(const nb::object& bridge, const decode::Option& option,
                        const decode::TargetWords& words) const {
    const auto target = tuple(option.words, [&](grammar::Symbol symbol) {
      return grammar::is_gap(symbol) ? nb::object(nb::int_(symbol)) : text(words[symbol]);
    });
    if (option.rule == decode::Option::kUnknownWord) {
      const auto source =
          option.words.empty() ? words.passed[option.phrase - model_.phrase_count()] : words[option.words[0]];
      nb::list links;
      if (!option.words.empty()) links.append(nb::make_tuple(0, 0));
      return bridge.attr("pair")(nb::make_tuple(text(source)), target, nb::tuple(links), nb::dict(), false);
    }
    const auto source = tuple(option.source, [&](grammar::Symbol symbol) {
      return grammar::is_gap(symbol) ? nb::object(nb::int_(symbol))
                                     : text(model_.source_word(option, symbol));
    });
    const auto links =
        tuple(option.alignment, [](corpus::Link link) { return nb::make_tuple(link.source, link.target); });
    return bridge.attr("pair")(source, target, links, scores(option), option.rule >= 0);
  }
  /// Whether the number of an option is the same in every sentence.
  bool is_lasting(const decode::Option& option) const {
    return option.rule >= 0 && static_cast<size_t>(option.rule >> 32) < model_.tables().size();
  }

 private:
  /// Table pairs and given phrases have probabilities; grammar rules have values by column.
  nb::dict scores(const decode::Option& option) const {
    nb::dict scores;
    const size_t table = option.rule < 0 ? 0 : static_cast<size_t>(option.rule >> 32);
    for (size_t i = 0; i < option.scores.size(); ++i)
      scores[model_.names()[model_.tables().at(table).first + i].c_str()] =
          tables::log_score(option.scores[i]);
    for (const FeatureValue& value : option.pair_values)
      if (is_score(value.column)) scores[model_.names()[value.column].c_str()] = value.value;
    return scores;
  }
  /// Whether a column is not of a pair feature: their values depend on the order of features.
  bool is_score(uint32_t column) const {
    for (const auto& feature : model_.pair_features())
      if (column >= feature.first && column < feature.first + feature.count) return false;
    return column < model_.names().size();
  }

  const decode::DecoderModel& model_;
};

/// Caches the values of table pairs, up to kKeptPairs: weights may change more often than pairs.
class PythonPairFeature : public decode::PairFeature {
 public:
  PythonPairFeature(const nb::object& bridge, const decode::DecoderModel& model)
      : bridge_(bridge), pair_(model), sees_unknown_(nb::cast<bool>(bridge.attr("sees_unknown"))) {}

  std::vector<std::string> names() const override { return {}; }
  bool sees_unknown_words() const override { return sees_unknown_; }
  void values(const decode::Option& option, std::span<const std::string_view>,
              const decode::TargetWords& words, decode::FeatureSink& sink) const override {
    pass_on(*(pair_.is_lasting(option) ? known(option, words) : ask(option, words)), sink);
  }

 private:
  static constexpr size_t kKeptPairs = size_t{1} << 18;
  using Row = std::shared_ptr<const NamedValues>;

  Row known(const decode::Option& option, const decode::TargetWords& words) const {
    {
      const std::scoped_lock lock(mutex_);
      if (const auto found = known_.find(option.rule); found != known_.end()) return found->second;
    }
    Row row = ask(option, words);  // without the lock: a thread waiting for it would hold the GIL
    const std::scoped_lock lock(mutex_);
    if (known_.size() >= kKeptPairs) known_.clear();
    return known_.emplace(option.rule, std::move(row)).first->second;
  }
  Row ask(const decode::Option& option, const decode::TargetWords& words) const {
    const GilHeld gil;
    const nb::object bridge = *bridge_;
    return std::make_shared<const NamedValues>(
        nb::cast<NamedValues>(bridge.attr("values")(pair_(bridge, option, words))));
  }

  Bridge bridge_;
  PairConverter pair_;
  bool sees_unknown_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<int64_t, Row> known_;
};

class PythonPlacedSession : public decode::PlacedSession {
 public:
  /// The caller holds the GIL.
  PythonPlacedSession(nb::object session, const PairConverter& pair, const decode::TargetWords& words)
      : session_(std::move(session)), pair_(pair), words_(words) {}

  void values(const decode::Option& option, const decode::Place& place, decode::FeatureSink& sink) override {
    NamedValues found;
    {
      const GilHeld gil;
      const auto shown = [](Range range) { return nb::make_tuple(range.begin, range.end); };
      found = nb::cast<NamedValues>(session_->attr("values")(pair_(*session_, option, words_),
                                                             shown(place.range), tuple(place.gaps, shown)));
    }
    pass_on(found, sink);
  }

 private:
  Held<nb::object> session_;
  const PairConverter& pair_;
  decode::TargetWords words_;
};

class PythonPlacedFeature : public decode::PlacedFeature {
 public:
  PythonPlacedFeature(const nb::object& bridge, const decode::DecoderModel& model)
      : bridge_(bridge), pair_(model), sees_unknown_(nb::cast<bool>(bridge.attr("sees_unknown"))) {}

  std::vector<std::string> names() const override { return {}; }
  bool sees_unknown_words() const override { return sees_unknown_; }
  std::unique_ptr<decode::PlacedSession> session(const decode::DecoderInput& input) const override {
    const GilHeld gil;
    return std::make_unique<PythonPlacedSession>(
        (*bridge_).attr("session")(tuple(input.source, text), input.columns), pair_, input.words);
  }

 private:
  Bridge bridge_;
  PairConverter pair_;
  bool sees_unknown_;
};

class PythonSession : public decode::FeatureSession {
 public:
  PythonSession(nb::object session, const PairConverter& pair, const weights::WeightStore& weights)
      : session_(std::move(session)), pair_(pair), weights_(weights) {}
  ~PythonSession() override {
    const GilHeld gil;
    pairs_.clear();
  }

  void begin(const decode::DecoderInput& input) override {
    const GilHeld gil;
    words_ = input.words;
    pairs_.clear();
    session_->attr("begin")(tuple(input.source, text), input.columns);
  }
  uint32_t start() override {
    const GilHeld gil;
    return nb::cast<uint32_t>(session_->attr("start")());
  }
  decode::Transition apply(std::span<const uint32_t> tails, const decode::Step& step) override {
    const auto answer = ask(tails, step);
    return answer ? decode::Transition{weighted(answer->second, weights_), answer->first}
                  : decode::Transition{decode::kForbiddenScore, 0};
  }
  float finish(uint32_t state) override {
    const auto values = ask_end(state);
    return values ? weighted(*values, weights_) : decode::kForbiddenScore;
  }
  void values(std::span<const uint32_t> tails, const decode::Step& step, decode::FeatureSink& sink) override {
    const auto answer = ask(tails, step);
    if (!answer) refuse();
    pass_on(answer->second, sink);
  }
  void final_values(uint32_t state, decode::FeatureSink& sink) override {
    const auto values = ask_end(state);
    if (!values) refuse();
    pass_on(*values, sink);
  }

 private:
  std::optional<std::pair<uint32_t, NamedValues>> ask(std::span<const uint32_t> tails,
                                                      const decode::Step& step) {
    const GilHeld gil;
    const auto bits = std::as_bytes(step.coverage.bits);
    return nb::cast<std::optional<std::pair<uint32_t, NamedValues>>>(
        session_->attr("apply")(tuple(tails, [](uint32_t state) { return nb::int_(state); }),
                                pair(step.option), nb::make_tuple(step.range.begin, step.range.end),
                                step.coverage.first_gap, nb::bytes(bits.data(), bits.size())));
  }
  std::optional<NamedValues> ask_end(uint32_t state) {
    const GilHeld gil;
    return nb::cast<std::optional<NamedValues>>(session_->attr("finish")(state));
  }
  /// Each pair is converted once per sentence.
  const nb::object& pair(const decode::Option& option) {
    // Options of no table have one of three kinds instead of a number, and are identified by their words.
    const int64_t key = option.rule < 0 ? option.rule - 4 * int64_t{option.phrase} : option.rule;
    nb::object& known = pairs_[key];
    if (!known.is_valid()) known = pair_(*session_, option, words_);
    return known;
  }
  [[noreturn]] void refuse() const {
    const GilHeld gil;
    throw InputError("the feature template " + nb::cast<std::string>(session_->attr("name")) +
                     " forbids this derivation");
  }

  Held<nb::object> session_;
  const PairConverter& pair_;
  const weights::WeightStore& weights_;
  decode::TargetWords words_;
  std::unordered_map<int64_t, nb::object> pairs_;
};

class PythonFeature : public decode::StatefulFeature {
 public:
  PythonFeature(const nb::object& bridge, const decode::DecoderModel& model)
      : bridge_(bridge), pair_(model), estimates_(nb::cast<bool>(bridge.attr("estimates"))) {}

  std::vector<std::string> names() const override { return {}; }
  float prepare(const decode::Option& option, const decode::TargetWords& words,
                const decode::FeatureWeights& weights, std::span<float>) const override {
    return weighted(estimate(option, words), weights.sparse);
  }
  bool has_estimate_values() const override { return true; }
  void estimate_values(const decode::Option& option, const decode::TargetWords& words,
                       decode::FeatureSink& sink) const override {
    pass_on(estimate(option, words), sink);
  }
  std::unique_ptr<decode::FeatureSession> session(const decode::FeatureWeights& weights,
                                                  size_t) const override {
    const GilHeld gil;
    return std::make_unique<PythonSession>((*bridge_).attr("session")(), pair_, weights.sparse);
  }
  std::unique_ptr<decode::FeatureSession> chart_session(const decode::FeatureWeights& weights,
                                                        size_t) const override {
    const GilHeld gil;
    return std::make_unique<PythonSession>((*bridge_).attr("chart_session")(), pair_, weights.sparse);
  }

 private:
  NamedValues estimate(const decode::Option& option, const decode::TargetWords& words) const {
    if (!estimates_) return {};
    const GilHeld gil;
    const nb::object bridge = *bridge_;
    return nb::cast<NamedValues>(bridge.attr("estimate")(pair_(bridge, option, words)));
  }

  Bridge bridge_;
  PairConverter pair_;
  bool estimates_;
};

}  // namespace

void bind_decode_python_feature(nb::module_& m) {
  m.def(
      "add_python_pair_feature",
      [](decode::DecoderModel& model, const nb::object& bridge) {
        model.add_pair_feature(std::make_shared<PythonPairFeature>(bridge, model));
      },
      "model"_a, "bridge"_a,
      "Add a pair template by its bridge, which converts from and to native types; the caller keeps it.");
  m.def(
      "add_python_placed_feature",
      [](decode::DecoderModel& model, const nb::object& bridge) {
        model.add_placed_feature(std::make_shared<PythonPlacedFeature>(bridge, model));
      },
      "model"_a, "bridge"_a,
      "Add a placed template by its bridge, which converts from and to native types; the caller keeps it.");
  m.def(
      "add_python_feature",
      [](decode::DecoderModel& model, const nb::object& bridge) {
        model.add_feature(std::make_shared<PythonFeature>(bridge, model));
      },
      "model"_a, "bridge"_a,
      "Add a stateful template by its bridge, which converts from and to native types; the caller keeps it.");
}

}  // namespace tunesmith::bind
