// Decoding sentences to forests of events, on several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "tunesmith/base/texts.h"
#include "tunesmith/decode/translate_all.h"
#include "tunesmith/xbleu/decode_lists.h"
#include "tunesmith/xbleu/forest_builder.h"

namespace tunesmith::xbleu {

/// As `decode_lists`, for forests; `single` are those of one derivation.
ListCounts decode_forests(const decode::DecoderMaker& maker, const Texts& sources, const Texts& references,
                          std::span<const uint32_t> rows, const ForestLimits& limits, int threads,
                          std::function<void()> poll, EventForestWriter& writer);

}  // namespace tunesmith::xbleu
