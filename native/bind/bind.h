// Shared by all binding files: conversions between numpy arrays and native types, and release of the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bind/gil.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/matrix.h"
#include "tunesmith/base/texts.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tunesmith::bind {

template <class T>
using Vector = nb::ndarray<const T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<const T, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using NewVector = nb::ndarray<T, nb::numpy, nb::ndim<1>, nb::c_contig>;
template <class T>
using NewMatrix = nb::ndarray<T, nb::numpy, nb::ndim<2>, nb::c_contig>;

template <class T>
std::span<const T> view(const Vector<T>& array) {
  return {array.data(), array.size()};
}

inline MatrixView view(const Matrix<double>& array) { return {{array.data(), array.size()}, array.shape(1)}; }

/// View of (blob, offsets); checks that the offsets are within the blob.
inline Texts texts(const Vector<uint8_t>& blob, const Vector<int64_t>& offsets) {
  check_offsets(view(offsets), blob.size(), "texts");
  return {{reinterpret_cast<const char*>(blob.data()), blob.size()}, view(offsets)};
}

/// Texts as Python gives them: blob and offsets.
using TextPair = std::pair<Vector<uint8_t>, Vector<int64_t>>;

inline Texts texts(const TextPair& pair) { return texts(pair.first, pair.second); }

/// One pair per reference.
using TextArrays = std::vector<TextPair>;

inline std::vector<Texts> references(const TextArrays& arrays, size_t lists) {
  if (arrays.empty()) throw InputError("no references were given; expected at least one");
  std::vector<Texts> result;
  for (const auto& [blob, offsets] : arrays) {
    result.push_back(texts(blob, offsets));
    if (result.back().size() != lists)
      throw InputError("a reference has " + std::to_string(result.back().size()) + " lines for " +
                       std::to_string(lists) + " sentences");
  }
  return result;
}

/// Returns compute(), run without the GIL.
template <class Compute>
auto without_gil(Compute compute) {
  const GilReleased released;
  return compute();
}

/// Moves a vector's memory to a numpy array, without a copy.
template <class T>
NewVector<T> to_numpy(std::vector<T>&& values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const size_t size = owned->size();
  nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  owned.release();
  return NewVector<T>(data, {size}, owner);
}

template <class T>
NewMatrix<T> to_numpy(std::vector<T>&& values, size_t width) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const size_t rows = width == 0 ? 0 : owned->size() / width;
  nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  owned.release();
  return NewMatrix<T>(data, {rows, width}, owner);
}

/// Statistics of a metric as a matrix, one row of `width` values per hypothesis: checks the texts, then calls
/// `compute(hypotheses, lists, references, out)` without the GIL.
template <class Compute>
NewMatrix<double> measure(const Vector<uint8_t>& blob, const Vector<int64_t>& offsets,
                          const Vector<int64_t>& lists, const TextArrays& arrays, size_t width,
                          Compute compute) {
  const Texts hypotheses = texts(blob, offsets);
  check_offsets(view(lists), hypotheses.size(), "lists");
  const auto refs = references(arrays, lists.size() - 1);
  std::vector<double> out(hypotheses.size() * width);
  without_gil([&] { compute(hypotheses, view(lists), refs, std::span<double>(out)); });
  return to_numpy(std::move(out), width);
}

}  // namespace tunesmith::bind
