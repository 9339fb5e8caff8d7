// The smallest test harness that says where and what: CHECK(condition), CHECK_NEAR(a, b, tolerance),
// CHECK_THROWS(expression, Type); a test is TEST(name) { ... }. main.cpp runs them.
#pragma once

#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

namespace tunesmith::test {

struct Case {
  const char* file;
  const char* name;
  void (*run)();
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

inline int& failures() {
  static int count = 0;
  return count;
}

inline void fail(const char* file, int line, const char* what) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, what);
  ++failures();
}

struct Register {
  Register(const char* file, const char* name, void (*run)()) { cases().push_back({file, name, run}); }
};

}  // namespace tunesmith::test

#define TEST(name)                                                                 \
  static void name();                                                              \
  static const ::tunesmith::test::Register register_##name(__FILE__, #name, name); \
  static void name()
#define CHECK(condition) \
  if (!(condition)) ::tunesmith::test::fail(__FILE__, __LINE__, "failed: " #condition)
#define CHECK_NEAR(a, b, tolerance)          \
  if (!(std::abs((a) - (b)) <= (tolerance))) \
  ::tunesmith::test::fail(__FILE__, __LINE__, "not near: " #a ", " #b)
#define CHECK_THROWS(expression, type)                                                    \
  try {                                                                                   \
    expression;                                                                           \
    ::tunesmith::test::fail(__FILE__, __LINE__, "did not throw " #type ": " #expression); \
  } catch (const type&) {                                                                 \
  }
