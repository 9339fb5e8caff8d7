// Views of Python's arrays of sentences and alignments.
#pragma once

#include "bind/bind.h"
#include "tunesmith/corpus/alignment.h"
#include "tunesmith/corpus/sentences.h"

namespace tunesmith::bind {

/// View of the arrays (words, offsets) of tunesmith.corpus.Sentences.
inline corpus::Sentences sentences(const Vector<int32_t>& words, const Vector<int64_t>& offsets) {
  check_offsets(view(offsets), words.size(), "sentences");
  return {view(words), view(offsets)};
}

/// View of the arrays (links, offsets) of tunesmith.corpus.Alignments; a row of `links` is (source, target).
inline corpus::Alignments alignments(const Matrix<int32_t>& links, const Vector<int64_t>& offsets) {
  if (links.shape(1) != 2) throw InputError("links must be rows of two word positions: source, target");
  check_offsets(view(offsets), links.shape(0), "alignments");
  return {{reinterpret_cast<const corpus::Link*>(links.data()), links.shape(0)}, view(offsets)};
}

inline std::pair<NewMatrix<int32_t>, NewVector<int64_t>> to_numpy(std::vector<corpus::Link>&& links,
                                                                  std::vector<int64_t>&& offsets) {
  static_assert(sizeof(corpus::Link) == 2 * sizeof(int32_t));
  auto owned = std::make_unique<std::vector<corpus::Link>>(std::move(links));
  auto* data = reinterpret_cast<int32_t*>(owned->data());
  const size_t rows = owned->size();
  nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<std::vector<corpus::Link>*>(p); });
  owned.release();
  return {NewMatrix<int32_t>(data, {rows, 2}, owner), to_numpy(std::move(offsets))};
}

/// A parser's `feed` and `finish`, without the GIL.
inline void feed(LineParser& parser, const nb::bytes& chunk) {
  const std::string_view text(static_cast<const char*>(chunk.data()), chunk.size());
  without_gil([&] { parser.feed(text); });
}

inline void end(LineParser& parser) {
  without_gil([&] { parser.finish(); });  // the whole file may be one line without a line end
}

}  // namespace tunesmith::bind
