// Files of derivations.
#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>

#include "bind/bind.h"
#include "tunesmith/reestimate/derivation_file.h"

namespace tunesmith::bind {

namespace {

using reestimate::DerivationDraft;
using reestimate::DerivationFile;
using reestimate::DerivationList;
using reestimate::DerivationValues;
using reestimate::DerivationWriter;

/// Offsets and values.
template <class T>
using RowArrays = std::pair<NewVector<uint64_t>, NewVector<T>>;

/// Source columns, target words, links, origin; of a rule also its source side.
using StepFields = std::tuple<std::pair<uint16_t, uint16_t>, std::vector<std::string>,
                              std::vector<std::pair<uint16_t, uint16_t>>, uint16_t, std::vector<std::string>>;
/// Score, gain, value; matches of 1-grams to 4-grams; steps.
using DerivationFields = std::tuple<std::array<float, 3>, std::array<uint16_t, 4>, std::vector<StepFields>>;

/// Numbers the words, target sides and links of derivations given as Python values.
class DraftBuilder {
 public:
  DraftBuilder(uint32_t sentence, uint32_t reference_length, const std::vector<std::string>& source) {
    draft_.sentence = sentence;
    draft_.reference_length = reference_length;
    for (const std::string& word : source) draft_.source.push_back(number(word));
  }

  void add(const DerivationFields& fields) {
    const auto& [numbers, matches, steps] = fields;
    size_t length = 0;
    for (const auto& [columns, target, links, origin, side] : steps) {
      reestimate::UsedPhrase phrase{static_cast<uint32_t>(draft_.targets.size()),
                                    static_cast<uint32_t>(draft_.links.size()), columns.first, columns.second,
                                    static_cast<reestimate::PhraseOrigin>(origin)};
      draft_.of_rules = draft_.of_rules || !side.empty();
      const bool is_rule = !side.empty();
      for (const std::string& word : target) {
        draft_.targets.values.push_back(is_rule ? symbol(word) : number(word));
        length += is_rule && is_gap(word) ? 0 : 1;
      }
      draft_.targets.close();
      if (is_rule) {
        draft_.side_of.push_back(static_cast<uint32_t>(draft_.sides.size()));
        for (const std::string& word : side) draft_.sides.values.push_back(symbol(word));
        draft_.sides.close();
      }
      for (const auto& [from, to] : links) draft_.links.values.push_back({from, to});
      draft_.links.close();
      if (draft_.phrases.size() > UINT16_MAX) throw InputError("a sentence has more than 65536 phrases");
      draft_.steps.values.push_back(static_cast<uint16_t>(draft_.phrases.size()));
      draft_.phrases.push_back(phrase);
    }
    draft_.steps.close();
    if (length > UINT16_MAX) throw InputError("a derivation has more than 65535 words");
    draft_.values.push_back({numbers[0], numbers[1], numbers[2], static_cast<uint16_t>(length), matches});
  }

  DerivationDraft take() {
    draft_.words = words_.take_names();
    return std::move(draft_);
  }

 private:
  /// Gaps of rules are written `[X,1]` to `[X,9]`.
  static bool is_gap(const std::string& word) {
    return word.size() == 5 && word.starts_with("[X,") && word[3] > '0' && word[3] <= '9' && word[4] == ']';
  }
  uint32_t number(const std::string& word) { return static_cast<uint32_t>(words_.intern(word)); }
  uint32_t symbol(const std::string& word) {
    if (!is_gap(word)) return number(word);
    return static_cast<uint32_t>(grammar::gap_symbol(static_cast<size_t>(word[3] - '1')));
  }

  DerivationDraft draft_;
  NameTable words_;
};

template <class T>
RowArrays<T> arrays_of(std::span<const uint32_t> offsets, std::span<const T> values) {
  return {to_numpy(std::vector<uint64_t>(offsets.begin(), offsets.end())),
          to_numpy(std::vector<T>(values.begin(), values.end()))};
}

/// One number per sentence.
template <class NumberOf>
NewVector<uint32_t> numbers_by_sentence(const DerivationFile& file, NumberOf number_of) {
  std::vector<uint32_t> numbers;
  numbers.reserve(file.size());
  for (size_t i = 0; i < file.size(); ++i) numbers.push_back(number_of(file[i]));
  return to_numpy(std::move(numbers));
}

/// One number per derivation.
NewVector<float> numbers_by_derivation(const DerivationFile& file, float DerivationValues::* member) {
  std::vector<float> numbers;
  numbers.reserve(file.derivation_count());
  for (size_t i = 0; i < file.size(); ++i)
    for (const DerivationValues& values : file[i].values) numbers.push_back(values.*member);
  return to_numpy(std::move(numbers));
}

RowArrays<uint32_t> sources_of(const DerivationFile& file) {
  std::vector<uint64_t> offsets{0};
  std::vector<uint32_t> words;
  for (size_t i = 0; i < file.size(); ++i) {
    const auto source = file[i].source;
    words.insert(words.end(), source.begin(), source.end());
    offsets.push_back(words.size());
  }
  return {to_numpy(std::move(offsets)), to_numpy(std::move(words))};
}

/// The statistics of BLEU of each derivation, as `metrics::bleu_stats` orders them.
NewMatrix<double> statistics_by_derivation(const DerivationFile& file) {
  constexpr size_t kOrder = 4;
  std::vector<double> stats;
  stats.reserve((2 * kOrder + 1) * file.derivation_count());
  for (size_t i = 0; i < file.size(); ++i) {
    const DerivationList list = file[i];
    for (const DerivationValues& values : list.values) {
      for (size_t n = 0; n < kOrder; ++n) {
        stats.push_back(values.matches[n]);
        stats.push_back(values.length > n ? static_cast<double>(values.length - n) : 0.0);
      }
      stats.push_back(list.reference_length);
    }
  }
  return to_numpy(std::move(stats), 2 * kOrder + 1);
}

NewVector<uint64_t> derivation_offsets(const DerivationFile& file) {
  std::vector<uint64_t> offsets{0};
  for (size_t i = 0; i < file.size(); ++i) offsets.push_back(offsets.back() + file[i].size());
  return to_numpy(std::move(offsets));
}

/// The words and gaps of the source side of each rule, and that of each step; empty in files of phrases.
std::pair<RowArrays<uint32_t>, NewVector<uint32_t>> sides_of(const DerivationFile& file) {
  std::vector<uint32_t> sides;
  if (!file.of_rules())
    return {{to_numpy(std::vector<uint64_t>{0}), to_numpy(std::vector<uint32_t>())},
            to_numpy(std::move(sides))};
  for (size_t i = 0; i < file.size(); ++i) {
    const DerivationList list = file[i];
    for (const uint16_t step : list.all_steps) sides.push_back(list.sides[step]);
  }
  return {arrays_of(file.sides().offsets, file.sides().values), to_numpy(std::move(sides))};
}

/// [begin, end, target, links, origin] per step.
std::pair<NewVector<uint64_t>, NewMatrix<uint32_t>> steps_of(const DerivationFile& file) {
  constexpr size_t kWidth = 5;
  std::vector<uint64_t> offsets{0};
  std::vector<uint32_t> values;
  values.reserve(kWidth * file.step_count());
  for (size_t i = 0; i < file.size(); ++i) {
    const DerivationList list = file[i];
    for (size_t derivation = 0; derivation < list.size(); ++derivation) {
      for (const uint16_t step : list.steps(derivation)) {
        const reestimate::UsedPhrase& phrase = list.phrases[step];
        for (const uint32_t value : {uint32_t{phrase.begin}, uint32_t{phrase.end}, phrase.target,
                                     phrase.links, static_cast<uint32_t>(phrase.origin)})
          values.push_back(value);
      }
      offsets.push_back(values.size() / kWidth);
    }
  }
  return {to_numpy(std::move(offsets)), to_numpy(std::move(values), kWidth)};
}

std::pair<NewVector<uint64_t>, NewMatrix<uint16_t>> links_of(const DerivationFile& file) {
  std::vector<uint16_t> values;
  for (const reestimate::PhraseLink link : file.links().values) {
    values.push_back(link.source);
    values.push_back(link.target);
  }
  const auto offsets = file.links().offsets;
  return {to_numpy(std::vector<uint64_t>(offsets.begin(), offsets.end())), to_numpy(std::move(values), 2)};
}

}  // namespace

void bind_reestimate_files(nb::module_& m) {
  nb::class_<DerivationWriter>(m, "DerivationWriter", "A file of derivations in the making.")
      .def(nb::init<>())
      .def("__len__", &DerivationWriter::size)
      .def(
          "add",
          [](DerivationWriter& self, uint32_t sentence, uint32_t reference_length,
             const std::vector<std::string>& source, const std::vector<DerivationFields>& derivations) {
            DraftBuilder draft(sentence, reference_length, source);
            for (const DerivationFields& fields : derivations) draft.add(fields);
            self.add(draft.take());
          },
          "sentence"_a, "reference_length"_a, "source"_a, "derivations"_a,
          "Adds the derivations of a sentence, given as [score, gain, value], matches of 1-grams to "
          "4-grams, and steps in target order: source columns, target words, links, origin, and of a rule "
          "its "
          "source side; gaps are written [X,1].")
      .def("write", &DerivationWriter::write, "path"_a, nb::call_guard<GilReleased>());
  nb::class_<DerivationFile>(m, "DerivationFile", "A file of derivations. Rows are (offsets, values).")
      .def(nb::init<const std::string&>(), "path"_a, nb::call_guard<GilReleased>())
      .def("__len__", &DerivationFile::size)
      .def_prop_ro("path", &DerivationFile::path)
      .def_prop_ro("derivation_count", &DerivationFile::derivation_count)
      .def_prop_ro("step_count", &DerivationFile::step_count)
      .def_prop_ro("bytes", &DerivationFile::bytes)
      .def("words",
           [](const DerivationFile& self) {
             const TextColumn& words = self.words();
             return std::make_pair(to_numpy(std::vector(words.blob)), to_numpy(std::vector(words.offsets)));
           })
      .def(
          "targets",
          [](const DerivationFile& self) { return arrays_of(self.targets().offsets, self.targets().values); },
          "The words of each target side.")
      .def_prop_ro("of_rules", &DerivationFile::of_rules)
      .def("sides", &sides_of,
           "The words and gaps of source sides, as rows, and the source side of each step, of a file of "
           "rules. "
           "Gaps are 2^32 - 1 and below.")
      .def("links", &links_of, "Lists of links within phrase pairs: [source, target] positions.")
      .def("sentences",
           [](const DerivationFile& self) {
             return numbers_by_sentence(self, [](const DerivationList& list) { return list.sentence; });
           })
      .def("sources", &sources_of, "The source words of each sentence.")
      .def("derivations", &derivation_offsets, "The first derivation of each sentence, and the end.")
      .def("scores",
           [](const DerivationFile& self) { return numbers_by_derivation(self, &DerivationValues::score); })
      .def("gains",
           [](const DerivationFile& self) { return numbers_by_derivation(self, &DerivationValues::gain); })
      .def("values",
           [](const DerivationFile& self) { return numbers_by_derivation(self, &DerivationValues::value); })
      .def("statistics", &statistics_by_derivation, "Statistics of BLEU, one row per derivation.")
      .def("steps", &steps_of, "Rows of [begin, end, target, links, origin], one per derivation.");
}

}  // namespace tunesmith::bind
