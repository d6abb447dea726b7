// Tests of seed and dump as calls of the control API.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "control/files/file_bounds.h"
#include "control/simulated_api.h"
#include "hashrange/database.h"
#include "support/temporary_folder.h"

namespace hashrange {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefinition =
    R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
    R"({"AttributeName":"PK","AttributeType":"S"}],)"
    R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]})";

class SeedCalls : public testing::Test {
 protected:
  // Returns "200 {…}".
  std::string Call(const std::string& path, const std::string& body) {
    const Answer answer = database_.Control("POST", path, body);
    return std::to_string(answer.status) + " " + answer.body;
  }
  std::string Seed(const std::string& members) { return Call("seed", "{" + members + "}"); }
  std::string Dump(const std::string& members) { return Call("dump", "{" + members + "}"); }
  std::string Path(const std::string& name = "") {
    return "\"path\":\"" + (folder_ / name).string() + "\"";
  }
  std::string Define() { return std::string(R"("definition":)") + kDefinition; }

  const test::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  Database database_;
};

TEST_F(SeedCalls, ATextBecomesATable) {
  EXPECT_EQ(Seed(Define() + R"(,"data":"{\"PK\":\"a\",\"n\":1}\n{\"PK\":\"b\"}\n")"),
            R"(200 {"tables":{"app":2}})");
  EXPECT_EQ(database_.Call("GetItem", R"({"TableName":"app","Key":{"PK":{"S":"a"}}})").body,
            R"({"Item":{"PK":{"S":"a"},"n":{"N":"1"}}})");
  EXPECT_EQ(Seed(R"("table":"app","format":"csv","data":"PK,n:N\nc,2\n")"),
            R"(200 {"tables":{"app":1}})");
}

TEST_F(SeedCalls, AnAccountIsDumpedAndSeededAsAnother) {
  EXPECT_EQ(Seed(Define() + R"(,"data":"{\"PK\":\"a\"}","account":"111122223333")"),
            R"(200 {"tables":{"app":1}})");
  EXPECT_EQ(Dump(Path("out") + R"(,"account":"111122223333","gzip":true)"),
            R"(200 {"tables":{"app":1}})");
  EXPECT_EQ(Seed(Path("out") + R"(,"account":"444455556666","region":"eu-west-1","threads":1)"),
            R"(200 {"tables":{"app":1}})");
  EXPECT_EQ(database_.Call("Scan", R"({"TableName":"app"})", {"444455556666", "eu-west-1"}).body,
            R"({"Items":[{"PK":{"S":"a"}}],"Count":1,"ScannedCount":1})");
  EXPECT_EQ(database_.Call("ListTables", "{}").body, R"({"TableNames":[]})");
}

TEST_F(SeedCalls, ItemsMayBeDumpedAsText) {
  EXPECT_EQ(Seed(Define() + R"(,"data":"{\"PK\":\"a\"}")"), R"(200 {"tables":{"app":1}})");
  EXPECT_EQ(Dump(R"("table":"app")"), "200 {\"Item\":{\"PK\":{\"S\":\"a\"}}}\n");
  EXPECT_EQ(Dump(R"("table":"app","format":"json")"), "200 {\"PK\":\"a\"}\n");
}

TEST_F(SeedCalls, ErrorsAreSentences) {
  std::ofstream(folder_ / "app.table.json") << kDefinition;
  std::ofstream(folder_ / "app.jsonl") << "{\"PK\":\"a\"}\n{\"PK\":7}\n";
  const std::string file = (folder_ / "app.jsonl").string();
  const struct {
    const char* call;
    std::string members;
    std::string answer;
  } kCases[] = {
      {"seed", "", R"(400 {"error":"A seed has either \"path\" or \"data\"."})"},
      {"seed", R"("path":"/a","data":"x")",
       R"(400 {"error":"A seed has either \"path\" or \"data\"."})"},
      {"seed", R"("paht":"/a")",
       R"(400 {"error":"\"paht\" is no member of the body, which may have \"path\", \"data\", )"
       R"(\"format\", \"table\", \"definition\", \"account\", \"region\" and \"threads\"."})"},
      {"seed", R"("path":"/a","format":"xml")",
       R"(400 {"error":"\"format\" is not \"dynamodb\", \"json\" or \"csv\"."})"},
      {"seed", R"("path":"/a","definition":"x")",
       R"(400 {"error":"\"definition\" in the body is not an object."})"},
      {"seed", R"("path":"/a","account":"12")",
       R"(400 {"error":"\"12\" in \"account\" is not an account id, which has 12 digits."})"},
      {"seed", R"("path":"/nowhere/at/all")",
       R"(404 {"error":"/nowhere/at/all: there is no such file or folder."})"},
      {"seed", R"("data":"x","table":"none")",
       R"(404 {"error":"data: there is no table none, and nothing defines it."})"},
      {"seed", R"("data":"\u00ff","table":"none")",
       R"(404 {"error":"data: there is no table none, and nothing defines it."})"},
      {"seed", Path(),
       R"(400 {"error":")" + file +
           ":2: One or more parameter values were invalid: Type mismatch for key PK expected: S "
           "actual: N.\"}"},
      {"seed", Path() + "," + Define(),
       R"(400 {"error":"a definition is for the items of one table: )" + (folder_ / "").string() +
           R"( is a folder of tables."})"},
      {"seed", R"("path":"/tmp\u0000x")", R"(400 {"error":"\"path\" holds a zero byte."})"},
      {"dump", R"("path":"/tmp\u0000x")", R"(400 {"error":"\"path\" holds a zero byte."})"},
      {"dump", "", R"(400 {"error":"A dump without \"path\" needs \"table\"."})"},
      {"dump", R"("table":"app","gzip":true)",
       R"(400 {"error":"A dump without \"path\" has neither \"gzip\" nor \"overwrite\"."})"},
      {"dump", R"("path":"/a","format":"csv")",
       R"(400 {"error":"\"format\" is not \"dynamodb\" or \"json\"."})"},
      {"dump", R"("table":"app")", R"(404 {"error":"there is no table app."})"},
      {"dump", R"("path":"/tmp/nothing")",
       R"(404 {"error":"there are no tables to dump in account 000000000000, Region us-east-1."})"},
  };
  for (const auto& [call, members, answer] : kCases) {
    EXPECT_EQ(Call(call, "{" + members + "}"), answer) << call << " " << members;
  }
  EXPECT_EQ(database_.Call("ListTables", "{}").body, R"({"TableNames":[]})");
}

TEST_F(SeedCalls, AProgramMaySeedItsDatabase) {
  std::ofstream(folder_ / "app.table.json") << kDefinition;
  std::string error;
  EXPECT_TRUE(database_.Seed((folder_ / "").string(), &error)) << error;
  EXPECT_EQ(database_.Call("ListTables", "{}").body, R"({"TableNames":["app"]})");
  EXPECT_FALSE(database_.Seed("/nowhere", &error));
  EXPECT_EQ(error, "/nowhere: there is no such file or folder");
}

// Which files the server reads and writes for callers who are not its own user and do not have its
// token.

constexpr const char* kRefused =
    R"(403 {"error":"Only the server's own user and callers with its control token may use any )"
    R"(path; other callers may use paths below the folders of hashrange serve --files."})";

// The folder shared/ is named by --files, own/ is not.
class FileRightsTest : public testing::Test {
 protected:
  FileRightsTest() {
    for (const char* name : {"shared/seed", "own", "shared-too"}) {
      fs::create_directories(folder_ / name);
    }
    shared_.push_back(*ResolveFolder((folder_ / "shared/../shared/").string()));
    Write("shared/seed/app.table.json", kDefinition);
    Write("shared/seed/app.jsonl", "{\"PK\":\"a\"}\n");
    Write("own/secret", "root:$y$j9T$secret:19000:0:99999:7:::\n");
    Write("shared-too/app.jsonl", "{\"PK\":\"secret\"}\n");
  }

  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  std::string Read(const std::string& name) {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string Path(const std::string& name) { return (folder_ / name).string(); }

  // Returns "200 {…}" for a call by another user.
  std::string Call(const std::string& call, const std::string& path, const std::string& more = "") {
    const ControlAnswer answer =
        api_.Control("POST", call, "{\"path\":\"" + path + "\"" + more + "}",
                     {.may_name_any_file = false, .folders = &shared_});
    return std::to_string(answer.http_status) + " " + answer.body;
  }
  std::string Seed(const std::string& name, const std::string& more = "") {
    return Call("seed", Path(name), more);
  }
  std::string Dump(const std::string& name, const std::string& more = "") {
    return Call("dump", Path(name), more);
  }
  static std::string Hidden(const std::string& place) {
    return R"({"error":")" + place +
           R"(: it cannot be read or written. Only the server's own user and callers with its )"
           R"(control token are told why."})";
  }

  const test::TemporaryFolder temporary_;
  const fs::path folder_ = fs::canonical(temporary_.path());
  std::vector<std::string> shared_;
  SimulatedApi api_;
};

TEST_F(FileRightsTest, NamedFoldersAreOpenToAll) {
  EXPECT_EQ(Seed("shared/seed"), R"(200 {"tables":{"app":1}})");
  EXPECT_EQ(Dump("shared/a/b"), R"(200 {"tables":{"app":1}})");
  EXPECT_EQ(Read("shared/a/b/app/items.json"), "{\"Item\":{\"PK\":{\"S\":\"a\"}}}\n");
  EXPECT_EQ(Dump("shared/a/b", R"(,"format":"json")"), R"(200 {"tables":{"app":1}})");
  EXPECT_FALSE(fs::exists(folder_ / "shared/a/b/app/items.json"));
  EXPECT_EQ(Seed("shared/a/b", R"(,"region":"eu-west-1")"), R"(200 {"tables":{"app":1}})");
  EXPECT_EQ(Seed("shared/none"),
            R"(404 {"error":")" + Path("shared/none") + R"(: there is no such file or folder."})");
}

TEST_F(FileRightsTest, OtherFoldersAreNot) {
  fs::create_symlink(folder_ / "own", folder_ / "shared/link");
  fs::create_symlink(folder_ / "own/secret", folder_ / "shared/app.json");
  for (const char* name : {"own/secret", "own", "own/none", "", "shared-too/app.jsonl", "shared/..",
                           "shared/../own/secret", "shared/link", "shared/link/secret",
                           "shared/app.json", "shared/none/../../own/secret"}) {
    EXPECT_EQ(Seed(name, R"(,"table":"app")"), kRefused) << name;
    EXPECT_EQ(Dump(name), kRefused) << name;
  }
  for (const char* path : {"/etc/shadow", "/etc/../etc/shadow", "relative", "~"}) {
    EXPECT_EQ(Call("seed", path), kRefused) << path;
    EXPECT_EQ(Call("dump", path), kRefused) << path;
  }
  shared_.clear();
  EXPECT_EQ(Seed("shared/seed"), kRefused);
  const ControlAnswer answer =
      api_.Control("POST", "seed", R"({"path":"/"})", {.may_name_any_file = false});
  EXPECT_EQ(answer.http_status, 403);
}

// The answer does not reveal whether the target of a link exists.
TEST_F(FileRightsTest, ADanglingLinkIsRefusedLikeALinkToOutside) {
  fs::create_symlink(folder_ / "own/none", folder_ / "shared/link");
  EXPECT_EQ(Seed("shared/link", R"(,"table":"app")"), kRefused);
  EXPECT_EQ(Dump("shared/link"), kRefused);
}

// The names in a manifest are the content of a file, too.
TEST_F(FileRightsTest, NoErrorAndNoWarningQuotesAFile) {
  fs::create_directory(folder_ / "shared/dump");
  Write("shared/dump/hashrange-dump.json", R"({"version":1,"tables":["secret-name"]})");
  for (const std::string& answer : {Seed("shared/dump"), Dump("shared/dump")}) {
    EXPECT_EQ(answer.find("secret"), std::string::npos) << answer;
  }
  Write("shared/dump/hashrange-dump.json", "secret");
  EXPECT_EQ(Seed("shared/dump"), "400 " + Hidden(Path("shared/dump")));
  EXPECT_EQ(Dump("shared/dump").substr(4), Hidden(Path("shared/dump")));
}

TEST_F(FileRightsTest, CallsWithoutAPathNeedNoRights) {
  const FileRights none = {.may_name_any_file = false};
  const std::string seed =
      std::string(R"({"data":"{\"PK\":\"a\"}","definition":)") + kDefinition + "}";
  EXPECT_EQ(api_.Control("POST", "seed", seed, none).body, R"({"tables":{"app":1}})");
  EXPECT_EQ(api_.Control("POST", "dump", R"({"table":"app"})", none).http_status, 200);
}

TEST_F(FileRightsTest, ALinkWithinASeedIsNotFollowedOutside) {
  fs::create_directory(folder_ / "shared/seed/app");
  fs::create_symlink(folder_ / "shared-too/app.jsonl", folder_ / "shared/seed/app/b.jsonl");
  EXPECT_EQ(Seed("shared/seed"), "400 " + Hidden(Path("shared/seed")));
  fs::remove_all(folder_ / "shared/seed/app");
  fs::create_symlink(folder_ / "shared-too", folder_ / "shared/seed/more");
  EXPECT_EQ(Seed("shared/seed"), "400 " + Hidden(Path("shared/seed")));
  fs::remove(folder_ / "shared/seed/more");
  fs::create_symlink("app.jsonl", folder_ / "shared/seed/other.jsonl");  // it stays inside
  fs::remove(folder_ / "shared/seed/app.table.json");
  Write("shared/seed/other.table.json", std::string(kDefinition).replace(14, 3, "other"));
  EXPECT_EQ(Seed("shared/seed", R"(,"table":"other")"), R"(200 {"tables":{"other":1}})");
  fs::create_symlink(folder_ / "own/secret", folder_ / "shared/seed/hashrange-dump.json");
  EXPECT_EQ(Seed("shared/seed"), "400 " + Hidden(Path("shared/seed")));
}

TEST_F(FileRightsTest, ErrorsOfASeedQuoteNoFile) {
  Write("shared/seed/app.jsonl", "{\"PK\":\"a\"}\n{\"PK\":{\"secret\":1}}\n");
  EXPECT_EQ(Seed("shared/seed"), "400 " + Hidden(Path("shared/seed")));
  Write("shared/secret.csv", "root:$y$j9T$secret:19000:0:99999:7:::\n");
  EXPECT_EQ(Seed("shared/secret.csv", std::string(R"(,"definition":)") + kDefinition),
            "400 " + Hidden(Path("shared/secret.csv")));
  Write("shared/x.table.json", R"({"TableName":"secret"})");
  EXPECT_EQ(Seed("shared/x.table.json"), "400 " + Hidden(Path("shared/x.table.json")));
}

TEST_F(FileRightsTest, ADumpFollowsNoLinkOutOfItsFolder) {
  EXPECT_EQ(Seed("shared/seed"), R"(200 {"tables":{"app":1}})");
  // The links are in the place of a table's folder, of a file, and of a file of the earlier dump.
  fs::create_directories(folder_ / "shared/one");
  fs::create_symlink(folder_ / "own", folder_ / "shared/one/app");
  EXPECT_EQ(Dump("shared/one", R"(,"overwrite":true)").substr(0, 4), "400 ");

  fs::create_directories(folder_ / "shared/two/app");
  for (const char* name : {"two/hashrange-dump.json.partial", "two/app/items.json.partial",
                           "two/app/table.json.partial", "two/app/items.json"}) {
    fs::create_symlink(folder_ / "own/secret", folder_ / "shared" / name);
  }
  EXPECT_EQ(Dump("shared/two", R"(,"overwrite":true)"), R"(200 {"tables":{"app":1}})");
  EXPECT_EQ(Read("shared/two/app/items.json"), "{\"Item\":{\"PK\":{\"S\":\"a\"}}}\n");

  Write("own/items.json", "precious");
  fs::create_directories(folder_ / "shared/three");
  Write("shared/three/hashrange-dump.json", R"({"version":1,"tables":["old"]})");
  fs::create_symlink(folder_ / "own", folder_ / "shared/three/old");
  EXPECT_EQ(Dump("shared/three"), R"(200 {"tables":{"app":1}})");

  EXPECT_EQ(Read("own/items.json"), "precious");
  EXPECT_EQ(Read("own/secret"), "root:$y$j9T$secret:19000:0:99999:7:::\n");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder_ / "own")) ++files;
  EXPECT_EQ(files, 2u);
}

TEST_F(FileRightsTest, TheServersOwnUserSeesTheWholeError) {
  Write("own/app.jsonl", "{\"PK\":\"a\",\"n\":tru}\n");
  const std::string body =
      R"({"path":")" + Path("own/app.jsonl") + R"(","definition":)" + kDefinition + "}";
  const ControlAnswer answer = api_.Control("POST", "seed", body, {.may_name_any_file = true});
  EXPECT_EQ(answer.http_status, 400);
  EXPECT_EQ(answer.body.find("cannot be loaded"), std::string::npos) << answer.body;
}

}  // namespace
}  // namespace hashrange
