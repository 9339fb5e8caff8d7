#include "tunesmith/extract/on_demand/suffix_index.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/base/text.h"

namespace tunesmith::extract::on_demand {

namespace {

constexpr char kKind[] = "suffix";
constexpr uint32_t kVersion = 1;
constexpr size_t kSentencesAtOnce = 1024;

struct Text {
  std::vector<int32_t> words;
  std::vector<uint32_t> starts;
};

/// Concatenates sentences, each with an end marker.
Text joined(const corpus::Sentences& sentences) {
  Text text;
  text.words.reserve(sentences.words.size() + sentences.size());
  text.starts.reserve(sentences.size() + 1);
  text.starts.push_back(0);
  for (size_t i = 0; i < sentences.size(); ++i) {
    const auto sentence = sentences[i];
    text.words.insert(text.words.end(), sentence.begin(), sentence.end());
    text.words.push_back(corpus::kSentenceEnd);
    text.starts.push_back(static_cast<uint32_t>(text.words.size()));
  }
  return text;
}

void write_array(ContainerWriter& writer, const std::string& side, const Text& text, size_t words,
                 int threads) {
  std::vector<uint32_t> first;
  const auto suffixes = corpus::sort_suffixes(text.words, words, threads, first);
  writer.add(side + ".suffixes", suffixes);
  writer.add(side + ".first", first);
}

void write_spans(ContainerWriter& writer, const std::string& side, const Text& text, const Text& partner,
                 const corpus::Alignments& alignments, bool turned, int threads) {
  std::vector<rules::SpanBits> bits(text.words.size());
  parallel_chunks(alignments.size(), kSentencesAtOnce, threads, [&](size_t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      rules::mark_spans(alignments[i], partner.starts[i + 1] - partner.starts[i] - 1, turned,
                        std::span(bits).subspan(text.starts[i], text.starts[i + 1] - text.starts[i] - 1));
  });
  writer.add(side + ".spans", bits);
}

void write_text(ContainerWriter& writer, const std::string& side, const Text& text, const Texts& words) {
  writer.add(side + ".text", text.words);
  writer.add(side + ".starts", text.starts);
  corpus::write_vocabulary(writer, side + ".vocabulary", words);
}

void require(bool condition, const Container& container, const char* what) {
  if (!condition) throw InputError(container.path() + ": is damaged: " + what);
}

/// Checks the text: words are used as indices, and look-ups rely on the end markers of sentences.
void check_text(const Container& container, const IndexSide& side) {
  const auto& text = side.array.text;
  require(!side.starts.empty() && side.starts[0] == 0 && side.starts.back() == text.size(), container,
          "its sentence boundaries do not match its text");
  for (size_t i = 1; i < side.starts.size(); ++i)
    require(side.starts[i - 1] < side.starts[i] && side.starts[i] <= text.size() &&
                text[side.starts[i] - 1] == corpus::kSentenceEnd,
            container, "its sentence boundaries do not match its text");
  const auto words = static_cast<int64_t>(side.vocabulary.size());
  size_t ends = 0;
  bool known = true;
  for (const int32_t word : text) {
    ends += word == corpus::kSentenceEnd;
    known &= word >= corpus::kSentenceEnd && word < words;
  }
  require(known && ends + 1 == side.starts.size(), container, "its text has words outside of its vocabulary");
  for (size_t i = 0; i < side.vocabulary.size(); ++i)
    require(find_invalid_utf8(side.vocabulary.words()[i]) == std::string_view::npos, container,
            "a word is not UTF-8");
}

/// Checks only that suffixes are within the text; their order is checked at look-up.
void check_suffixes(const Container& container, const IndexSide& side) {
  const corpus::SuffixArray& array = side.array;
  require(side.spans.size() == array.text.size() &&
              array.suffixes.size() + side.starts.size() - 1 == array.text.size() &&
              array.first.size() == side.vocabulary.size() + 1 && array.first[0] == 0 &&
              array.first.back() == array.suffixes.size() &&
              std::is_sorted(array.first.begin(), array.first.end()),
          container, "its suffix array does not match its text");
  uint32_t last = 0;
  for (const uint32_t position : array.suffixes) last = std::max(last, position);
  require(array.suffixes.empty() || last < array.text.size(), container,
          "its suffix array does not match its text");
}

void check_links(const Container& container, const corpus::Alignments& alignments, const IndexSide& source,
                 const IndexSide& target) {
  check_offsets(alignments.offsets, alignments.links.size(), "alignments");
  require(source.starts.size() == target.starts.size() && alignments.size() + 1 == source.starts.size(),
          container, "its sides have different numbers of sentences");
  for (size_t i = 0; i < alignments.size(); ++i) {
    const auto rows = static_cast<int64_t>(source.sentence(i).size());
    const auto columns = static_cast<int64_t>(target.sentence(i).size());
    const auto links = alignments[i];
    for (size_t k = 0; k < links.size(); ++k)
      require(links[k].source >= 0 && links[k].source < rows && links[k].target >= 0 &&
                  links[k].target < columns && (k == 0 || links[k - 1] < links[k]),
              container, "its links are not sorted, or outside of its sentences");
  }
}

IndexSide map_side(const Container& container, const std::string& name, bool searchable) {
  IndexSide side;
  side.array.text = container.section<int32_t>(name + ".text");
  side.starts = container.section<uint32_t>(name + ".starts");
  side.vocabulary = corpus::VocabularyView(container, name + ".vocabulary");
  check_text(container, side);
  if (!searchable) return side;
  side.array.suffixes = container.section<uint32_t>(name + ".suffixes");
  side.array.first = container.section<uint32_t>(name + ".first");
  side.spans = container.section<rules::SpanBits>(name + ".spans");
  check_suffixes(container, side);
  return side;
}

}  // namespace

size_t IndexSide::sentence_of(uint32_t position) const {
  return static_cast<size_t>(std::upper_bound(starts.begin(), starts.end(), position) - starts.begin()) - 1;
}

SuffixIndex::SuffixIndex(const std::string& path, bool verify) : container_(path, kKind, kVersion) {
  if (verify) container_.verify();
  both_sides_ = container_.has("target.suffixes");
  source_ = map_side(container_, "source", true);
  target_ = map_side(container_, "target", both_sides_);
  alignments_ = {container_.section<corpus::Link>("links"), container_.section<int64_t>("links.offsets")};
  check_links(container_, alignments_, source_, target_);
  lexicon_ = rules::LinkLexicon(container_.section<rules::LinkLexicon::Entry>("lexicon"));
}

void build_suffix_index(const corpus::AlignedBitext& bitext, const std::string& path, bool both_sides,
                        int threads) {
  corpus::check_sentences(bitext.source, bitext.source_words.size());
  corpus::check_sentences(bitext.target, bitext.target_words.size());
  corpus::check_alignments(bitext.alignments, bitext.source, bitext.target);
  if (bitext.source.size() == 0) throw InputError("there are no sentence pairs; an index needs at least one");
  ContainerWriter writer(path, kKind, kVersion);
  writer.add<corpus::Link>("links", bitext.alignments.links);
  writer.add<int64_t>("links.offsets", bitext.alignments.offsets);
  writer.add("lexicon", rules::count_link_lexicon(bitext.source, bitext.target, bitext.alignments,
                                                  bitext.source_words.size(), bitext.target_words.size()));
  const Text source = joined(bitext.source), target = joined(bitext.target);
  write_text(writer, "source", source, bitext.source_words);
  write_text(writer, "target", target, bitext.target_words);
  write_array(writer, "source", source, bitext.source_words.size(), threads);
  write_spans(writer, "source", source, target, bitext.alignments, false, threads);
  if (both_sides) {
    write_array(writer, "target", target, bitext.target_words.size(), threads);
    write_spans(writer, "target", target, source, bitext.alignments, true, threads);
  }
  writer.finish();
}

}  // namespace tunesmith::extract::on_demand
