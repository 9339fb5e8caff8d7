#include "tunesmith/base/temporary_name.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

namespace tunesmith {

namespace {

/// The 32-bit FNV-1a hash of the host's name.
uint32_t host_hash() {
  struct utsname names{};
  if (uname(&names) != 0) return 0;
  uint32_t value = 2166136261U;
  for (const char* at = names.nodename; *at != '\0'; ++at)
    value = (value ^ static_cast<unsigned char>(*at)) * 16777619U;
  return value;
}

}  // namespace

std::string temporary_name(const std::string& path) {
  const size_t slash = path.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  char host[16];
  std::snprintf(host, sizeof(host), "-%08x.tmp", host_hash());
  return path.substr(0, name) + "." + path.substr(name) + "." + std::to_string(getpid()) + host;
}

}  // namespace tunesmith
