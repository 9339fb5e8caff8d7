#include "tunesmith/candidates/format.h"

#include <cstdio>
#include <string_view>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/number.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::candidates {

namespace {

void check_range(const PoolText& pool, size_t begin, size_t end) {
  const Csr& features = pool.lists.features;
  if (begin > end || end > pool.lists.size() || pool.ids.size() != pool.lists.size() ||
      (pool.texts.size() != 0 && pool.texts.size() != features.rows()) ||
      (!pool.totals.empty() && pool.totals.size() != features.rows()) ||
      pool.prefixes.size() != features.width)
    throw InputError("the arrays of a pool to write do not fit together");
}

/// prefix value prefix value ...
void append_features(const PoolText& pool, size_t row, size_t skip_first, std::string& out) {
  const Csr& features = pool.lists.features;
  for (int64_t k = features.offsets[row]; k < features.offsets[row + 1]; ++k) {
    std::string_view prefix = pool.prefixes[static_cast<size_t>(features.columns[k])];
    if (k == features.offsets[row]) prefix.remove_prefix(std::min(skip_first, prefix.size()));
    out += prefix;
    append_number(features.values[k], out);
  }
}

/// Appends a text with every run of three or more bars escaped.
void append_escaping_bars(std::string_view text, std::string& out) {
  if (text.find('\n') != std::string_view::npos)
    throw InputError("the text " + quoted(text) + " holds a line end, which this format cannot; write jsonl");
  for (size_t bars; (bars = text.find("|||")) != std::string_view::npos;) {
    out += text.substr(0, bars);
    const size_t after = std::min(text.find_first_not_of('|', bars), text.size());
    for (size_t i = bars; i < after; ++i) out += "&#124;";
    text.remove_prefix(after);
  }
  out += text;
}

void append_json(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[7];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

std::string format_nbest(const PoolText& pool, size_t begin, size_t end) {
  check_range(pool, begin, end);
  std::string out;
  for (size_t list = begin; list < end; ++list) {
    for (auto row = static_cast<size_t>(pool.lists.offsets[list]);
         row < static_cast<size_t>(pool.lists.offsets[list + 1]); ++row) {
      out += pool.ids[list];
      out += " ||| ";
      if (pool.texts.size() != 0) append_escaping_bars(pool.texts[row], out);
      out += " |||";
      append_features(pool, row, 0, out);
      if (!pool.totals.empty()) {
        out += " ||| ";
        append_number(pool.totals[row], out);
      }
      out += '\n';
    }
  }
  return out;
}

std::string format_jsonl(const PoolText& pool, const JsonExtras& extras, size_t begin, size_t end) {
  check_range(pool, begin, end);
  std::string out;
  for (size_t list = begin; list < end; ++list) {
    out += "{\"id\": ";
    out += pool.ids[list];
    if (extras.sources.size() != 0) {
      out += ", \"source\": ";
      append_json(extras.sources[list], out);
    }
    for (size_t i = 0; i < extras.references.size(); ++i) {
      out += i == 0 ? ", \"references\": [" : ", ";
      append_json(extras.references[i][list], out);
      if (i + 1 == extras.references.size()) out += ']';
    }
    out += ", \"hypotheses\": [";
    const auto first = static_cast<size_t>(pool.lists.offsets[list]);
    for (size_t row = first; row < static_cast<size_t>(pool.lists.offsets[list + 1]); ++row) {
      out += row == first ? "{" : ", {";
      if (pool.texts.size() != 0) {
        out += "\"text\": ";
        append_json(pool.texts[row], out);
        out += ", ";
      }
      out += "\"features\": {";
      append_features(pool, row, 2, out);  // the first has no ", " before it
      out += '}';
      for (size_t i = 0; i < extras.scores.size(); ++i) {
        out += i == 0 ? ", \"scores\": {" : ", ";
        out += extras.score_prefixes[i];
        append_number(extras.scores[i][row], out);
        if (i + 1 == extras.scores.size()) out += '}';
      }
      if (!pool.totals.empty()) {
        out += ", \"total\": ";
        append_number(pool.totals[row], out);
      }
      out += '}';
    }
    out += "]}\n";
  }
  return out;
}

}  // namespace tunesmith::candidates
