#include "tunesmith/corpus/tokenizer.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/base/text.h"

namespace tunesmith::corpus {

namespace {

constexpr size_t kCodePoints = 0x110000;
constexpr size_t kChunkLines = 512;
constexpr std::u32string_view kDot = U"DOT", kMulti = U"MULTI";

void encode(char32_t c, std::string& out) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3f)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | (c >> 12));
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xf0 | (c >> 18));
    tail(12), tail(6), tail(0);
  }
}

constexpr std::pair<char32_t, std::string_view> kEntities[] = {
    {U'&', "&amp;"},   {U'|', "&#124;"}, {U'<', "&lt;"},  {U'>', "&gt;"},
    {U'\'', "&apos;"}, {U'"', "&quot;"}, {U'[', "&#91;"}, {U']', "&#93;"}};

void escape(char32_t c, std::string& out) {
  for (const auto& [special, entity] : kEntities)
    if (c == special) {
      out += entity;
      return;
    }
  encode(c, out);
}

std::unordered_set<std::u32string> decoded(const std::vector<std::string>& words) {
  std::unordered_set<std::u32string> result;
  std::vector<char32_t> characters;
  for (const std::string& word : words) {
    decode_utf8(word, characters);
    result.emplace(characters.begin(), characters.end());
  }
  return result;
}

}  // namespace

/// A rule reads `text`, writes `next`, and calls `turn`.
struct Tokenizer::Line {
  std::u32string text, next;

  void turn() {
    text.swap(next);
    next.clear();
  }
  bool has(char32_t character) const { return text.find(character) != std::u32string::npos; }
};

Tokenizer::Tokenizer(TokenizerRules rules)
    : rules_(std::move(rules)),
      prefixes_(decoded(rules_.prefixes)),
      number_prefixes_(decoded(rules_.number_prefixes)) {
  if (rules_.classes.size() != kCodePoints)
    throw InputError("found classes of " + std::to_string(rules_.classes.size()) +
                     " characters; expected one per code point, " + std::to_string(kCodePoints));
}

/// Runs of white space become one space; then other ASCII control characters and outer spaces are removed.
void Tokenizer::space(Line& line) const {
  bool after_space = false;
  for (char32_t c : line.text) {
    if (is_space(c)) {
      if (!after_space) line.next += U' ';
      after_space = true;
    } else {
      if (c >= 0x20) line.next += c;
      after_space = false;
    }
  }
  line.turn();
  const size_t begin = line.text.find_first_not_of(U' ');
  const size_t end = line.text.find_last_not_of(U' ');
  if (begin == std::u32string::npos) {
    line.text.clear();
  } else {
    line.text.assign(line.text, begin, end + 1 - begin);
  }
}

/// Puts spaces around characters that are tokens of their own.
void Tokenizer::pad(Line& line) const {
  for (char32_t c : line.text) {
    if (is(c, kPadded)) {
      line.next += U' ';
      line.next += c;
      line.next += U' ';
    } else {
      line.next += c;
    }
  }
  line.turn();
}

/// `a-b` becomes `a @-@ b`.
void Tokenizer::split_dashes(Line& line) const {
  const std::u32string& text = line.text;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool between =
        text[i] == U'-' && i > 0 && i + 1 < text.size() && is(text[i - 1], kAlnum) && is(text[i + 1], kAlnum);
    if (between)
      line.next += U" @-@ ";
    else
      line.next += text[i];
  }
  line.turn();
}

/// Replaces a run of k > 1 dots by the word DOT...DOTMULTI with k DOTs, which later rules leave unchanged.
void Tokenizer::hide_dots(Line& line) const {
  if (line.text.find(U"..") == std::u32string::npos) return;
  const std::u32string& text = line.text;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find_first_not_of(U'.', i), text.size());
    if (end - i < 2) {
      line.next += text[i++];
      continue;
    }
    line.next += U' ';
    for (; i < end; ++i) line.next += kDot;
    line.next += kMulti;
    if (end < text.size()) line.next += U' ';
  }
  line.turn();
}

/// Splits off commas except between numbers. Three substitutions in turn; as with regular expressions, a
/// match cannot reuse a character of the previous one: `a,b,c` is split by the first two together.
void Tokenizer::split_commas(Line& line) const {
  if (!line.has(U',')) return;
  const auto comma = [&](size_t i) { return i < line.text.size() && line.text[i] == U','; };
  for (size_t i = 0; i < line.text.size(); ++i) {
    line.next += line.text[i];
    if (!is(line.text[i], kNumber) && comma(i + 1)) {
      line.next += U" , ";
      ++i;
    }
  }
  line.turn();
  for (size_t i = 0; i < line.text.size(); ++i) {
    if (comma(i) && i + 1 < line.text.size() && !is(line.text[i + 1], kNumber)) {
      line.next += U" , ";
      ++i;
    }
    line.next += line.text[i];
  }
  line.turn();
  const size_t size = line.text.size();
  if (size >= 2 && comma(size - 1) && is(line.text[size - 2], kNumber)) {
    line.text.pop_back();
    line.text += U" , ";
  }
}

/// Substitutions of (left)'(right) in turn, by the classes of the neighbors; a match consumes all three.
void Tokenizer::split_apostrophes(Line& line) const {
  if (!line.has(U'\'')) return;
  const auto substitute = [&](auto left, auto right, std::u32string_view by) {
    for (size_t i = 0; i < line.text.size(); ++i) {
      line.next += line.text[i];
      if (i + 2 < line.text.size() && line.text[i + 1] == U'\'' && left(line.text[i]) &&
          right(line.text[i + 2])) {
        line.next += by;
        line.next += line.text[i + 2];
        i += 2;
      }
    }
    line.turn();
  };
  const auto alpha = [&](char32_t c) { return is(c, kAlpha); };
  const auto not_alpha = [&](char32_t c) { return !is(c, kAlpha); };
  const auto number = [&](char32_t c) { return is(c, kNumber); };
  const auto neither = [&](char32_t c) { return !is(c, kAlpha | kNumber); };
  const auto letter_s = [](char32_t c) { return c == U's'; };
  constexpr std::u32string_view alone = U" ' ";
  switch (rules_.apostrophes) {
    case Apostrophes::kSplitBefore:
      substitute(not_alpha, not_alpha, alone);
      substitute(neither, alpha, alone);
      substitute(alpha, not_alpha, alone);
      substitute(alpha, alpha, U" '");
      substitute(number, letter_s, U" '");
      break;
    case Apostrophes::kSplitAfter:
      substitute(not_alpha, not_alpha, alone);
      substitute(not_alpha, alpha, alone);
      substitute(alpha, not_alpha, alone);
      substitute(alpha, alpha, U"' ");
      break;
    case Apostrophes::kAlone:
      for (char32_t c : line.text) {
        if (c == U'\'')
          line.next += alone;
        else
          line.next += c;
      }
      line.turn();
  }
}

/// Whether the period at the end of `token` ends the sentence, rather than being part of the token.
bool Tokenizer::ends_sentence(std::u32string_view token, std::u32string_view next) const {
  const std::u32string prefix(token.substr(0, token.size() - 1));
  if (prefix.find(U'.') != std::u32string::npos)
    for (char32_t c : prefix)
      if (is(c, kAlpha)) return false;
  const bool before_number = number_prefixes_.contains(prefix);
  if (!before_number && prefixes_.contains(prefix)) return false;
  if (!next.empty() && is(next[0], kLower)) return false;
  return !(before_number && !next.empty() && next[0] >= U'0' && next[0] <= U'9');
}

/// Splits off periods at sentence ends but not at abbreviations, puts one space between tokens, and finally
/// splits `.'` at the end of the line.
void Tokenizer::split_periods(Line& line) const {
  const std::u32string_view text = line.text;
  const auto token_at = [&](size_t& at) {
    const size_t begin = std::min(text.find_first_not_of(U' ', at), text.size());
    at = std::min(text.find(U' ', begin), text.size());
    return text.substr(begin, at - begin);
  };
  size_t at = 0;
  std::u32string_view next = token_at(at);
  while (!next.empty()) {
    const std::u32string_view token = next;
    next = token_at(at);
    if (!line.next.empty()) line.next += U' ';
    if (token.size() > 1 && token.back() == U'.' && ends_sentence(token, next)) {
      line.next += token.substr(0, token.size() - 1);
      line.next += U" .";
    } else {
      line.next += token;
    }
  }
  line.turn();
  if (line.text.ends_with(U".'")) {
    line.text.resize(line.text.size() - 2);
    if (!line.text.empty() && line.text.back() != U' ') line.text += U' ';
    line.text += U". '";
  }
}

/// Restores the hidden dots and encodes as UTF-8.
void Tokenizer::finish(const Line& line, std::string& out) const {
  const std::u32string_view text = line.text;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == kDot[0]) {
      size_t dots = 0, at = i;
      for (; text.substr(at).starts_with(kDot); at += kDot.size()) ++dots;
      if (dots > 0 && text.substr(at).starts_with(kMulti)) {
        out.append(dots, '.');
        i = at + kMulti.size();
        continue;
      }
    }
    if (rules_.escape)
      escape(text[i++], out);
    else
      encode(text[i++], out);
  }
}

TextColumn Tokenizer::tokenize(const Texts& lines, int threads) const {
  std::vector<TextColumn> parts(chunk_count(lines.size(), kChunkLines));
  parallel_chunks(lines.size(), kChunkLines, threads, [&](size_t chunk, size_t begin, size_t end) {
    Line line;
    std::vector<char32_t> characters;
    std::string out;
    for (size_t i = begin; i < end; ++i) {
      if (find_invalid_utf8(lines[i]) != std::string_view::npos)
        throw InputError("not UTF-8", static_cast<int64_t>(i) + 1);
      decode_utf8(lines[i], characters);
      line.text.assign(characters.begin(), characters.end());
      line.next.clear();
      space(line);
      pad(line);
      if (rules_.split_dashes) split_dashes(line);
      hide_dots(line);
      split_commas(line);
      split_apostrophes(line);
      split_periods(line);
      out.clear();
      finish(line, out);
      parts[chunk].add(out);
    }
  });
  TextColumn all;
  for (TextColumn& part : parts) {
    const auto shift = static_cast<int64_t>(all.blob.size());
    all.blob.insert(all.blob.end(), part.blob.begin(), part.blob.end());
    for (size_t i = 1; i < part.offsets.size(); ++i) all.offsets.push_back(shift + part.offsets[i]);
    part = TextColumn();
  }
  return all;
}

}  // namespace tunesmith::corpus
