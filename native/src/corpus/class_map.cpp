#include "tunesmith/corpus/class_map.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::corpus {

void throw_no_class() {
  throw InputError(
      "no class is a word of the language model; expected a model of text in which words were replaced by "
      "their classes");
}

void ClassMap::add(std::string_view word, std::string_view name) {
  if (words.find(word) != NameTable::kUnknown)
    throw InputError("the word " + quoted(word) + " has a class already");
  words.intern(word);
  class_of.push_back(names.intern(name));
}

void ClassMapParser::parse_line(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  const size_t word_end = line.find_first_of(kBlanks);
  const size_t name_begin = line.find_first_not_of(kBlanks, word_end);
  if (word_end == 0 || word_end == std::string_view::npos || name_begin == std::string_view::npos ||
      line.find_first_of(kBlanks, name_begin) != std::string_view::npos)
    throw InputError("expected a word and its class, separated by a tab, found " + quoted(line));
  classes_.add(line.substr(0, word_end), line.substr(name_begin));
}

}  // namespace tunesmith::corpus
