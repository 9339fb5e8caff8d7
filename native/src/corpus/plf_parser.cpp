#include "tunesmith/corpus/plf_parser.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>
#include <vector>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/number.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::corpus {

namespace {

constexpr double kLowestScore = -100;
constexpr double kLargestValue = 1e6;  // scores of derivations are sums of floats
constexpr uint32_t kLongestDistance = 1U << 20;
constexpr std::string_view kEmptyWord = "*EPS*";
constexpr std::string_view kInputFeature = "InputFeature0";
constexpr char kAfterWord[] =
    "',' and the rest of an arc: ('word', value, distance), ('word', distance) without a value, ('word', "
    "value, "
    "..., distance) with several, or ('word', {'feature': value}, distance)";

class PlfCursor {
 public:
  explicit PlfCursor(std::string_view text) : text_(text) {}

  std::vector<std::vector<LatticeArc>> lattice() {
    std::vector<std::vector<LatticeArc>> nodes;
    tuple("a lattice", [&] {
      const auto from = static_cast<uint32_t>(nodes.size());
      auto& arcs = nodes.emplace_back();
      const size_t begin = at_;
      tuple("the arcs of a node", [&] { arcs.push_back(arc(from)); });
      if (arcs.empty()) fail("an arc of node " + std::to_string(from), begin);
    });
    skip_blanks();
    if (at_ < text_.size()) fail("the end of the line", at_);
    return nodes;
  }

 private:
  /// Calls item() for each item of a tuple; a trailing comma is allowed.
  template <class Item>
  void tuple(const char* what, Item item) {
    expect('(', what);
    while (!accept(')')) {
      item();
      if (accept(',')) continue;
      expect(')', "',' or ')'");
      return;
    }
  }

  /// ('word', distance), ('word', value, ..., name=value, ..., distance) or ('word', {features}, distance).
  LatticeArc arc(uint32_t from) {
    expect('(', "an arc ('word', value, distance)");
    LatticeArc result;
    result.word = word();
    expect(',', kAfterWord);
    if (accept('{')) {
      result.features = features();
      expect(',', "',' and the distance to the end node of the arc");
    } else {
      values(result);
    }
    result.end = from + distance();
    accept(',');
    expect(')', "')' after the distance to the end node of the arc");
    return result;
  }

  /// The fields before the last one: values, of which the first is the arc's score, then features
  /// `name=value`.
  void values(LatticeArc& arc) {
    std::unordered_set<std::string> names;
    const auto add = [&](std::string name, float value, size_t begin) {
      if (!names.insert(name).second) fail("each feature of an arc once", begin);
      arc.features.emplace_back(std::move(name), value);
    };
    bool named = false;
    for (size_t count = 0; !is_last_field(); ++count) {
      skip_blanks();
      const size_t begin = at_;
      const size_t equals = text_.substr(0, field_end()).find('=', at_);
      if (equals != std::string_view::npos) {
        std::string name(text_.substr(at_, equals - at_));
        if (name.empty() || has_blanks(name))
          fail("the name of a feature, without blanks, before '='", begin);
        at_ = equals + 1;
        const float value = feature_value(name);
        add(std::move(name), value, begin);
        named = true;
      } else if (named) {
        fail("a feature name=value or the distance to the end node of the arc", begin);
      } else if (count == 0) {
        arc.score = log_value();
      } else {
        add(std::string(kInputFeature).append("_").append(std::to_string(count)), log_value(), begin);
      }
      expect(',', "',' and the distance to the end node of the arc, or further values before it");
    }
  }

  size_t field_end() const { return std::min(text_.find_first_of(",(){}'\"", at_), text_.size()); }

  /// Whether the field here is the arc's last one, up to a trailing comma.
  bool is_last_field() const {
    size_t end = field_end();
    if (end < text_.size() && text_[end] == ',') end = text_.find_first_not_of(" \t", end + 1);
    return end >= text_.size() || text_[end] == ')';
  }

  std::string word() {
    skip_blanks();
    const size_t begin = at_;
    std::string result = quoted_text("a word in quotes");
    if (result.empty() || result == kEmptyWord)
      fail("a word (remove empty words from the lattice first)", begin);
    if (has_blanks(result)) fail("a word without blanks and control characters", begin);
    return result;
  }

  std::string quoted_text(const char* what) {
    skip_blanks();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) fail(what, at_);
    const char quote = text_[at_++];
    std::string result;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\' && ++at_ == text_.size()) break;
      result += text_[at_++];
    }
    if (at_ >= text_.size()) fail("a closing quote", at_);
    ++at_;
    return result;
  }

  static bool has_blanks(std::string_view text) {
    return std::ranges::any_of(text, [](unsigned char c) { return c <= ' ' || c == 0x7f; });
  }

  /// The rest of a dict, after its opening brace.
  std::vector<std::pair<std::string, float>> features() {
    std::vector<std::pair<std::string, float>> result;
    std::unordered_set<std::string> names;
    while (!accept('}')) {
      skip_blanks();
      const size_t begin = at_;
      std::string name = quoted_text("the name of a feature");
      if (name.empty() || has_blanks(name))
        fail("the name of a feature, not empty, without blanks and control characters", begin);
      if (!names.insert(name).second) fail("each feature of an arc once", begin);
      expect(':', "':'");
      const float value = feature_value(name);
      result.emplace_back(std::move(name), value);
      if (accept(',')) continue;
      expect('}', "',' or '}'");
      break;
    }
    return result;
  }

  float feature_value(const std::string& name) {
    skip_blanks();
    const size_t begin = at_;
    const double value = number("a finite number");
    if (std::abs(value) > kLargestValue)
      fail("a value of " + quoted(name) + " of at most 1e6 in size", begin);
    return static_cast<float>(value);
  }

  float log_value() {
    skip_blanks();
    const size_t begin = at_;
    const double value = number("a value");
    if (value < 0) fail("a value that is not negative (its log is the score)", begin);
    return static_cast<float>(std::max(std::log(value), kLowestScore));
  }

  double number(const char* what) {
    skip_blanks();
    const size_t begin = at_;
    at_ = std::min(text_.find_first_of(" \t,:(){}'\"", at_), text_.size());
    const auto value = parse_number(text_.substr(begin, at_ - begin));
    if (!value || !std::isfinite(*value)) fail(what, begin);
    return *value;
  }

  uint32_t distance() {
    skip_blanks();
    const size_t begin = at_;
    uint32_t value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && value < kLongestDistance)
      value = 10 * value + static_cast<uint32_t>(text_[at_++] - '0');
    const bool ends =
        at_ >= text_.size() || std::string_view(" \t,)").find(text_[at_]) != std::string_view::npos;
    if (!ends || value == 0 || value >= kLongestDistance)
      fail("the distance to the end node of the arc as its last field, a whole number of at least 1", begin);
    return value;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c, const char* what) {
    if (!accept(c)) fail(what, at_);
  }

  [[noreturn]] void fail(const std::string& expected, size_t at) const {
    constexpr size_t kShown = 20;
    size_t end = std::min(at + kShown, text_.size());
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0) == 0x80) ++end;
    const std::string found =
        at < text_.size() ? quoted(text_.substr(at, end - at)) : std::string("the end of the line");
    throw InputError("not a lattice in PLF: expected " + expected + " at byte " + std::to_string(at + 1) +
                     ", found " + found);
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

WordLattice parse_plf(std::string_view text) {
  auto nodes = PlfCursor(text).lattice();
  return nodes.empty() ? WordLattice::sentence("") : WordLattice(std::move(nodes));
}

}  // namespace tunesmith::corpus
