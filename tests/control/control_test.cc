// Tests which calls the control API has, for a program with the database in process.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "control/routes.h"
#include "control/simulated_api.h"
#include "hashrange/database.h"

namespace hashrange {
namespace {

TEST(Control, UnknownCallsAreNotFound) {
  Database database;
  const Answer answer = database.Control("GET", "nothing");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.body,
            R"({"error":"There is no such call; docs/control-api.md lists the calls."})");
}

TEST(Control, AnotherMethodIsNotAllowed) {
  Database database;
  const Answer answer = database.Control("DELETE", "");
  EXPECT_EQ(answer.status, 405);
  EXPECT_EQ(answer.body, R"({"error":"This path is called with GET, not with DELETE."})");
}

TEST(Control, OtherUsersOfTheMachineChangeNothingAndSeeNoRequests) {
  SimulatedApi api;
  std::vector<std::string> open;
  for (const Route& route : Routes()) {
    std::string path(route.path);
    if (const std::size_t star = path.find('*'); star != path.npos) path.replace(star, 1, "1");
    const ControlAnswer answer = api.ControlOfOtherUser(std::string(route.method), path);
    if (answer.body !=
        R"({"error":"This call is only for programs of the server's own user and of root, unless )"
        R"(the server was started with --control-token and the call sends that token."})") {
      open.push_back(std::string(route.method) + " " + std::string(route.path));
      continue;
    }
    EXPECT_EQ(answer.http_status, 403) << path;
  }
  EXPECT_EQ(open, (std::vector<std::string>{
                      "GET ", "GET faults", "GET faults/*", "GET holds", "GET consistency",
                      "GET throughput", "POST explain", "POST collections", "POST places",
                      "GET changes", "POST changes", "GET accounts", "GET snapshots", "GET clock",
                      "POST seed", "POST dump", "POST backup", "GET measurements", "GET metrics"}));
}

// The scope of a reset must not be ignored because it is in the wrong place.
TEST(Control, WhatACallDoesNotReadIsRefused) {
  Database database;
  const char* const rows[][4] = {
      {"POST", "reset?account=444455556666", "",
       "This call has no query parameters; it reads its JSON body."},
      {"DELETE", "faults?account=444455556666", "", "This call has no query parameters."},
      {"DELETE", "faults", R"({"account":"444455556666"})",
       R"(\"account\" is no member of the body, which has no members.)"},
      {"GET", "holds?tabel=x", "", "This call has no query parameters."},
  };
  for (const auto& row : rows) {
    const Answer answer = database.Control(row[0], row[1], row[2]);
    EXPECT_EQ(answer.status, 400) << row[1];
    EXPECT_EQ(answer.body, std::string(R"({"error":")") + row[3] + R"("})");
  }
}

TEST(Control, WhatIsAtALimitIsAllowed) {
  Database database;
  const std::string name(100, 'n');
  std::string against = R"({"version":2})";
  for (int i = 1; i < 16; ++i) against += R"(,{"version":2})";
  const std::string rows[][2] = {
      {"clock", R"({"scale":0.001})"},
      {"clock", R"({"frozen":"9999-12-31T23:59:58.999Z","advance":"1s"})"},
      {"requests", R"({"limit":100000})"},
      {"measurements",
       R"({"name":")" + name + R"(","window":"1s","separators":"0123456789abcdef"})"},
      {"measurements", R"({"name":"m","window":"24h"})"},
      {"measurements/m/report", R"({"against":[)" + against + "]}"},
  };
  for (const auto& [path, body] : rows) {
    const Answer answer = database.Control("POST", path, body);
    EXPECT_EQ(answer.status, 200) << path << " " << body << " " << answer.body;
  }
  const Answer refused = database.Control("POST", "clock", R"({"advance":"1ms"})");
  EXPECT_EQ(refused.body, R"({"error":"\"advance\" would go beyond the year 9999."})");
}

TEST(Control, ABodyIsAnObject) {
  Database database;
  const char* const rows[][2] = {
      {"[]", "."},
      {"1", "."},
      {R"("a")", "."},
      {"{", ": Missing a name for object member. (at byte 2)"},
      {"{}x", ": The document root must not be followed by other values. (at byte 3)"},
      {R"({"account":"1","account":"2"})",
       ": A member is null or named twice, it is nested too deep, or holds half a surrogate pair. "
       "(at byte 30)"},
      {R"({"seed":{"a":null}})",
       ": A member is null or named twice, it is nested too deep, or holds half a surrogate pair. "
       "(at byte 19)"},
  };
  for (const auto& [body, why] : rows) {
    const Answer answer = database.Control("GET", "", body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_EQ(answer.body,
              std::string(R"({"error":"The body is not a JSON object)").append(why).append("\"}"));
  }
  EXPECT_EQ(database.Control("POST", "reset", R"({"account":null})").status, 400);
  EXPECT_EQ(database.Control("GET", "", " {} ").status, 200);
}

}  // namespace
}  // namespace hashrange
