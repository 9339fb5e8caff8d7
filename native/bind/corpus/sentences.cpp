#include "bind/bind.h"
#include "bind/candidates/arrays.h"
#include "bind/corpus/views.h"
#include "tunesmith/corpus/bilingual_tokens.h"
#include "tunesmith/corpus/class_map.h"
#include "tunesmith/corpus/plf_parser.h"
#include "tunesmith/corpus/word_order.h"

namespace tunesmith::bind {

namespace {

void add_sentences(nb::module_& m) {
  nb::class_<corpus::Vocabulary>(m, "Vocabulary", "Words numbered from 0 in order of first occurrence.")
      .def(nb::init<>())
      .def("__len__", &corpus::Vocabulary::size)
      .def("add", &corpus::Vocabulary::intern, "word"_a)
      .def("find", &corpus::Vocabulary::find, "word"_a)
      .def(
          "word",
          [](const corpus::Vocabulary& self, int32_t number) {
            if (number < 0 || static_cast<size_t>(number) >= self.size())
              throw InputError("there is no word " + std::to_string(number) + " in a vocabulary of " +
                               std::to_string(self.size()));
            return std::string(self[number]);
          },
          "number"_a)
      .def("texts", [](const corpus::Vocabulary& self) {
        TextColumn copy = self.names();
        return to_numpy(std::move(copy));
      });

  nb::class_<corpus::SentenceParser>(m, "SentenceParser")
      .def(nb::init<corpus::Vocabulary&, bool>(), "vocabulary"_a, "grow"_a, nb::keep_alive<1, 2>())
      .def(
          "feed", [](corpus::SentenceParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](corpus::SentenceParser& self) {
        end(self);
        return std::make_pair(to_numpy(self.take_words()), to_numpy(self.take_offsets()));
      });

  m.def(
      "check_sentences",
      [](const Vector<int32_t>& words, const Vector<int64_t>& offsets, size_t vocabulary, int32_t least) {
        const corpus::Sentences checked = sentences(words, offsets);
        without_gil([&] { corpus::check_sentences(checked, vocabulary, least); });
      },
      "words"_a, "offsets"_a, "vocabulary"_a, "least"_a);
}

void add_alignment(nb::module_& m) {
  nb::class_<corpus::AlignmentParser>(m, "AlignmentParser")
      .def(nb::init<>())
      .def(
          "feed", [](corpus::AlignmentParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](corpus::AlignmentParser& self) {
        end(self);
        return to_numpy(self.take_links(), self.take_offsets());
      });

  m.def(
      "check_alignments",
      [](const Matrix<int32_t>& links, const Vector<int64_t>& offsets,
         const std::pair<Vector<int32_t>, Vector<int64_t>>& source,
         const std::pair<Vector<int32_t>, Vector<int64_t>>& target) {
        const corpus::Alignments checked = alignments(links, offsets);
        const corpus::Sentences from = sentences(source.first, source.second);
        const corpus::Sentences to = sentences(target.first, target.second);
        without_gil([&] { corpus::check_alignments(checked, from, to); });
      },
      "links"_a, "offsets"_a, "source"_a, "target"_a);

  m.def(
      "format_alignments",
      [](const Matrix<int32_t>& links, const Vector<int64_t>& offsets) {
        const corpus::Alignments all = alignments(links, offsets);
        return to_numpy(without_gil([&] {
          TextColumn lines;
          std::string line;
          for (size_t i = 0; i < all.size(); ++i) {
            line.clear();
            corpus::append_links(all[i], line);
            lines.add(line);
          }
          return lines;
        }));
      },
      "links"_a, "offsets"_a);
}

void add_bilingual_tokens(nb::module_& m) {
  m.def(
      "bilingual_tokens",
      [](const std::pair<Vector<int32_t>, Vector<int64_t>>& source,
         const std::pair<Vector<int32_t>, Vector<int64_t>>& target,
         const std::pair<Matrix<int32_t>, Vector<int64_t>>& links,
         const std::pair<Vector<uint8_t>, Vector<int64_t>>& source_words,
         const std::pair<Vector<uint8_t>, Vector<int64_t>>& target_words, const std::string& joiner) {
        const corpus::Sentences from = sentences(source.first, source.second);
        const corpus::Sentences to = sentences(target.first, target.second);
        const corpus::Alignments all = alignments(links.first, links.second);
        const Texts from_words = texts(source_words.first, source_words.second);
        const Texts to_words = texts(target_words.first, target_words.second);
        return to_numpy(without_gil(
            [&] { return corpus::bilingual_tokens(from, to, all, from_words, to_words, joiner); }));
      },
      "source"_a, "target"_a, "alignments"_a, "source_words"_a, "target_words"_a, "joiner"_a);
}

void add_word_order(nb::module_& m) {
  nb::class_<corpus::WordOrder>(m, "WordOrder", "Histograms of the jumps and spans of aligned text.")
      .def_ro("jumps", &corpus::WordOrder::jumps)
      .def_ro("longest_jumps", &corpus::WordOrder::longest_jumps)
      .def_ro("spans", &corpus::WordOrder::spans)
      .def_ro("widest_spans", &corpus::WordOrder::widest_spans)
      .def_ro("pairs", &corpus::WordOrder::pairs)
      .def_ro("source_words", &corpus::WordOrder::source_words)
      .def_ro("target_words", &corpus::WordOrder::target_words)
      .def_ro("unaligned_source", &corpus::WordOrder::unaligned_source)
      .def_ro("unaligned_target", &corpus::WordOrder::unaligned_target);
  m.def(
      "measure_word_order",
      [](const std::pair<Matrix<int32_t>, Vector<int64_t>>& links,
         const std::pair<Vector<int32_t>, Vector<int64_t>>& source,
         const std::pair<Vector<int32_t>, Vector<int64_t>>& target, int threads) {
        const corpus::Alignments all = alignments(links.first, links.second);
        const corpus::Sentences from = sentences(source.first, source.second);
        const corpus::Sentences to = sentences(target.first, target.second);
        return without_gil([&] { return corpus::measure_word_order(all, from, to, threads); });
      },
      "alignments"_a, "source"_a, "target"_a, "threads"_a);
}

void add_class_map(nb::module_& m) {
  nb::class_<corpus::ClassMap>(m, "ClassMap", "Words and their classes.")
      .def("__len__", [](const corpus::ClassMap& self) { return self.words.size(); });
  nb::class_<corpus::ClassMapParser>(m, "ClassMapParser", "Parses one word and its class per line.")
      .def(nb::init<>())
      .def(
          "feed", [](corpus::ClassMapParser& self, const nb::bytes& chunk) { feed(self, chunk); }, "chunk"_a)
      .def("finish", [](corpus::ClassMapParser& self) {
        end(self);
        return self.take();
      });
}

void add_plf_parser(nb::module_& m) {
  m.def("parse_plf", &corpus::parse_plf, "text"_a, nb::call_guard<GilReleased>(), "A word lattice in PLF.");
}

}  // namespace

void bind_corpus_sentences(nb::module_& m) {
  add_sentences(m);
  add_alignment(m);
  add_bilingual_tokens(m);
  add_word_order(m);
  add_class_map(m);
  add_plf_parser(m);
}

}  // namespace tunesmith::bind
