#include "tunesmith/candidates/jsonl_parser.h"

#include <array>
#include <deque>
#include <vector>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::candidates {

namespace {

/// The allowed keys of an object, and which of them were seen.
template <size_t N>
class Keys {
 public:
  /// The hint is appended to the error about an unknown key.
  explicit Keys(const std::array<std::string_view, N>& known, std::string_view hint = "")
      : known_(known), hint_(hint) {}

  /// The index of a key; an unknown or repeated key is an InputError.
  size_t operator()(std::string_view key) {
    for (size_t i = 0; i < N; ++i) {
      if (known_[i] != key) continue;
      if (seen_[i]) throw InputError("repeated key " + quoted(key));
      seen_[i] = true;
      return i;
    }
    std::string expected;
    for (const auto name : known_) expected += (expected.empty() ? "" : ", ") + std::string(name);
    throw InputError("unknown key " + quoted(key) + "; expected one of " + expected + std::string(hint_));
  }
  bool has(size_t i) const { return seen_[i]; }

 private:
  const std::array<std::string_view, N>& known_;
  std::string_view hint_;
  std::array<bool, N> seen_{};
};

constexpr std::array<std::string_view, 5> kSentence{"id", "hypotheses", "references", "source",
                                                    "feature_names"};
constexpr std::array<std::string_view, 4> kHypothesis{"text", "features", "scores", "total"};
constexpr std::string_view kNumbers =
    "; numbers of the system, such as a log probability, are features: \"features\": {\"logprob\": -0.5}";

}  // namespace

void JsonlParser::parse_line(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  JsonCursor json(line);
  Keys keys(kSentence);
  std::string id, scratch;
  json.object([&](std::string_view key) {
    switch (keys(key)) {
      case 0:
        id = json.string_or_integer(scratch);
        break;
      case 1:
        json.array([&] { hypothesis(json); });
        break;
      case 2:
        references(json);
        break;
      case 3:
        builder_.add_source(json.string(scratch));
        break;
      case 4:
        feature_names(json);
        break;
    }
  });
  json.finish();
  started_ = true;
  if (keys.has(4)) {
    if (keys.has(0) || keys.has(1) || keys.has(2) || keys.has(3))
      throw InputError("'feature_names' must be the only key of its line");
    return;
  }
  if (!keys.has(0)) throw InputError("no 'id': expected a string or a whole number");
  if (!keys.has(1)) throw InputError("no 'hypotheses': expected an array of objects");
  builder_.end_list(id);
}

void JsonlParser::hypothesis(JsonCursor& json) {
  Keys keys(kHypothesis, kNumbers);
  std::string scratch;
  json.object([&](std::string_view key) {
    switch (keys(key)) {
      case 0:
        builder_.add_text(json.string(scratch));
        break;
      case 1:
        json.object([&](std::string_view name) { feature(name, json); });
        break;
      case 2:
        json.object([&](std::string_view name) { builder_.add_score(name, json.number()); });
        break;
      case 3:
        builder_.add_total(json.number());
        break;
    }
  });
  builder_.end_candidate();
}

void JsonlParser::feature(std::string_view name, JsonCursor& json) {
  if (!json.null()) return builder_.add_feature(name, json.number());
  if (!allow_null_) throw InputError("feature " + quoted(name) + " has no value (null)");
  builder_.add_missing(name);
}

void JsonlParser::references(JsonCursor& json) {
  std::deque<std::string> held;  // owns the texts with escapes; a deque does not move its elements
  std::vector<std::string_view> texts;
  json.array([&] {
    held.emplace_back();
    texts.push_back(json.string(held.back()));
  });
  builder_.add_references(texts);
}

void JsonlParser::feature_names(JsonCursor& json) {
  if (started_) throw InputError("'feature_names' must be on the first line");
  std::string scratch;
  json.array([&] { builder_.new_column(json.string(scratch)); });
}

void JsonlParser::end() {
  if (builder_.lists() == 0) throw InputError("no sentences in this file");
}

}  // namespace tunesmith::candidates
