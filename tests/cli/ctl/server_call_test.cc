// Tests endpoints as users write them.
#include "cli/ctl/server_call.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

std::string Read(std::string_view url) {
  const auto address = ReadEndpoint(url);
  return address ? address->host + " " + std::to_string(address->port) : "none";
}

TEST(ServerCall, EndpointsHaveAHostAndAPort) {
  EXPECT_EQ(Read("http://127.0.0.1:8000"), "127.0.0.1 8000");
  EXPECT_EQ(Read("http://localhost:8000/"), "localhost 8000");
  EXPECT_EQ(Read("http://db.test"), "db.test 80");
  EXPECT_EQ(Read("http://[::1]:43211"), "::1 43211");
  EXPECT_EQ(Read("http://[::1]"), "::1 80");
}

TEST(ServerCall, OtherTextsAreRefused) {
  for (const char* url : {"", "localhost:8000", "https://localhost:8000", "http://", "http://:80",
                          "http://a:", "http://a:0", "http://a:65536", "http://a:8x", "http://[::1",
                          "http://[]:1", "http://[::1]8000", "http://a/b", "http://u@a:1"}) {
    EXPECT_EQ(Read(url), "none") << url;
  }
}

}  // namespace
}  // namespace hashrange
