#include <nanobind/stl/tuple.h>

#include "bind/bind.h"
#include "bind/signals.h"
#include "tunesmith/decode/phrase/decoder.h"
#include "tunesmith/xbleu/decode_lists.h"

namespace tunesmith::bind {

namespace {

using Counts = std::tuple<uint64_t, uint64_t, uint64_t>;
template <class T>
using ArrayRows = std::pair<NewVector<uint64_t>, NewVector<T>>;

Counts decode_lists(xbleu::ListWriter& writer, const decode::WeightedModel& model,
                    decode::phrase::PhraseDecoderOptions options, const TextPair& sources,
                    const TextPair& references, const Vector<uint32_t>& rows, uint32_t nbest, int threads,
                    const std::vector<std::string>& left_out) {
  options.search.keep_all = options.search.keep_scores = true;
  const auto maker = [&] { return std::make_unique<decode::phrase::PhraseDecoder>(model, options); };
  const bool has_dense = !writer.dense_names().empty();
  if (has_dense && writer.dense_names() != model.model().names())
    throw InputError("the dense features of the model are not those that the file keeps values of");
  const Texts source_texts = texts(sources), reference_texts = texts(references);
  const xbleu::LeftOutFeatures features(model, left_out);
  const xbleu::ListCounts counts = without_gil([&] {
    return xbleu::decode_lists(maker, source_texts, reference_texts, view(rows), nbest, threads,
                               check_signals, writer, {features, has_dense ? &model.model() : nullptr});
  });
  return {counts.missing, counts.too_large, counts.single};
}

/// Rows that `row_of(list)` returns, of all lists.
template <class T, class RowOf>
ArrayRows<T> rows_of(const xbleu::ListFile& file, RowOf row_of) {
  std::vector<uint64_t> offsets{0};
  std::vector<T> values;
  for (size_t i = 0; i < file.size(); ++i) {
    const auto row = row_of(file[i]);
    values.insert(values.end(), row.begin(), row.end());
    offsets.push_back(values.size());
  }
  return {to_numpy(std::move(offsets)), to_numpy(std::move(values))};
}

/// One number per list.
template <class NumberOf>
NewVector<uint32_t> numbers_of(const xbleu::ListFile& file, NumberOf number_of) {
  std::vector<uint32_t> numbers;
  for (size_t i = 0; i < file.size(); ++i) numbers.push_back(number_of(file[i]));
  return to_numpy(std::move(numbers));
}

int64_t word_or_none(uint32_t word) { return word == xbleu::kNoWord ? -1 : int64_t{word}; }

/// [target, begin, end, block begin, block end, block first, block last, orientation, is unknown] per event.
NewMatrix<int64_t> events_of(const xbleu::ListFile& file) {
  constexpr size_t kWidth = 9;
  std::vector<int64_t> values;
  values.reserve(kWidth * file.event_count());
  for (size_t i = 0; i < file.size(); ++i)
    for (const xbleu::Event& e : file[i].events)
      for (const int64_t value : {int64_t{e.target}, int64_t{e.begin}, int64_t{e.end}, int64_t{e.block_begin},
                                  int64_t{e.block_end}, word_or_none(e.block_first),
                                  word_or_none(e.block_last), int64_t{e.orientation}, int64_t{e.is_unknown}})
        values.push_back(value);
  return to_numpy(std::move(values), kWidth);
}

/// The statistics of BLEU of each candidate, as `metrics::bleu_stats` orders them.
NewMatrix<double> statistics_of(const xbleu::ListFile& file) {
  constexpr size_t kOrder = 4;
  std::vector<double> values;
  values.reserve((2 * kOrder + 1) * file.candidate_count());
  for (size_t i = 0; i < file.size(); ++i) {
    const xbleu::ListView list = file[i];
    for (const xbleu::Matches& matches : list.matches) {
      for (size_t n = 0; n < kOrder; ++n) {
        values.push_back(matches.of[n]);
        values.push_back(matches.length > n ? static_cast<double>(matches.length - n) : 0.0);
      }
      values.push_back(list.reference_length);
    }
  }
  return to_numpy(std::move(values), 2 * kOrder + 1);
}

ArrayRows<uint32_t> phrases_of(const xbleu::ListFile& file) {
  std::vector<uint64_t> offsets{0};
  std::vector<uint32_t> words;
  for (uint32_t i = 0; i < file.phrase_count(); ++i) {
    const auto phrase = file.phrase(i);
    words.insert(words.end(), phrase.begin(), phrase.end());
    offsets.push_back(words.size());
  }
  return {to_numpy(std::move(offsets)), to_numpy(std::move(words))};
}

ArrayRows<uint16_t> uses_of(const xbleu::ListFile& file) {
  std::vector<uint64_t> offsets{0};
  std::vector<uint16_t> values;
  for (size_t i = 0; i < file.size(); ++i) {
    const xbleu::ListView list = file[i];
    for (size_t candidate = 0; candidate < list.size(); ++candidate) {
      const auto uses = list.uses(candidate);
      values.insert(values.end(), uses.begin(), uses.end());
      offsets.push_back(values.size());
    }
  }
  return {to_numpy(std::move(offsets)), to_numpy(std::move(values))};
}

/// The values of a feature in all candidates, less those of the first candidate of each list.
NewVector<float> dense_column(const xbleu::ListFile& file, size_t column) {
  if (column >= file.dense_names().size())
    throw InputError("feature " + std::to_string(column) + " is none of the " +
                     std::to_string(file.dense_names().size()) + " that the file has values of");
  std::vector<float> values;
  for (size_t i = 0; i < file.size(); ++i) {
    const size_t candidates = file[i].size();
    const xbleu::DenseValues dense = file.dense(i);
    const auto at = std::ranges::find(dense.columns, column) - dense.columns.begin();
    if (static_cast<size_t>(at) == dense.columns.size()) {
      values.resize(values.size() + candidates);
    } else {
      const auto row = dense.row(static_cast<size_t>(at), candidates);
      values.insert(values.end(), row.begin(), row.end());
    }
  }
  return to_numpy(std::move(values));
}

void add_list_file(nb::module_& m) {
  using File = xbleu::ListFile;
  using View = xbleu::ListView;
  nb::class_<File>(m, "ListFile", "A file of n-best lists as events. Rows are (offsets, values).")
      .def(nb::init<const std::string&>(), "path"_a)
      .def("__len__", &File::size)
      .def_prop_ro("path", &File::path)
      .def_prop_ro("candidate_count", &File::candidate_count)
      .def_prop_ro("event_count", &File::event_count)
      .def_prop_ro("bytes", &File::bytes)
      .def_prop_ro("candidate_bytes", &File::candidate_bytes)
      .def_prop_ro("dense_bytes", &File::dense_bytes)
      .def_prop_ro("dense_names",
                   [](const File& self) {
                     std::vector<std::string> names;
                     for (size_t i = 0; i < self.dense_names().size(); ++i)
                       names.emplace_back(self.dense_names()[i]);
                     return names;
                   })
      .def("dense_column", &dense_column, "column"_a,
           "Values of a dense feature, less those of each list's first candidate.")
      .def("words",
           [](const File& self) {
             const TextColumn& words = self.words();
             return std::make_pair(to_numpy(std::vector(words.blob)), to_numpy(std::vector(words.offsets)));
           })
      .def("phrases", &phrases_of, "The words of each target phrase.")
      .def("sentences",
           [](const File& self) { return numbers_of(self, [](const View& list) { return list.sentence; }); })
      .def("sources",
           [](const File& self) {
             return rows_of<uint32_t>(self, [](const View& list) { return list.source; });
           })
      .def(
          "scores",
          [](const File& self) { return rows_of<float>(self, [](const View& list) { return list.scores; }); })
      .def("statistics", &statistics_of, "Statistics of BLEU, one row per candidate.")
      .def(
          "events",
          [](const File& self) {
            return std::make_pair(
                rows_of<uint8_t>(self,
                                 [](const View& list) { return std::vector<uint8_t>(list.events.size()); })
                    .first,
                events_of(self));
          },
          "Rows of [target, begin, end, block begin, block end, block first, block last, orientation, is "
          "unknown]; -1 is no word.")
      .def("common",
           [](const File& self) {
             return rows_of<uint16_t>(self, [](const View& list) { return list.common; });
           })
      .def("uses", &uses_of, "One row per candidate.");
}

}  // namespace

void bind_xbleu_lists(nb::module_& m) {
  nb::class_<xbleu::ListWriter>(m, "ListWriter", "A file of n-best lists in the making.")
      .def(nb::init<std::vector<std::string>>(), "dense"_a = std::vector<std::string>(),
           "With names of dense features the file keeps their values.")
      .def("__len__", &xbleu::ListWriter::size)
      .def("decode", &decode_lists, "model"_a, "options"_a, "sources"_a, "references"_a, "rows"_a, "nbest"_a,
           "threads"_a, "left_out"_a = std::vector<std::string>(),
           "Adds the lists of sentences. Returns the numbers of sentences without a translation, of those "
           "that "
           "are too large, and of lists of one candidate. Scores of candidates are without those of the "
           "dense features `left_out`.")
      .def("write", &xbleu::ListWriter::write, "path"_a, nb::call_guard<GilReleased>());
  add_list_file(m);
}

}  // namespace tunesmith::bind
