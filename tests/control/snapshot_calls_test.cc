// Tests of snapshots, with whole answers, and of what a client sees when a snapshot is restored.
#include <gtest/gtest.h>

#include <string>

#include "control/state_fixture.h"

namespace hashrange {
namespace {

class SnapshotCalls : public StateFixture {};

TEST_F(SnapshotCalls, ASnapshotIsRestored) {
  MakeApp(kA);
  Post("clock", R"({"frozen":"2026-01-31T12:00:00Z"})");
  EXPECT_EQ(Post("snapshots", R"({"name":"three","account":"111122223333"})"),
            R"(200 {"name":"three","account":"111122223333","created":"2026-01-31T12:00:00.000Z",)"
            R"("tables":1,"items":3,"size_bytes":33})");
  Put(4, kA);
  Ok("CreateTable", SimpleTable("one"), kA);
  Ok("CreateTable", SimpleTable("one"), kB);
  EXPECT_EQ(Post("snapshots/three/restore"), R"(200 {"tables":1})");
  EXPECT_EQ(Counts(kA), "3 3 3");
  EXPECT_EQ(Call("ListTables", "{}", kA), R"(200 {"TableNames":["app"]})");
  EXPECT_EQ(Call("ListTables", "{}", kB), R"(200 {"TableNames":["one"]})");
  // A snapshot can be restored again.
  Put(5, kA);
  Post("reset");
  EXPECT_EQ(Post("snapshots/three/restore"), R"(200 {"tables":1})");
  EXPECT_EQ(Counts(kA), "3 3 3");
}

TEST_F(SnapshotCalls, ASnapshotWithoutAnAccountHasAllAccounts) {
  MakeApp(kA);
  EXPECT_EQ(Post("snapshots", R"({"name":"empty"})").substr(0, 4), "200 ");
  Post("reset", R"({"account":"111122223333"})");
  MakeApp(kB);
  Post("snapshots", R"({"name":"b"})");
  EXPECT_EQ(Post("snapshots/empty/restore"), R"(200 {"tables":1})");
  EXPECT_EQ(Call("ListTables", "{}", kB), kNoTables);
  EXPECT_EQ(Counts(kA), "3 3 3");
  EXPECT_EQ(Post("snapshots/b/restore"), R"(200 {"tables":1})");
  EXPECT_EQ(Call("ListTables", "{}", kA), kNoTables);
  EXPECT_EQ(Counts(kB), "3 3 3");
}

TEST_F(SnapshotCalls, ANameInAPathMayBePercentEncoded) {
  Post("snapshots", R"({"name":"a-b"})");
  EXPECT_EQ(Post("snapshots/%61%2Db/restore"), R"(200 {"tables":0})");
  EXPECT_EQ(Post("snapshots/a+%c3%A9%20%/restore"),
            "404 {\"error\":\"There is no snapshot \\\"a+\u00e9 %\\\".\"}");
}

TEST_F(SnapshotCalls, ThereAreAtMostAThousand) {
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(Post("snapshots", R"({"name":"s)" + std::to_string(i) + "\"}").substr(0, 4), "200 ");
  }
  EXPECT_EQ(Post("snapshots", R"({"name":"more"})"),
            R"(400 {"error":"There are 1000 snapshots, which is the limit: drop one, or use its )"
            R"(name again."})");
  EXPECT_EQ(Post("snapshots", R"({"name":"s7"})").substr(0, 4), "200 ");
  EXPECT_EQ(Control("DELETE", "snapshots/s7"), "200 {}");
  EXPECT_EQ(Post("snapshots", R"({"name":"more"})").substr(0, 4), "200 ");
}

TEST_F(SnapshotCalls, SnapshotsAreListedReplacedAndDropped) {
  Post("clock", R"({"frozen":"2026-01-31T12:00:00Z"})");
  EXPECT_EQ(Control("GET", "snapshots"), R"(200 {"snapshots":[]})");
  Post("snapshots", R"({"name":"b","account":"111122223333"})");
  Post("snapshots", R"({"name":"a"})");
  Ok("CreateTable", SimpleTable("one"), kA);
  Post("clock", R"({"advance":"1s"})");
  Post("snapshots", R"({"name":"b","account":"111122223333"})");
  EXPECT_EQ(Control("GET", "snapshots"),
            R"(200 {"snapshots":[{"name":"a","created":"2026-01-31T12:00:00.000Z","tables":0,)"
            R"("items":0,"size_bytes":0},{"name":"b","account":"111122223333",)"
            R"("created":"2026-01-31T12:00:01.000Z","tables":1,"items":0,"size_bytes":0}]})");
  EXPECT_EQ(Control("DELETE", "snapshots/a"), "200 {}");
  EXPECT_EQ(Control("DELETE", "snapshots/a"), R"(404 {"error":"There is no snapshot \"a\"."})");
  EXPECT_EQ(Post("snapshots/a/restore"), R"(404 {"error":"There is no snapshot \"a\"."})");
  EXPECT_EQ(Post("snapshots/b/restore"), R"(200 {"tables":1})");
  Post("reset");
  EXPECT_EQ(Post("snapshots/b/restore"), R"(200 {"tables":1})");
}

TEST_F(SnapshotCalls, ASnapshotHasTheTagsOfItsTime) {
  MakeApp(kA);
  Post("snapshots", R"({"name":"s"})");
  constexpr char kList[] = R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:111122223333:table/app"})";
  Ok("TagResource",
     R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:111122223333:table/app",)"
     R"("Tags":[{"Key":"later","Value":"1"}]})",
     kA);
  Post("snapshots/s/restore");
  EXPECT_EQ(Call("ListTagsOfResource", kList, kA),
            R"(200 {"Tags":[{"Key":"team","Value":"red"}]})");
}

}  // namespace
}  // namespace hashrange
