// Tests the line of one call. conformance/program tests following a server, with the program.
#include "cli/ctl/ctl_follow.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

std::string RequestLineFrom(std::string json) {
  Arena arena;
  const std::size_t size = json.size();
  json.push_back('\0');
  const auto request = ParseJsonData({json.data(), size}, JsonDialect::kDocument, arena);
  EXPECT_TRUE(request.ok());
  return RequestLine(**request);
}

TEST(CtlFollow, ACallIsALine) {
  EXPECT_EQ(
      RequestLineFrom(
          R"({"id":7,"time":"2026-01-31T12:00:00.007Z","operation":"Query",)"
          R"("account":"111122223333","region":"us-east-1","status":200,"duration_us":1250,)"
          R"("request_bytes":122,"answer_bytes":75,"accesses":[{"table":"app","index":"GSI1",)"
          R"("kind":"query","units":0.5},{"table":"users","kind":"read","units":1.0}]})"),
      "12:00:00.007  111122223333  Query               200  1.250 ms  app/GSI1 query 0.5, users "
      "read 1.0");
}

TEST(CtlFollow, AFailureIsNamed) {
  EXPECT_EQ(RequestLineFrom(
                R"({"id":8,"time":"2026-01-31T12:00:00.007Z","operation":"TransactWriteItems",)"
                R"("account":"111122223333","status":400,"error":"ValidationException",)"
                R"("message":"One\u001b[31m","duration_us":50,"accesses":[]})"),
            "12:00:00.007  111122223333  TransactWriteItems  400  0.050 ms  ValidationException  "
            "One\\u{1B}[31m");
  EXPECT_EQ(RequestLineFrom(
                R"({"id":9,"time":"2026-01-31T12:00:00.007Z","status":404,"duration_us":50})"),
            "12:00:00.007  -  -                   404  0.050 ms");
}

}  // namespace
}  // namespace hashrange
