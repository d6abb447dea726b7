// The program under the names sh, curl, wget and nc, as the container image has it: the image has
// no shell, and health checks of compose files that were written for the image of DynamoDB Local
// call these programs. Under such a name, the program runs nothing of what it is given: it makes
// `hashrange healthcheck` at the port that the words name.
//
//   curl -f http://localhost:8001/shell/                            asks at port 8001
//   nc -z localhost 8000                                            asks at port 8000
//   sh -c '[ "$(curl -s -w "%{http_code}" localhost)" = 400 ]'      asks at port 8000
//   sh -c 'chown -R 1000 data'                                      is refused
//
// Used by the first thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hashrange {

// Returns whether the program's name, as it was called, is one of the four.
bool IsHealthStandIn(std::string_view called);

// Returns the port of this machine that the words behind the name ask; 8000 where they name the
// machine and no port; none where they do not name the machine.
std::optional<std::uint16_t> PortOfHealthCheck(std::span<const char* const> words);

// Makes the health check, or prints to stderr why there is none. Returns the exit code: 0 if a
// server answers, 1 if none does, 127, which shells return for a missing program, for anything
// else.
int RunHealthStandIn(std::span<const char* const> words);

}  // namespace hashrange
