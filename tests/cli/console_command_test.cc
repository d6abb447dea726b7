// Tests `hashrange console` up to the call of a server; conformance/program tests the rest.
#include "cli/console_command.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/command_lines.h"

namespace hashrange {
namespace {

TEST(ConsoleCommand, TheAddressIsThatOfTheServer) {
  EXPECT_EQ(ConsoleAddress(HttpCall{}), "http://127.0.0.1:8000/_hashrange/console");
  EXPECT_EQ(ConsoleAddress({.host = "::1", .port = 8001}), "http://[::1]:8001/_hashrange/console");
}

// What the command prints to stderr, with the exit code 2.
std::string ConsoleRefusal(std::vector<const char*> arguments) {
  struct Ended {
    int exit_code;
  };
  arguments.insert(arguments.begin(), "console");
  const auto run = [&] {
    return Ended{RunConsole(static_cast<int>(arguments.size()), arguments.data())};
  };
  return RefusalBy(run, "hashrange console");
}

TEST(ConsoleCommand, AWrongLineIsRefused) {
  EXPECT_EQ(ConsoleRefusal({"--endpoint", "https://a"}),
            "not an endpoint like http://127.0.0.1:8000: https://a");
  EXPECT_EQ(ConsoleRefusal({"--endpoint", "http://a", "--port", "1"}),
            "--endpoint excludes --port");
  EXPECT_EQ(ConsoleRefusal({"extra"}), "unknown argument: extra");
}

}  // namespace
}  // namespace hashrange
