// A database with a data directory: what one Database has kept, the next one has.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "hashrange/database.h"
#include "support/temporary_folder.h"

namespace hashrange {
namespace {

constexpr Credential kForked{.access_key = "444455556666"};
constexpr Credential kOther{.access_key = "111122223333", .region = "eu-west-1"};

constexpr char kApp[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},
    {"AttributeName":"SK","AttributeType":"S"},{"AttributeName":"G","AttributeType":"N"}],
  "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],
  "LocalSecondaryIndexes":[{"IndexName":"LSI","Projection":{"ProjectionType":"KEYS_ONLY"},
    "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"G","KeyType":"RANGE"}]}],
  "GlobalSecondaryIndexes":[{"IndexName":"GSI","Projection":{"ProjectionType":"ALL"},
    "KeySchema":[{"AttributeName":"G","KeyType":"HASH"},{"AttributeName":"PK","KeyType":"RANGE"}]}],
  "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},
  "Tags":[{"Key":"team","Value":"a"}]})";
constexpr char kPlain[] = R"({"TableName":"plain","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]})";

constexpr char kAddOne[] =
    R"({"ClientRequestToken":"token","TransactItems":[{"Update":{"TableName":"app",
      "Key":{"PK":{"S":"p"},"SK":{"S":"s"}},"UpdateExpression":"ADD n :one",
      "ExpressionAttributeValues":{":one":{"N":"1"}}}}]})";

// Returns the text of the first member of that name, without quotes and escapes.
std::string TextOf(const std::string& json, const std::string& name) {
  const std::string before = "\"" + name + "\":\"";
  const std::size_t at = json.find(before);
  if (at == json.npos) return {};
  const std::size_t begin = at + before.size();
  return json.substr(begin, json.find('"', begin) - begin);
}

class KeptDatabase : public ::testing::Test {
 protected:
  KeptDatabase() { Open(); }

  std::string data() const { return folder_ + "/data"; }

  void Open() { OpenWith(options()); }
  void OpenWith(const Database::Options& options) {
    database_.reset();
    std::string error;
    Database::OpenReport report;
    database_ = Database::Open(options, &error, &report);
    ASSERT_TRUE(database_) << error;
    loaded_ = report.items;
  }
  Database::Options options() const {
    return {.ttl_interval_ms = 0, .data_directory = data(), .sync_interval_ms = 5};
  }

  std::string Call(std::string_view operation, const std::string& json, const Credential& as = {}) {
    const Answer answer = database_->Call(operation, json, as);
    EXPECT_TRUE(answer.ok()) << operation << " " << json << " " << answer.body;
    return answer.body;
  }
  std::string Control(std::string_view method, std::string_view path, std::string_view json) {
    const Answer answer = database_->Control(method, path, json);
    EXPECT_TRUE(answer.ok()) << path << " " << answer.body;
    return answer.body;
  }
  void Put(const std::string& pk, int g, const Credential& as = {}) {
    Call("PutItem",
         R"({"TableName":"app","Item":{"PK":{"S":")" + pk + R"("},"SK":{"S":"s"},"G":{"N":")" +
             std::to_string(g) + R"("},"list":{"L":[{"NULL":true},{"B":"AAEC"}]}}})",
         as);
  }
  // Returns what clients can see of the table: its description, tags, items and indexes.
  std::vector<std::string> SeenOf(const std::string& table, const Credential& as = {}) {
    const std::string name = R"("TableName":")" + table + '"';
    const std::string description = Call("DescribeTable", "{" + name + "}", as);
    std::vector<std::string> seen = {
        description,
        Call("ListTagsOfResource", R"({"ResourceArn":")" + TextOf(description, "TableArn") + "\"}",
             as),
        Call("DescribeTimeToLive", "{" + name + "}", as), Call("Scan", "{" + name + "}", as)};
    for (const char* index : {"LSI", "GSI"}) {
      if (description.find("\"IndexName\":\"" + std::string(index)) == description.npos) continue;
      seen.push_back(Call("Scan", "{" + name + R"(,"IndexName":")" + index + "\"}", as));
    }
    return seen;
  }
  std::string StreamArn() {
    return TextOf(Call("ListStreams", R"({"TableName":"app"})"), "StreamArn");
  }
  // Returns an iterator of the only shard.
  std::string Iterator(const std::string& type) {
    const std::string arn = StreamArn();
    const std::string shard =
        TextOf(Call("DescribeStream", R"({"StreamArn":")" + arn + "\"}"), "ShardId");
    return TextOf(Call("GetShardIterator", R"({"StreamArn":")" + arn + R"(","ShardId":")" + shard +
                                               R"(","ShardIteratorType":")" + type + "\"}"),
                  "ShardIterator");
  }
  std::string Records(const std::string& iterator) {
    const std::string page = Call("GetRecords", R"({"ShardIterator":")" + iterator + "\"}");
    return page.substr(0, page.rfind(']') + 1);
  }

  const test::TemporaryFolder temporary_;  // outlives the database
  const std::string folder_ = temporary_.path().string();
  std::unique_ptr<Database> database_;
  std::int64_t loaded_ = 0;
};

TEST_F(KeptDatabase, TablesAreAsTheyWere) {
  Call("CreateTable", kApp);
  Call("CreateTable", kPlain, kOther);
  for (int i = 0; i < 300; ++i) Put("p" + std::to_string(i), i % 7);
  Call("DeleteItem", R"({"TableName":"app","Key":{"PK":{"S":"p5"},"SK":{"S":"s"}}})");
  Call(
      "UpdateItem",
      R"({"TableName":"app","Key":{"PK":{"S":"p6"},"SK":{"S":"s"}},"UpdateExpression":"REMOVE G"})");
  Call("UpdateTimeToLive",
       R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})");
  const std::string arn = TextOf(Call("DescribeTable", R"({"TableName":"app"})"), "TableArn");
  Call("TagResource", R"({"ResourceArn":")" + arn +
                          R"(","Tags":[{"Key":"team","Value":"b"},{"Key":"x","Value":""}]})");
  Call("PutItem", R"({"TableName":"plain","Item":{"PK":{"S":"zero\u0000byte"}}})", kOther);
  const auto app = SeenOf("app");
  const auto plain = SeenOf("plain", kOther);
  for (int restart = 0; restart < 2; ++restart) {
    Open();
    EXPECT_EQ(loaded_, 300);
    EXPECT_EQ(SeenOf("app"), app);
    EXPECT_EQ(SeenOf("plain", kOther), plain);
  }
  Call("UntagResource", R"({"ResourceArn":")" + arn + R"(","TagKeys":["team","x"]})");
  Call("DeleteTable", R"({"TableName":"plain"})", kOther);
  const auto without_tags = SeenOf("app");
  Open();
  EXPECT_EQ(SeenOf("app"), without_tags);
  EXPECT_EQ(Call("ListTables", "{}", kOther), R"({"TableNames":[]})");
  EXPECT_EQ(loaded_, 299);
}

TEST_F(KeptDatabase, ItemsExpireAfterARestart) {
  Call("CreateTable", kPlain);
  Call("UpdateTimeToLive",
       R"({"TableName":"plain","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})");
  for (const char* ttl : {"4102444800", "5000000000"}) {
    Call("PutItem", R"({"TableName":"plain","Item":{"PK":{"S":")" + std::string(ttl) +
                        R"("},"ttl":{"N":")" + ttl + "\"}}}");
  }
  Control("POST", "clock", R"({"frozen":"2099-12-31T12:00:00Z"})");
  Open();
  Control("POST", "clock", R"({"advance":"1d"})");
  EXPECT_EQ(Call("Scan", R"({"TableName":"plain","ProjectionExpression":"PK"})"),
            R"({"Items":[{"PK":{"S":"5000000000"}}],"Count":1,"ScannedCount":1})");
}

TEST_F(KeptDatabase, StreamsGoOn) {
  Call("CreateTable", kApp);
  for (int i = 0; i < 3; ++i) Put("p", i);
  const std::string oldest = Iterator("TRIM_HORIZON");
  const std::string next = Iterator("LATEST");
  const std::string before = Records(oldest);
  const std::string arn = StreamArn();
  Open();
  EXPECT_EQ(StreamArn(), arn);
  EXPECT_EQ(Records(oldest), before);
  Put("p", 7);
  const std::string after = Records(next);
  EXPECT_NE(after.find(R"("OldImage":{"PK":{"S":"p"},"SK":{"S":"s"},"G":{"N":"2"})"), after.npos)
      << after;
  EXPECT_NE(after.find(R"("NewImage":{"PK":{"S":"p"},"SK":{"S":"s"},"G":{"N":"7"})"), after.npos)
      << after;
  Call("UpdateTable", R"({"TableName":"app","StreamSpecification":{"StreamEnabled":false}})");
  const std::string closed = Call("DescribeStream", R"({"StreamArn":")" + arn + "\"}");
  Open();
  EXPECT_EQ(Call("DescribeStream", R"({"StreamArn":")" + arn + "\"}"), closed);
  EXPECT_EQ(Records(next), after);
}

TEST_F(KeptDatabase, AStreamHasNoMoreShardsThanCanBeRead) {
  for (const int shards : {-1, 100'000}) {
    Database::Options many = options();
    many.stream_shards = shards;
    OpenWith(many);
    Call("CreateTable", kApp);
    OpenWith(many);
    int count = 0;
    for (std::string page, last;; last = TextOf(page, "LastEvaluatedShardId")) {
      if (count > 0 && last.empty()) break;
      page = Call("DescribeStream",
                  R"({"StreamArn":")" + StreamArn() +
                      (last.empty() ? "\"}" : R"(","ExclusiveStartShardId":")" + last + "\"}"));
      for (std::size_t at = 0; (at = page.find("\"ShardId\"", at)) != page.npos; ++at) ++count;
    }
    EXPECT_EQ(count, shards < 1 ? 1 : Database::kMaxStreamShards);
    Control("POST", "reset", "{}");
  }
}

// A DELETING table may be there longer than its stream.
TEST_F(KeptDatabase, ATableThatIsBeingDeletedMayHaveLostItsStream) {
  Database::Options slow = options();
  slow.transition_ms = 3'600'000;
  for (const bool is_reset : {false, true}) {
    OpenWith(slow);
    Call("CreateTable", kApp);
    Control("POST", "clock", R"({"advance":"2h"})");
    Call("DeleteTable", R"({"TableName":"app"})");
    if (is_reset) {
      const Answer answer = database_->Control("POST", "reset", R"({"table":"app"})");
      EXPECT_EQ(answer.status, 404) << answer.body;  // a DELETING table is not replaced
    } else {
      Control("POST", "clock", R"({"advance":"25h"})");
    }
    EXPECT_EQ(Call("ListStreams", "{}"), R"({"Streams":[]})");
    OpenWith(slow);
    EXPECT_EQ(Call("ListStreams", "{}"), R"({"Streams":[]})");
    Control("POST", "clock", R"({"advance":"2h"})");
    EXPECT_FALSE(database_->Call("DescribeTable", R"({"TableName":"app"})").ok());
  }
}

TEST_F(KeptDatabase, TokensAreKnown) {
  Call("CreateTable", kApp);
  Call("TransactWriteItems", kAddOne);
  Open();
  Call("TransactWriteItems", kAddOne);
  EXPECT_EQ(Call("Scan", R"({"TableName":"app","ProjectionExpression":"n"})"),
            R"({"Items":[{"n":{"N":"1"}}],"Count":1,"ScannedCount":1})");
  Control("POST", "clock", R"({"advance":"11m"})");
  Call("TransactWriteItems", kAddOne);
  Open();
  Call("TransactWriteItems", kAddOne);
  EXPECT_EQ(Call("Scan", R"({"TableName":"app","ProjectionExpression":"n"})"),
            R"({"Items":[{"n":{"N":"2"}}],"Count":1,"ScannedCount":1})");
}

TEST_F(KeptDatabase, ATokenOfATableThatIsGoneIsForgotten) {
  Call("CreateTable", kApp);
  Call("TransactWriteItems", kAddOne);
  Control("POST", "reset", R"({"account":"000000000000","table":"app"})");
  Open();
  Call("TransactWriteItems", kAddOne);
  EXPECT_EQ(Call("Scan", R"({"TableName":"app","ProjectionExpression":"n"})"),
            R"({"Items":[{"n":{"N":"1"}}],"Count":1,"ScannedCount":1})");
}

TEST_F(KeptDatabase, NumbersOfStreamRecordsAreNotUsedAgain) {
  const auto number = [](const std::string& records) {
    return std::stoull(TextOf(records, "SequenceNumber").substr(1));
  };
  Call("CreateTable", kApp);
  Put("p", 1);
  const std::string next = Iterator("LATEST");
  std::vector<std::uint64_t> numbers = {number(Records(Iterator("TRIM_HORIZON")))};
  database_.reset();
  std::filesystem::copy(data(), folder_ + "/before");
  for (int i = 0; i < 3; ++i) {
    // As if a crash had undone all that came after the copy.
    database_.reset();
    std::filesystem::remove_all(data());
    std::filesystem::copy(folder_ + "/before", data());
    Open();
    EXPECT_EQ(Records(next), R"({"Records":[])");
    Put("p", 2);
    numbers.push_back(number(Records(next)));
    EXPECT_GT(numbers.back(), numbers.end()[-2] + 1);
  }
}

TEST_F(KeptDatabase, TheClockDoesNotGoBack) {
  const std::string before = Control("POST", "clock", R"({"advance":"30d"})");
  const auto epoch_ms = [](const std::string& clock) {
    return std::stoll(clock.substr(clock.find("\"epoch_ms\":") + 11));
  };
  Open();
  const std::string after = Control("GET", "clock", "");
  EXPECT_GE(epoch_ms(after), epoch_ms(before));
}

TEST_F(KeptDatabase, StatesAreReplacedInOneStep) {
  Call("CreateTable", kApp);
  Put("kept", 1);
  Control("POST", "snapshots", R"({"name":"one"})");
  Put("lost", 2);
  Control("POST", "fork", R"({"from":"000000000000","to":"444455556666"})");
  EXPECT_EQ(Call("ListTables", "{}", kForked), R"({"TableNames":["app"]})");
  Control("POST", "snapshots/one/restore", "");
  const auto seen = SeenOf("app");
  Open();
  EXPECT_EQ(SeenOf("app"), seen);
  EXPECT_EQ(loaded_, 1);
  EXPECT_EQ(Call("ListTables", "{}", kForked), R"({"TableNames":[]})");  // it was in memory only
  Control("POST", "reset", "{}");
  Open();
  EXPECT_EQ(Call("ListTables", "{}"), R"({"TableNames":[]})");
  EXPECT_EQ(loaded_, 0);
}

TEST_F(KeptDatabase, AForkIsInMemoryUntilAReset) {
  constexpr char kFork[] = R"({"from":"000000000000","to":"444455556666"})";
  Call("CreateTable", kApp);
  Call("CreateTable", kPlain, kForked);
  std::string logged;
  SetLogSink([&](LogLevel, std::string_view line) { logged += line; }, LogLevel::kInfo);
  Control("POST", "fork", kFork);
  Control("POST", "fork", kFork);
  SetLogSink({}, LogLevel::kInfo);
  EXPECT_EQ(logged,
            "account 444455556666 is a fork: its tables, also those that are created in it later, "
            "are in memory only and are gone after a restart. A reset of the account, or a fork "
            "with \"durable\":true, changes that");
  Call("CreateTable", kPlain, kForked);
  EXPECT_EQ(Control("GET", "accounts", ""),
            R"({"accounts":[{"account":"000000000000","tables":1,"durable":true},)"
            R"({"account":"444455556666","tables":2,"durable":false}]})");
  Control("POST", "reset", R"({"account":"444455556666"})");
  Call("CreateTable", kPlain, kForked);
  Call("PutItem", R"({"TableName":"plain","Item":{"PK":{"S":"a"}}})", kForked);
  EXPECT_EQ(Control("GET", "accounts", ""),
            R"({"accounts":[{"account":"000000000000","tables":1,"durable":true},)"
            R"({"account":"444455556666","tables":1,"durable":true}]})");
  const auto plain = SeenOf("plain", kForked);
  Open();
  EXPECT_EQ(SeenOf("plain", kForked), plain);
  Control("POST", "fork", kFork);
  Open();
  EXPECT_EQ(Call("ListTables", "{}", kForked), R"({"TableNames":[]})");
  EXPECT_EQ(Control("GET", "accounts", ""),
            R"({"accounts":[{"account":"000000000000","tables":1,"durable":true}]})");
}

TEST_F(KeptDatabase, ADurableForkIsKept) {
  Call("CreateTable", kApp);
  for (int i = 0; i < 700; ++i) Put("p" + std::to_string(i), i % 7);
  Control("POST", "fork", R"({"from":"000000000000","to":"444455556666"})");
  Call("CreateTable", kPlain, kForked);
  Control("POST", "fork", R"({"from":"000000000000","to":"444455556666","durable":true})");
  Put("later", 1, kForked);
  EXPECT_EQ(Control("GET", "accounts", ""),
            R"({"accounts":[{"account":"000000000000","tables":1,"durable":true},)"
            R"({"account":"444455556666","tables":1,"durable":true}]})");
  Call("CreateTable", kPlain, kForked);
  const auto forked = SeenOf("app", kForked);
  const auto original = SeenOf("app");
  Open();
  EXPECT_EQ(loaded_, 1401);
  EXPECT_EQ(SeenOf("app", kForked), forked);
  EXPECT_EQ(SeenOf("app"), original);
  EXPECT_EQ(Call("ListTables", "{}", kForked), R"({"TableNames":["app","plain"]})");
}

TEST_F(KeptDatabase, ARestoreAndASeedOfAForkAreInMemory) {
  Call("CreateTable", kPlain, kForked);
  Control("POST", "snapshots", R"({"name":"kept","account":"444455556666"})");
  Control("POST", "fork", R"({"from":"000000000000","to":"444455556666"})");
  Control("POST", "snapshots/kept/restore", "");
  Control("POST", "seed",
          R"({"account":"444455556666","table":"seeded","data":"{\"PK\":\"a\"}","definition":)" +
              std::string(kPlain).replace(0, 20, R"({"TableName":"seeded")") + "}");
  EXPECT_EQ(Call("ListTables", "{}", kForked), R"({"TableNames":["plain","seeded"]})");
  EXPECT_EQ(Control("GET", "accounts", ""),
            R"({"accounts":[{"account":"444455556666","tables":2,"durable":false}]})");
  Open();
  EXPECT_EQ(Call("ListTables", "{}", kForked), R"({"TableNames":[]})");
}

TEST_F(KeptDatabase, ASeedIsKept) {
  const std::string file = folder_ + "/plain.jsonl";
  std::ofstream(file) << R"({"PK":"a"})"
                      << "\n"
                      << R"({"PK":"b"})"
                      << "\n";
  Call("CreateTable", kPlain);
  std::string error;
  ASSERT_TRUE(database_->Seed(file, &error)) << error;
  const auto seen = SeenOf("plain");
  Open();
  EXPECT_EQ(SeenOf("plain"), seen);
  EXPECT_EQ(loaded_, 2);
}

TEST_F(KeptDatabase, ABackupIsADatabase) {
  Call("CreateTable", kApp);
  for (int i = 0; i < 20; ++i) Put("p" + std::to_string(i), i);
  const auto seen = SeenOf("app");
  const std::string backup = folder_ + "/backup";
  Control("POST", "backup", R"({"path":")" + backup + "\"}");
  Put("after", 1);
  std::string error;
  const auto copy = Database::Open({.data_directory = backup}, &error);
  ASSERT_TRUE(copy) << error;
  EXPECT_EQ(copy->Call("Scan", R"({"TableName":"app"})").body, seen[3]);
  const Answer again = database_->Control("POST", "backup", R"({"path":")" + backup + "\"}");
  EXPECT_EQ(again.status, 409);
}

TEST_F(KeptDatabase, ADirectoryHasOneUser) {
  std::string error;
  EXPECT_FALSE(Database::Open(options(), &error));
  EXPECT_NE(error.find(data()), error.npos) << error;
  EXPECT_THROW(Database second(options()), std::runtime_error);
}

TEST_F(KeptDatabase, NothingIsChangedWhenItIsClosed) {
  Call("CreateTable", kPlain);
  std::string error;
  EXPECT_TRUE(database_->Close(&error)) << error;
  EXPECT_EQ(database_->Call("PutItem", R"({"TableName":"plain","Item":{"PK":{"S":"a"}}})").status,
            500);
  EXPECT_EQ(database_->Control("POST", "reset", "{}").status, 500);
  EXPECT_EQ(Call("ListTables", "{}"), R"({"TableNames":["plain"]})");
  Open();
  EXPECT_EQ(Call("ListTables", "{}"), R"({"TableNames":["plain"]})");
}

TEST(DatabaseInMemory, HasNoDurableFork) {
  Database database;
  const Answer answer =
      database.Control("POST", "fork", R"({"from":"000000000000","to":"1","durable":true})");
  EXPECT_EQ(answer.status, 400);
  const Answer durable = database.Control(
      "POST", "fork", R"({"from":"000000000000","to":"444455556666","durable":true})");
  EXPECT_EQ(durable.status, 400);
  EXPECT_EQ(durable.body,
            R"({"error":"\"durable\" needs a server that was started with --data."})");
  EXPECT_EQ(database.Control("GET", "accounts").body, R"({"accounts":[]})");
}

TEST(DatabaseInMemory, HasNoBackup) {
  Database database;
  const Answer answer = database.Control("POST", "backup", R"({"path":"/tmp/x"})");
  EXPECT_EQ(answer.status, 409);
  EXPECT_EQ(answer.body,
            R"({"error":"This server keeps no data, as it was started without --data."})");
}

}  // namespace
}  // namespace hashrange
