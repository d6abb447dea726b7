// How much memory the system gives this process.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hashrange {

// Returns the least limit of memory of the process's control groups (cgroup v1 or v2), or the
// memory of the machine when that is less; 0 when neither is known. `root` is the folder in which
// the system's files are looked up: "/", but for tests.
// Cost: some files are read.
std::int64_t MemoryOfSystem(const std::filesystem::path& root = "/");

}  // namespace hashrange
