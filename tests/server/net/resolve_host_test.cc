#include "server/net/resolve_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hashrange {
namespace {

using testing::ElementsAre;

std::vector<std::string> Resolved(const std::string& host) {
  std::string reason;
  std::vector<std::string> texts;
  for (const auto& address : ResolveHost(host, &reason)) texts.push_back(address.to_string());
  EXPECT_EQ(reason.empty(), !texts.empty()) << host << ": " << reason;
  return texts;
}

TEST(ResolveHost, AddressesAreTakenAsTheyAre) {
  EXPECT_THAT(Resolved("127.0.0.1"), ElementsAre("127.0.0.1"));
  EXPECT_THAT(Resolved("0.0.0.0"), ElementsAre("0.0.0.0"));
  EXPECT_THAT(Resolved("::1"), ElementsAre("::1"));
}

TEST(ResolveHost, LocalhostIsThisMachine) {
  for (const char* name : {"localhost", "LocalHost", "db.localhost", "localhost."}) {
    EXPECT_THAT(Resolved(name), ElementsAre("127.0.0.1", "::1")) << name;
  }
}

// "invalid" is never a name (RFC 6761, 6.4).
TEST(ResolveHost, AnUnknownNameHasAReason) {
  EXPECT_THAT(Resolved("nobody.invalid"), ElementsAre());
  EXPECT_THAT(Resolved("notlocalhost.invalid"), ElementsAre());
  EXPECT_THAT(Resolved(""), ElementsAre());
}

}  // namespace
}  // namespace hashrange
