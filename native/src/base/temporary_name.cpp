#include "tunesmith/base/temporary_name.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace tunesmith {

namespace {

uint32_t fnv_1a(uint32_t value, const char* begin, const char* end) {
  for (const char* at = begin; at != end; ++at) value = (value ^ static_cast<unsigned char>(*at)) * 16777619U;
  return value;
}

/// The 32-bit FNV-1a hash of the host's name, followed by the namespace of process numbers if there is one.
uint32_t host_hash() {
  uint32_t value = 2166136261U;
  struct utsname names{};
  if (uname(&names) == 0) value = fnv_1a(value, names.nodename, names.nodename + std::strlen(names.nodename));
  char space[64];
  const ssize_t size = readlink("/proc/self/ns/pid", space, sizeof(space));
  return size > 0 ? fnv_1a(value, space, space + size) : value;
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
