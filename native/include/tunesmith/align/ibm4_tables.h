// Fertility and distortion parameters of IBM model 4 in one direction, their counts and their M step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tunesmith/align/jump_widths.h"

namespace tunesmith::align {

/// The class of each word of the two sides; words without one (-1, unseen ones) share one further class.
struct Ibm4Classes {
  std::vector<int32_t> making, made;  // by word
  size_t making_classes = 0, made_classes = 0;

  size_t making_class(int32_t word) const { return find(making, word, making_classes); }
  size_t made_class(int32_t word) const { return find(made, word, made_classes); }

 private:
  static size_t find(const std::vector<int32_t>& classes, int32_t word, size_t none) {
    if (word < 0 || static_cast<size_t>(word) >= classes.size()) return none;
    const int32_t found = classes[static_cast<size_t>(word)];
    return found < 0 ? none : static_cast<size_t>(found);
  }
};

/// Sizes and numbers of the parameters. The head of a cept, its first word, is placed relative to the center
/// of the previous cept: d1(width | class of the previous cept's word, class of the head). Its other words
/// are placed relative to the word before them: d2(width | class of the word). Widths have the classes of
/// JumpWidths.
class Ibm4Layout {
 public:
  static constexpr size_t kMostFertility = 9;
  static constexpr size_t kHeads = 2 * JumpWidths::kClasses - 1, kLater = JumpWidths::kClasses;

  Ibm4Layout(size_t making_words, size_t making_classes, size_t made_classes)
      : words_(making_words), making_(making_classes + 2), made_(made_classes + 1) {}

  /// Class of the start of the sentence, which stands for the previous cept of the first one.
  size_t start() const { return making_ - 1; }
  size_t head(size_t before, size_t made, int64_t width) const {
    return (before * made_ + made) * kHeads + JumpWidths::jump_class(width);
  }
  size_t later(size_t made, int64_t width) const {
    return making_ * made_ * kHeads + made * kLater + JumpWidths::class_of(static_cast<size_t>(width));
  }
  size_t distortions() const { return making_ * made_ * kHeads + made_ * kLater; }
  /// Fertilities above kMostFertility count as kMostFertility. The last row is for unknown words.
  size_t fertility(int32_t word, size_t fertility) const {
    const size_t row = word < 0 ? words_ : static_cast<size_t>(word);
    return row * (kMostFertility + 1) + (fertility < kMostFertility ? fertility : kMostFertility);
  }
  size_t fertilities() const { return (words_ + 1) * (kMostFertility + 1); }

  size_t making() const { return making_; }
  size_t made() const { return made_; }
  size_t words() const { return words_; }

 private:
  size_t words_, making_, made_;
};

/// Expected counts in fixed point, by number of the parameter.
struct Ibm4Counts {
  explicit Ibm4Counts(const Ibm4Layout& layout)
      : distortion(layout.distortions()), fertility(layout.fertilities()) {}
  std::vector<int64_t> distortion, fertility;
};

/// Log probabilities, by number of the parameter; a width's is that of its class divided by the class's
/// number of widths (deficient, as positions outside of the sentence and occupied ones have their share).
struct Ibm4Tables {
  std::vector<float> distortion, fertility;
};

/// The M step. Distributions are smoothed by those of fewer conditions, which count as a few observations:
/// d1(. | A, B) by d1(. | B), that by d1(.), d2(. | B) by d2(.), n(. | word) by n(.).
Ibm4Tables estimate_ibm4(const Ibm4Layout& layout, const Ibm4Counts& counts, double unit);

}  // namespace tunesmith::align
