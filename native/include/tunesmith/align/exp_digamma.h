// exp(digamma(x)), the count discount of variational Bayes.
#pragma once

#include <cmath>

namespace tunesmith::align {

/// exp(psi(x)) for x > 0, to a relative error of 1e-11. psi(x) = psi(x + 6) - sum_{k<6} 1 / (x + k), and for
/// large y = x + 5.5, exp(psi(y + 1/2)) = y * exp(1/24 y^-2 - 7/960 y^-4 + 31/8064 y^-6 - ...).
inline double exp_digamma(double x) {
  const double y = x + 5.5, square = 1 / (y * y);
  const double series =
      square * (1.0 / 24 + square * (-7.0 / 960 + square * (31.0 / 8064 - square * (127.0 / 30720))));
  // Three pairs of fractions, each with a common denominator: 1/a + 1/b = (a + b) / ab.
  const double below = (2 * x + 5) * (1 / (x * (x + 5)) + 1 / ((x + 1) * (x + 4)) + 1 / ((x + 2) * (x + 3)));
  return y * std::exp(series - below);
}

}  // namespace tunesmith::align
