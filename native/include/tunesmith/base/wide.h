// Clones of hot functions for wider vector registers, chosen when the program starts.
#pragma once

#include <cstdint>

/// Compiles a function twice on x86-64 Linux, for AVX2 and for the baseline. Neither fuses multiplications
/// and additions, so that a loop over independent elements gives the same bits in both.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define TUNESMITH_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define TUNESMITH_WIDE
#endif

namespace tunesmith {

/// Vectors of 32 bytes; two registers each where there is no AVX.
using WideFloats = float __attribute__((vector_size(32)));
using WideInts = int32_t __attribute__((vector_size(32)));
using WideDoubles = double __attribute__((vector_size(32)));

}  // namespace tunesmith
