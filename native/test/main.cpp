// Runs the native tests: all of them, or those of files whose path ends with an argument.
#include <cstring>
#include <string_view>

#include "check.h"

int main(int count, char** arguments) {
  using namespace tunesmith::test;
  size_t run = 0;
  for (const Case& test : cases()) {
    bool wanted = count == 1;
    for (int i = 1; i < count; ++i) wanted = wanted || std::string_view(test.file).ends_with(arguments[i]);
    if (!wanted) continue;
    ++run;
    try {
      test.run();
    } catch (const std::exception& error) {
      fail(test.name, 0, error.what());
    }
  }
  std::printf("%zu tests, %d failed checks\n", run, failures());
  return failures() == 0 && run > 0 ? 0 : 1;
}
