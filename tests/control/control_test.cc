// The control API as a program sees it that has the database in process: which calls there are.
#include <gtest/gtest.h>

#include "hashrange/database.h"

namespace hashrange {
namespace {

TEST(Control, UnknownCallsAreNotFound) {
  Database database;
  const Answer answer = database.Control("GET", "nothing");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.body, R"({"error":"There is no such call; docs/control-api.md lists them."})");
}

TEST(Control, AnotherMethodIsNotAllowed) {
  Database database;
  const Answer answer = database.Control("DELETE", "");
  EXPECT_EQ(answer.status, 405);
  EXPECT_EQ(answer.body, R"({"error":"This call is not made by DELETE."})");
}

TEST(Control, ABodyIsAnObject) {
  Database database;
  for (const char* body : {"[]", "1", "{", "{}x", "\"a\""}) {
    const Answer answer = database.Control("GET", "", body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_EQ(answer.body, R"({"error":"The body is not a JSON object."})") << body;
  }
  EXPECT_EQ(database.Control("GET", "", " {} ").status, 200);
}

}  // namespace
}  // namespace hashrange
