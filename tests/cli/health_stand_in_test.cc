#include "cli/health_stand_in.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace hashrange {
namespace {

TEST(HealthStandIn, HasFourNames) {
  for (const char* name : {"sh", "/bin/sh", "/usr/bin/curl", "wget", "nc"}) {
    EXPECT_TRUE(IsHealthStandIn(name)) << name;
  }
  for (const char* name : {"hashrange", "/usr/bin/java", "bash", "", "sh/hashrange"}) {
    EXPECT_FALSE(IsHealthStandIn(name)) << name;
  }
}

TEST(HealthStandIn, AsksWhereTheWordsSay) {
  struct Case {
    std::vector<const char*> words;
    std::optional<std::uint16_t> port;
  };
  const Case cases[] = {
      {{"-f", "http://localhost:8001/shell/"}, 8001},
      {{"-s", "localhost"}, 8000},
      {{"-z", "localhost", "8002"}, 8002},
      {{"-z", "127.0.0.1", "8003"}, 8003},
      {{"--spider", "-q", "http://0.0.0.0:8004"}, 8004},
      {{"-sg", "http://[::1]:8005/"}, 8005},
      {{"-c", "curl -s http://localhost:8000 | grep -q Missing || exit 1"}, 8000},
      {{"-c",
        R"sh([ "$(curl -s -o /dev/null -I -w '%{http_code}' http://localhost:8006)" == "400" ])sh"},
       8006},
      {{"-c", "aws dynamodb list-tables --endpoint-url http://localhost:8007 || exit 1"}, 8007},
      {{"-s", "http://localhost:99999"}, 8000},
      {{"-c", "chown -R 1000 data"}, std::nullopt},
      {{"-c", "java -jar DynamoDBLocal.jar"}, std::nullopt},
      {{"https://example.com"}, std::nullopt},
      {{}, std::nullopt},
  };
  for (const Case& row : cases) {
    EXPECT_EQ(PortOfHealthCheck(row.words), row.port) << testing::PrintToString(row.words);
  }
}

TEST(HealthStandIn, RefusesEverythingElse) {
  testing::internal::CaptureStderr();
  const std::vector<const char*> words = {"-c", "ls"};
  EXPECT_EQ(RunHealthStandIn(words), 127);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "hashrange: this image has no shell; sh, curl, wget and nc only check the health of a "
            "server at localhost (docs/moving.md)\n");
}

}  // namespace
}  // namespace hashrange
