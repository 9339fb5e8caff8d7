// Word classes, for class-based language models.
#pragma once

#include <string_view>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/base/name_table.h"

namespace tunesmith::corpus {

[[noreturn]] void throw_no_class();

/// The class of each word; words and classes are numbered in order of first occurrence.
struct ClassMap {
  NameTable words;
  NameTable names;
  std::vector<int32_t> class_of;  // by word

  bool empty() const { return class_of.empty(); }
  void add(std::string_view word, std::string_view name);
};

/// The number of each word's class in a language model: `find(name)` returns -1 for a class that the model
/// does not have, which becomes `unknown`. Throws InputError if the model has none of the classes.
template <class Find>
std::vector<int32_t> class_numbers(const ClassMap& classes, Find find, int32_t unknown) {
  std::vector<int32_t> numbers, result;
  bool any = false;
  for (size_t i = 0; i < classes.names.size(); ++i) {
    const int32_t number = find(classes.names[static_cast<int32_t>(i)]);
    any = any || number >= 0;
    numbers.push_back(number < 0 ? unknown : number);
  }
  if (!any) throw_no_class();
  for (int32_t name : classes.class_of) result.push_back(numbers[static_cast<size_t>(name)]);
  return result;
}

/// Reads one word and its class per line, separated by a tab or spaces.
class ClassMapParser : public LineParser {
 public:
  ClassMap take() { return std::move(classes_); }

 protected:
  void parse_line(std::string_view line) override;

 private:
  ClassMap classes_;
};

}  // namespace tunesmith::corpus
