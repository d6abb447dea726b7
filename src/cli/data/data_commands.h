// `hashrange check DIR`, `compact DIR` and `repair DIR`, for data directories that no server uses.
#pragma once

#include <string>

namespace hashrange {

// Prints what the directory has, and what is damaged. Returns the exit code: 1 if something is
// damaged, 2 if the directory cannot be opened.
int RunCheck(const std::string& directory);

// Makes the directory as small as its data. Returns the exit code: 2 on failure.
int RunCompact(const std::string& directory);

// Cuts off what is damaged of the logs, keeps it in files beside, and prints both. Returns the exit
// code: 1 if something is damaged that it does not repair, 2 if the directory cannot be opened.
int RunRepair(const std::string& directory);

}  // namespace hashrange
