// A database with a directory for the records of Kinesis destinations.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "hashrange/database.h"
#include "support/temporary_folder.h"

namespace hashrange {
namespace {

constexpr Credential kOwnerAccount{.access_key = "111122223333"};
constexpr Credential kForkAccount{.access_key = "444455556666"};

constexpr char kSentTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})";
constexpr char kSentName[] = R"({"TableName":"app"})";
constexpr char kSentPut[] = R"({"TableName":"app","Item":{"pk":{"S":"a"}}})";
constexpr char kSentDelete[] = R"({"TableName":"app","Key":{"pk":{"S":"a"}}})";
constexpr char kDestination[] =
    R"({"TableName":"app","StreamArn":"arn:aws:kinesis:us-east-1:111122223333:stream/orders"})";

class KinesisDirectory : public ::testing::Test {
 protected:
  KinesisDirectory() { Open(Options(true)); }

  Database::Options Options(bool has_kinesis) const {
    Database::Options options;
    options.data_directory = folder_.path() / "data";
    if (has_kinesis) options.kinesis_directory = folder_.path() / "kinesis";
    return options;
  }
  void Open(const Database::Options& options) {
    database_.reset();
    std::string error;
    database_ = Database::Open(options, &error);
    ASSERT_TRUE(database_) << error;
  }
  void Ok(const char* operation, const char* json, const Credential& as = kOwnerAccount) {
    const Answer answer = database_->Call(operation, json, as);
    EXPECT_TRUE(answer.ok()) << operation << " " << answer.body;
  }
  void Control(const char* path, const char* json) {
    const Answer answer = database_->Control("POST", path, json);
    EXPECT_TRUE(answer.ok()) << path << " " << answer.body;
  }
  void EnableDestination() {
    Ok("CreateTable", kSentTable);
    Ok("EnableKinesisStreamingDestination", kDestination);
  }
  std::string Status(const Credential& as = kOwnerAccount) {
    const std::string answer =
        database_->Call("DescribeKinesisStreamingDestination", kSentName, as).body;
    constexpr std::string_view kMember = R"("DestinationStatus":")";
    const std::size_t at = answer.find(kMember);
    if (at == std::string::npos) return answer;
    const std::size_t begin = at + kMember.size();
    return answer.substr(begin, answer.find('"', begin) - begin);
  }
  // Returns how many records the stream has when the database has ended.
  std::ptrdiff_t RecordsAtEnd() {
    database_.reset();
    std::ifstream file(folder_.path() / "kinesis/us-east-1_111122223333_orders.jsonl");
    return std::count(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>(), '\n');
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<Database> database_;
};

TEST_F(KinesisDirectory, AForkDoesNotWriteToTheStreamOfTheOriginal) {
  EnableDestination();
  Control("fork", R"({"from":"111122223333","to":"444455556666"})");
  EXPECT_EQ(Status(kForkAccount), "DISABLED");
  EXPECT_EQ(Status(), "ACTIVE");
  Ok("PutItem", kSentPut, kForkAccount);
  Ok("PutItem", kSentPut);
  EXPECT_EQ(RecordsAtEnd(), 1);
}

TEST_F(KinesisDirectory, ARestoredTableHasTheDestinationOfTheSnapshot) {
  EnableDestination();
  Control("snapshots", R"({"name":"s","account":"111122223333"})");
  Ok("DisableKinesisStreamingDestination", kDestination);
  Control("snapshots/s/restore", "{}");
  EXPECT_EQ(Status(), "ACTIVE");
  Ok("PutItem", kSentPut);
  EXPECT_EQ(RecordsAtEnd(), 1);
}

TEST_F(KinesisDirectory, AResetRemovesTheDestinationWithItsTable) {
  EnableDestination();
  Control("reset", R"({"account":"111122223333"})");
  Ok("CreateTable", kSentTable);
  EXPECT_EQ(Status(), R"({"TableName":"app","KinesisDataStreamDestinations":[]})");
  Ok("PutItem", kSentPut);
  EXPECT_EQ(RecordsAtEnd(), 0);
}

TEST_F(KinesisDirectory, RecordsGoOnAfterARestart) {
  EnableDestination();
  Ok("PutItem", kSentPut);
  Open(Options(true));
  EXPECT_EQ(Status(), "ACTIVE");
  Ok("DeleteItem", kSentDelete);
  EXPECT_EQ(RecordsAtEnd(), 2);
}

TEST_F(KinesisDirectory, ADestinationFailsWhileTheServerHasNoDirectory) {
  EnableDestination();
  Open(Options(false));
  EXPECT_EQ(Status(), "ENABLE_FAILED");
  Ok("PutItem", kSentPut);
  Open(Options(true));
  EXPECT_EQ(Status(), "ACTIVE");
  EXPECT_EQ(RecordsAtEnd(), 0);
}

TEST_F(KinesisDirectory, CloseWritesWhatWaits) {
  EnableDestination();
  Ok("PutItem", kSentPut);
  std::string error;
  ASSERT_TRUE(database_->Close(&error)) << error;
  std::ifstream file(folder_.path() / "kinesis/us-east-1_111122223333_orders.jsonl");
  std::string line;
  EXPECT_TRUE(std::getline(file, line));
}

TEST_F(KinesisDirectory, AFileInItsPlaceIsRefused) {
  database_.reset();
  std::ofstream(folder_.path() / "file").put('x');
  Database::Options options = Options(false);
  options.kinesis_directory = folder_.path() / "file";
  std::string error;
  EXPECT_FALSE(Database::Open(options, &error));
  EXPECT_EQ(error.substr(0, options.kinesis_directory.size()), options.kinesis_directory);
}

}  // namespace
}  // namespace hashrange
