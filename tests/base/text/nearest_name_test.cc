#include "base/text/nearest_name.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

TEST(NearestName, FindsTheNameBehindATypingError) {
  constexpr std::string_view kNames[] = {"reset",    "fork", "snapshot", "snapshots", "restore",
                                         "requests", "get",  "faults",   "throughput"};
  const struct {
    std::string_view given, nearest;
  } rows[] = {{"forkk", "fork"},
              {"frok", "fork"},
              {"for", "fork"},
              {"rest", "reset"},
              {"restor", "restore"},
              {"snapshotss", "snapshots"},
              {"request", "requests"},
              {"gte", "get"},
              {"fualts", "faults"},
              {"troughptu", "throughput"},
              {"nonsense", ""},
              {"x", ""},
              {"", ""},
              {"forkforkfork", ""}};
  for (const auto& row : rows) EXPECT_EQ(NearestName(row.given, kNames), row.nearest) << row.given;
  EXPECT_EQ(NearestName(std::string(100'000, 'x'), kNames), "");
}

TEST(NearestName, AnUnknownNameIsNamedWithTheNearestOne) {
  constexpr std::string_view kNames[] = {"plain", "sharded"};
  EXPECT_EQ(UnknownNameSentence("layout", "shardet", kNames),
            "unknown layout \"shardet\"; did you mean sharded?");
  EXPECT_EQ(UnknownNameSentence("layout", "nonsense", kNames), "unknown layout \"nonsense\"");
}

}  // namespace
}  // namespace hashrange
