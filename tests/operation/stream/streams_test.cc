// Reading streams, and how long a stream and its records can be read
// (docs/service/12-streams-and-ttl.md, sections A4, A5 and B).
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "engine/stream/shard_iterator.h"
#include "operation/stream/stream_reader.h"

namespace hashrange {
namespace {

using test::StreamReader;
using test::TextAt;

constexpr std::int64_t kMinuteMs = 60 * 1000;
constexpr std::int64_t kDayMs = 24 * 60 * kMinuteMs;

constexpr char kPlain[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})";
constexpr char kStreamTableName[] = R"({"TableName":"app"})";
constexpr char kDisableStream[] =
    R"({"TableName":"app","StreamSpecification":{"StreamEnabled":false}})";
constexpr char kTrimmed[] =
    "The operation attempted to read past the oldest stream record in a shard.";

std::string Streamed(std::string_view view = "KEYS_ONLY") {
  std::string table(kPlain);
  table.pop_back();
  return table.append(R"(,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":")")
      .append(view)
      .append("\"}}");
}

// Returns the value of the key in each record, like "1 2 3".
std::string KeysOf(const StreamReader::Page& page) {
  std::string keys;
  for (int i = 0; i < page.count; ++i) {
    if (i > 0) keys += " ";
    keys += TextAt(page.records, std::to_string(i) + "/dynamodb/Keys/pk/S");
  }
  return keys;
}

class StreamsTest : public testing::Test {
 protected:
  explicit StreamsTest(Dispatcher::Options options = {}, StreamOptions streams = {})
      : api_(options, streams) {}

  // Puts the items "<first>" to "<last>". `more`: further attributes.
  void Put(int first, int last, std::string_view more = "") {
    for (int i = first; i <= last; ++i) {
      api_.Ok("PutItem", R"({"TableName":"app","Item":{"pk":{"S":")" + std::to_string(i) + "\"}" +
                             std::string(more) + "}}");
    }
  }
  std::string StreamStatus(const StreamReader& reader) {
    return TextAt(api_.Ok("DescribeStream", R"({"StreamArn":")" + reader.arn() + "\"}"),
                  "StreamDescription/StreamStatus");
  }
  std::string DescribeTable(std::string_view path) {
    return TextAt(api_.Ok("DescribeTable", kStreamTableName), "Table/" + std::string(path));
  }
  void ExpectTrimmed(std::string_view operation, const std::string& request) {
    api_.Fails(operation, request, "TrimmedDataAccessException", kTrimmed);
  }
  static std::string Number(int number) {
    return R"("SequenceNumber":"1000000000000000000)" + std::to_string(100 + number).substr(1) +
           "\"";
  }

  Api api_;
};

TEST_F(StreamsTest, IteratorsBeginWhereTheirTypeSays) {
  api_.Ok("CreateTable", Streamed());
  Put(1, 5);
  StreamReader reader(api_, "app");
  EXPECT_EQ(KeysOf(reader.Read(reader.Iterator("TRIM_HORIZON"))), "1 2 3 4 5");
  EXPECT_EQ(KeysOf(reader.Read(reader.Iterator("AT_SEQUENCE_NUMBER", Number(3)))), "3 4 5");
  EXPECT_EQ(KeysOf(reader.Read(reader.Iterator("AFTER_SEQUENCE_NUMBER", Number(3)))), "4 5");
  EXPECT_EQ(KeysOf(reader.Read(reader.Iterator("AFTER_SEQUENCE_NUMBER", Number(5)))), "");
  const std::string latest = reader.Iterator("LATEST");
  EXPECT_EQ(KeysOf(reader.Read(latest)), "");
  Put(6, 7);
  EXPECT_EQ(KeysOf(reader.Read(latest)), "6 7");
  EXPECT_EQ(KeysOf(reader.Read(latest)), "6 7") << "an iterator may be used again";
}

TEST_F(StreamsTest, PagesFollowOneAnother) {
  api_.Ok("CreateTable", Streamed());
  Put(1, 5);
  StreamReader reader(api_, "app");
  const auto first = reader.Read(reader.Iterator("TRIM_HORIZON"), 2);
  EXPECT_EQ(KeysOf(first), "1 2");
  const auto second = reader.Read(first.next, 2);
  EXPECT_EQ(KeysOf(second), "3 4");
  const auto third = reader.Read(second.next, 2);
  EXPECT_EQ(KeysOf(third), "5");
  const auto fourth = reader.Read(third.next, 2);
  EXPECT_EQ(fourth.records, "[]");
  Put(6, 6);
  EXPECT_EQ(KeysOf(reader.Read(fourth.next, 2)), "6");
}

TEST_F(StreamsTest, ShardStartsBelowItsFirstRecord) {
  api_.Ok("CreateTable", Streamed());
  StreamReader reader(api_, "app");
  const std::string before = reader.Iterator("AT_SEQUENCE_NUMBER", Number(0));
  Put(1, 2);
  EXPECT_EQ(KeysOf(reader.Read(before)), "1 2");
  EXPECT_EQ(KeysOf(reader.Read(reader.Iterator("AT_SEQUENCE_NUMBER", Number(0)))), "1 2");
  EXPECT_EQ(KeysOf(reader.Read(reader.Iterator("AFTER_SEQUENCE_NUMBER", Number(0)))), "1 2");
}

TEST_F(StreamsTest, APageHoldsAThousandRecordsOrOneMegabyte) {
  api_.Ok("CreateTable", Streamed("NEW_IMAGE"));
  Put(1, 1100);
  StreamReader reader(api_, "app");
  const auto thousand = reader.Read(reader.Iterator("TRIM_HORIZON"));
  EXPECT_EQ(thousand.count, 1000);
  EXPECT_EQ(reader.Read(thousand.next).count, 100);

  const std::string latest = reader.Iterator("LATEST");
  const std::string text = R"(,"v":{"S":")" + std::string(300'000, 'x') + "\"}";
  Put(2001, 2007, text);
  const auto megabyte = reader.Read(latest);
  EXPECT_EQ(KeysOf(megabyte), "2001 2002 2003");
  const auto rest = reader.Read(megabyte.next);
  EXPECT_EQ(KeysOf(rest), "2004 2005 2006");
  EXPECT_EQ(KeysOf(reader.Read(rest.next)), "2007");
}

TEST_F(StreamsTest, IteratorExpiresAfterFifteenMinutes) {
  api_.Ok("CreateTable", Streamed());
  Put(1, 1);
  StreamReader reader(api_, "app");
  const std::string iterator = reader.Iterator("TRIM_HORIZON");
  api_.clock().Advance(15 * kMinuteMs);
  const std::string next = reader.Read(iterator).next;
  api_.clock().Advance(1);
  api_.Fails("GetRecords", StreamReader::RecordsRequest(iterator), "ExpiredIteratorException",
             "Shard iterator has expired");
  EXPECT_EQ(reader.Read(next).count, 0)
      << "the next iterator is as old as the page that it came with";
}

TEST_F(StreamsTest, AnIteratorOfNoShardIsRefused) {
  api_.Ok("CreateTable", Streamed());
  StreamReader reader(api_, "app");
  for (const std::uint32_t shard : {1u, 2u}) {
    const std::string iterator = ShardIteratorText({.stream_arn = reader.arn(),
                                                    .shard = shard,
                                                    .position = 1,
                                                    .issued_epoch_ms = api_.clock().NowEpochMs()});
    api_.Fails("GetRecords", StreamReader::RecordsRequest(iterator), "ValidationException",
               "Invalid ShardIterator");
  }
}

TEST_F(StreamsTest, RecordsAreTrimmedAfter24Hours) {
  api_.Ok("CreateTable", Streamed());
  Put(1, 2);
  api_.clock().Advance(10 * kMinuteMs);
  Put(3, 3);
  StreamReader reader(api_, "app");
  api_.clock().Advance(kDayMs - 11 * kMinuteMs);
  const std::string iterator = reader.Iterator("TRIM_HORIZON");
  EXPECT_EQ(KeysOf(reader.Read(iterator)), "1 2 3");
  api_.clock().Advance(kMinuteMs);
  ExpectTrimmed("GetRecords", StreamReader::RecordsRequest(iterator));
  ExpectTrimmed("GetShardIterator", reader.IteratorRequest("AT_SEQUENCE_NUMBER", Number(2)));
  ExpectTrimmed("GetShardIterator", reader.IteratorRequest("AFTER_SEQUENCE_NUMBER", Number(2)));
  EXPECT_EQ(KeysOf(reader.Read(reader.Iterator("AT_SEQUENCE_NUMBER", Number(3)))), "3");
  EXPECT_EQ(KeysOf(reader.Read(reader.Iterator("TRIM_HORIZON"))), "3");
  api_.clock().Advance(10 * kMinuteMs);
  EXPECT_EQ(KeysOf(reader.Read(reader.Iterator("TRIM_HORIZON"))), "");
  Put(4, 4);
  EXPECT_EQ(KeysOf(reader.Read(reader.Iterator("TRIM_HORIZON"))), "4");
}

class SmallBufferTest : public StreamsTest {
 protected:
  SmallBufferTest() : StreamsTest({}, {.buffer_bytes = 100'000}) {}
};

TEST_F(SmallBufferTest, RecordsAreTrimmedWhenTheBufferIsFull) {
  api_.Ok("CreateTable", Streamed("NEW_IMAGE"));
  const std::string text = R"(,"v":{"S":")" + std::string(1000, 'x') + "\"}";
  Put(1, 10, text);
  StreamReader reader(api_, "app");
  const std::string iterator = reader.Iterator("TRIM_HORIZON");
  EXPECT_EQ(reader.Read(iterator).count, 10);
  Put(11, 300, text);
  ExpectTrimmed("GetRecords", StreamReader::RecordsRequest(iterator));
  ExpectTrimmed("GetShardIterator", reader.IteratorRequest("AT_SEQUENCE_NUMBER", Number(1)));
  ExpectTrimmed("GetShardIterator", reader.IteratorRequest("AFTER_SEQUENCE_NUMBER", Number(0)));
  const auto kept = reader.Read(reader.Iterator("TRIM_HORIZON"));
  // A record with its slot in the chunk and the allocator's overhead takes about 1,150 bytes.
  EXPECT_GE(kept.count, 75);
  EXPECT_LE(kept.count, 90);
  const std::string keys = KeysOf(kept);
  EXPECT_EQ(keys.substr(keys.rfind(' ') + 1), "300");
}

TEST_F(StreamsTest, DisabledStreamIsReadToItsEnd) {
  api_.Ok("CreateTable", Streamed());
  Put(1, 3);
  StreamReader reader(api_, "app");
  const std::string latest = reader.Iterator("LATEST");
  api_.Ok("UpdateTable", kDisableStream);
  Put(4, 4);
  EXPECT_EQ(StreamStatus(reader), "DISABLED");
  api_.Answers("DescribeStream", R"({"StreamArn":")" + reader.arn() + "\"}",
               R"({"StreamDescription":{"StreamArn":")" + reader.arn() +
                   R"(","StreamLabel":"2023-11-14T22:13:20.000","StreamStatus":"DISABLED",
        "StreamViewType":"KEYS_ONLY","CreationRequestDateTime":1700000000.000,"TableName":"app",
        "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
        "Shards":[{"ShardId":"shardId-00000001700000000000-00000000","SequenceNumberRange":
          {"StartingSequenceNumber":"100000000000000000000",
           "EndingSequenceNumber":"100000000000000000003"}}]}})");
  const auto first = reader.Read(reader.Iterator("TRIM_HORIZON"), 2);
  EXPECT_EQ(KeysOf(first), "1 2");
  const auto second = reader.Read(first.next, 2);
  EXPECT_EQ(KeysOf(second), "3");
  EXPECT_EQ(second.next, "") << "closed and drained";
  EXPECT_EQ(reader.Read(latest).next, "");
  EXPECT_EQ(reader.Read(reader.Iterator("AFTER_SEQUENCE_NUMBER", Number(3))).next, "");
  api_.Fails("GetShardIterator", reader.IteratorRequest("AT_SEQUENCE_NUMBER", Number(4)),
             "ValidationException", "Invalid SequenceNumber for the shard");
}

TEST_F(StreamsTest, DisabledStreamIsThereFor24Hours) {
  api_.Ok("CreateTable", Streamed());
  StreamReader reader(api_, "app");
  const std::string description = R"({"StreamArn":")" + reader.arn() + "\"}";
  api_.clock().Advance(kMinuteMs);
  Put(1, 1);
  api_.clock().Advance(kMinuteMs);
  api_.Ok("UpdateTable", kDisableStream);
  api_.clock().Advance(kDayMs - kMinuteMs - 1);
  EXPECT_EQ(KeysOf(reader.Read(reader.Iterator("TRIM_HORIZON"))), "1");
  api_.clock().Advance(kMinuteMs);
  EXPECT_EQ(StreamStatus(reader), "DISABLED");
  const std::string iterator = reader.Iterator("TRIM_HORIZON");
  EXPECT_EQ(KeysOf(reader.Read(iterator)), "");
  api_.clock().Advance(1);
  const std::string not_found =
      "Requested resource not found: Stream: " + reader.arn() + " not found";
  api_.Fails("DescribeStream", description, "ResourceNotFoundException", not_found);
  api_.Fails("GetRecords", StreamReader::RecordsRequest(iterator), "ResourceNotFoundException",
             not_found);
  api_.Answers("ListStreams", "{}", R"({"Streams":[]})");
  EXPECT_EQ(DescribeTable("LatestStreamArn"), reader.arn());
}

TEST_F(StreamsTest, StreamHasTagsOfItsOwn) {
  api_.Ok("CreateTable", Streamed());
  const std::string arn = StreamReader(api_, "app").arn();
  const auto resource = [](const std::string& of, const std::string& more) {
    return R"({"ResourceArn":")" + of + "\"" + more + "}";
  };
  api_.Ok("TagResource",
          resource(arn, R"(,"Tags":[{"Key":"a","Value":"1"},{"Key":"b","Value":"2"}])"));
  api_.Ok("UntagResource", resource(arn, R"(,"TagKeys":["b"])"));
  const std::string tagged = R"({"Tags":[{"Key":"a","Value":"1"}]})";
  api_.Answers("ListTagsOfResource", resource(arn, ""), tagged);
  const std::string table = arn.substr(0, arn.find("/stream/"));
  api_.Answers("ListTagsOfResource", resource(table, ""), R"({"Tags":[]})");
  api_.Ok("DeleteTable", kStreamTableName);
  api_.Answers("ListTagsOfResource", resource(arn, ""), tagged);
}

TEST_F(StreamsTest, DeletedTablesStreamStaysBesideThatOfItsSuccessor) {
  api_.Ok("CreateTable", Streamed());
  Put(1, 1);
  StreamReader old(api_, "app");
  api_.Ok("DeleteTable", kStreamTableName);
  EXPECT_EQ(StreamStatus(old), "DISABLED");
  api_.Ok("CreateTable", Streamed());
  Put(2, 2);
  StreamReader successor(api_, "app");
  EXPECT_NE(old.arn(), successor.arn());
  EXPECT_EQ(KeysOf(old.Read(old.Iterator("TRIM_HORIZON"))), "1");
  EXPECT_EQ(KeysOf(successor.Read(successor.Iterator("TRIM_HORIZON"))), "2");
  EXPECT_EQ(TextAt(api_.Ok("ListStreams", kStreamTableName), "Streams/0/StreamArn"), old.arn());
  EXPECT_EQ(TextAt(api_.Ok("ListStreams", kStreamTableName), "Streams/1/StreamArn"),
            successor.arn());
}

TEST_F(StreamsTest, RefusedTableLeavesNoStream) {
  api_.Ok("CreateTable", kPlain);
  api_.Fails("CreateTable", Streamed(), "ResourceInUseException", "Table already exists: app");
  api_.Answers("ListStreams", "{}", R"({"Streams":[]})");
}

TEST_F(StreamsTest, StreamComesWithTheSwitchToOnDemand) {
  api_.Ok("CreateTable", kPlain);
  api_.Ok("UpdateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
    "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}})");
  EXPECT_EQ(DescribeTable("StreamSpecification/StreamViewType"), "KEYS_ONLY");
}

TEST_F(StreamsTest, EachAccountHasStreamsOfItsOwn) {
  api_.Ok("CreateTable", Streamed());
  Put(1, 1);
  StreamReader reader(api_, "app");
  const std::string iterator = reader.Iterator("TRIM_HORIZON");
  for (const auto& [key, region] :
       {std::pair("111122223333", "us-east-1"), std::pair("AKIDEXAMPLE", "eu-west-1")}) {
    api_.SignAs(key, region);
    api_.Answers("ListStreams", "{}", R"({"Streams":[]})");
    api_.Fails("GetRecords", StreamReader::RecordsRequest(iterator), "ResourceNotFoundException",
               "Requested resource not found: Stream: " + reader.arn() + " not found");
  }
}

class SharedTablesTest : public StreamsTest {
 protected:
  SharedTablesTest() : StreamsTest({.shared_tables = true}) {}
};

TEST_F(SharedTablesTest, StreamsAreShared) {
  api_.Ok("CreateTable", Streamed());
  Put(1, 1);
  api_.SignAs("111122223333", "us-east-1");
  StreamReader reader(api_, "app");
  EXPECT_EQ(KeysOf(reader.Read(reader.Iterator("TRIM_HORIZON"))), "1");
}

class ShardedTest : public StreamsTest {
 protected:
  ShardedTest() : StreamsTest({}, {.shards = 4}) {}
};

TEST_F(ShardedTest, EveryItemsRecordsAreInOneShard) {
  api_.Ok("CreateTable", Streamed("NEW_IMAGE"));
  for (const char* version : {"1", "2", "3"}) {
    Put(1, 40, std::string(R"(,"v":{"S":")") + version + "\"}");
  }
  StreamReader reader(api_, "app");
  int keys = 0;
  for (int shard = 0; shard < 4; ++shard) {
    const auto page = reader.Read(reader.Iterator("TRIM_HORIZON", "", shard));
    EXPECT_GT(page.count, 0);
    std::map<std::string, std::string> versions;
    for (int i = 0; i < page.count; ++i) {
      const std::string at = std::to_string(i) + "/dynamodb/";
      versions[TextAt(page.records, at + "Keys/pk/S")] += TextAt(page.records, at + "NewImage/v/S");
    }
    keys += static_cast<int>(versions.size());
    for (const auto& [key, seen] : versions) EXPECT_EQ(seen, "123") << key;
  }
  EXPECT_EQ(keys, 40);
}

TEST_F(ShardedTest, ShardsAreDescribedInPages) {
  api_.Ok("CreateTable", Streamed());
  StreamReader reader(api_, "app");
  std::string request = R"({"StreamArn":")" + reader.arn() + R"(","Limit":3)";
  const std::string first = api_.Ok("DescribeStream", request + "}");
  const std::string last = TextAt(first, "StreamDescription/LastEvaluatedShardId");
  EXPECT_EQ(last, "shardId-00000001700000000000-80000000");
  EXPECT_EQ(TextAt(first, "StreamDescription/Shards/2/ShardId"), last);
  EXPECT_EQ(TextAt(first, "StreamDescription/Shards/3"), "");
  const std::string second =
      api_.Ok("DescribeStream", request + R"(,"ExclusiveStartShardId":")" + last + "\"}");
  EXPECT_EQ(TextAt(second, "StreamDescription/Shards/0/ShardId"),
            "shardId-00000001700000000000-c0000000");
  EXPECT_EQ(TextAt(second, "StreamDescription/Shards/1"), "");
  EXPECT_EQ(TextAt(second, "StreamDescription/LastEvaluatedShardId"), "");
}

}  // namespace
}  // namespace hashrange
