#include "tunesmith/corpus/lines.h"

#include "tunesmith/base/text.h"
#include "tunesmith/corpus/sentences.h"

namespace tunesmith::corpus {

namespace {

/// The length in bytes of the character at `at`, and the character if space_lines treats it specially.
struct Character {
  size_t bytes;
  char32_t value;
};

Character character_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return char32_t{static_cast<unsigned char>(text[i])}; };
  const char32_t lead = byte(at);
  const size_t left = text.size() - at;
  if (lead < 0x80 || left < 2) return {1, lead};
  if (lead < 0xe0) return {2, (lead & 0x1f) << 6 | (byte(at + 1) & 0x3f)};
  if (left < 3) return {left, 0xfffd};
  if (lead < 0xf0) return {3, (lead & 0x0f) << 12 | (byte(at + 1) & 0x3f) << 6 | (byte(at + 2) & 0x3f)};
  return {std::min<size_t>(left, 4), 0x10000};
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

}  // namespace

TextColumn LineCollector::take(size_t most) {
  const size_t end = taken_ + std::min(most, size());
  TextColumn first;
  for (; taken_ < end; ++taken_) first.add(lines_[taken_]);
  if (2 * taken_ >= lines_.size()) {  // moves at most as many lines as were taken: amortized O(1) per line
    TextColumn rest;
    for (size_t i = taken_; i < lines_.size(); ++i) rest.add(lines_[i]);
    lines_ = std::move(rest);
    taken_ = 0;
  }
  return first;
}

SpacedLines space_lines(const Texts& lines) {
  SpacedLines result;
  result.controls.assign(lines.size(), 0);
  std::string spaced;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    spaced.clear();
    for (size_t at = 0; at < line.size();) {
      const Character c = character_at(line, at);
      if (is_space(c.value)) {
        if (!spaced.empty() && spaced.back() != ' ') spaced += ' ';
      } else if (is_control(c.value)) {
        result.controls[i] = 1;
      } else {
        spaced.append(line, at, c.bytes);
      }
      at += c.bytes;
    }
    if (!spaced.empty() && spaced.back() == ' ') spaced.pop_back();
    result.lines.add(spaced);
  }
  return result;
}

std::vector<int64_t> count_tokens(const Texts& lines) {
  std::vector<int64_t> counts(lines.size(), 0);
  for (size_t i = 0; i < lines.size(); ++i) for_each_token(lines[i], [&](std::string_view) { ++counts[i]; });
  return counts;
}

std::string join_lines(const Texts& lines) {
  std::string joined;
  joined.reserve(lines.blob.size() + lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    joined += lines[i];
    joined += '\n';
  }
  return joined;
}

}  // namespace tunesmith::corpus
