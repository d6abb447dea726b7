// Tests of seed and dump as calls of the control API.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "hashrange/database.h"

namespace hashrange {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefinition =
    R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
    R"({"AttributeName":"PK","AttributeType":"S"}],)"
    R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]})";

class SeedCalls : public testing::Test {
 protected:
  SeedCalls()
      : folder_(fs::temp_directory_path() / ("hashrange-seed-calls-" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~SeedCalls() override { fs::remove_all(folder_); }

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

  const fs::path folder_;
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

}  // namespace
}  // namespace hashrange
