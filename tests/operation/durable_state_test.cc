// A database that is stored as its observers are told, and is loaded into a second database, must
// answer as the first one: tables, items, indexes, tags, streams and tokens. What is stored here is
// only in memory; the items are kept as references.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/backfill/backfiller.h"
#include "engine/catalog_observer.h"
#include "engine/stream/stored_stream.h"
#include "engine/stream/stream_observer.h"
#include "engine/table.h"
#include "engine/table_load.h"
#include "engine/table_record.h"
#include "engine/ttl/expiry_set.h"
#include "support/api.h"

namespace hashrange {
namespace {

// Stores what an observer is told, in the order in which it is told.
class Stored : public CatalogObserver, public ChangeObserver, public StreamObserver {
 public:
  void Observe(Api& api) {
    api.engine().catalog().SetObserver(*this);
    api.streams().SetObserver(*this);
    api.engine().AddObserver(*this);
    clock_ = &api.clock();
  }

  void OnPrepare(const TableVersion&, const TablePin&) override {}
  void OnAbandon(const TableVersion&) noexcept override {}
  void OnPublish(const TableVersion& version) noexcept override {
    const std::lock_guard lock(mutex);
    tables[version.table->id()] = EncodeTable(version);
  }
  void OnExchange(std::span<const TableRef> out, std::span<const TableRef> in,
                  std::span<const PendingSeed> /*seeds*/) noexcept override {
    const std::lock_guard lock(mutex);
    for (const TableRef& table : out) {
      tables.erase(table->table->id());
      items.erase(table->table->id());
      tags.erase(table->table->id());
    }
    for (const TableRef& table : in) {
      tables[table->table->id()] = EncodeTable(*table);
      tags[table->table->id()] = EncodeTags(table->tags->All());
    }
  }
  void OnTags(std::uint64_t table_id, std::span<const Tag> all) noexcept override {
    const std::lock_guard lock(mutex);
    tags[table_id] = EncodeTags(all);
  }
  void OnCommit(std::span<const Change> changes, const TokenRef& token) noexcept override {
    const std::lock_guard lock(mutex);
    for (const Change& change : changes) {
      if (!change.table->is_durable) continue;
      auto& of_table = items[change.table->table->id()];
      const Item& item = change.after ? *change.after : *change.before;
      const std::pair key(item.hash(), std::string(item.key()));
      if (change.after) {
        of_table[key] = change.after;
      } else {
        of_table.erase(key);
      }
    }
    if (token) tokens.push_back(EncodeToken(*token));
  }
  void OnOpen(Stream& stream) noexcept override { StoreStream(stream); }
  void OnClose(Stream& stream) noexcept override { StoreStream(stream); }
  void OnForget(Stream& stream) noexcept override {
    const std::lock_guard lock(mutex);
    streams.erase(stream.definition().id);
    stream_tags.erase(stream.definition().id);
  }
  void OnRecord(Stream& stream, std::size_t shard, std::uint64_t number,
                const StreamRecord& record) noexcept override {
    const std::lock_guard lock(mutex);
    records[{stream.definition().id, shard, number}] = EncodeStreamRecord(
        {Image(record.before), Image(record.after), record.epoch_ms, record.event, record.origin});
  }
  void OnTags(Stream& stream, std::span<const Tag> all) noexcept override {
    const std::lock_guard lock(mutex);
    stream_tags[stream.definition().id] = EncodeTags(all);
  }

  // Returns the item of an image.
  ItemRef ImageItem(std::string_view image) const {
    return image.empty() ? nullptr : images.at(std::string(image));
  }

  std::mutex mutex;
  std::map<std::uint64_t, std::string> tables;
  std::map<std::uint64_t, std::string> tags;
  std::map<std::uint64_t, std::map<std::pair<std::uint64_t, std::string>, ItemRef>> items;
  std::map<std::uint64_t, std::string> streams;
  std::map<std::uint64_t, std::string> stream_tags;
  std::map<std::tuple<std::uint64_t, std::size_t, std::uint64_t>, std::string> records;
  std::vector<std::string> tokens;
  std::map<std::string, ItemRef> images;

 private:
  void StoreStream(Stream& stream) {
    const std::lock_guard lock(mutex);
    streams[stream.definition().id] = EncodeStream(DescribeStream(stream, clock_->NowEpochMs()));
  }
  // Returns a name for the item, as a view of a key of `images`.
  std::string_view Image(const ItemRef& item) {
    if (!item) return {};
    return images.emplace("item " + std::to_string(images.size()), item).first->first;
  }

  const Clock* clock_ = nullptr;
};

template <typename T>
T Must(Result<T> result) {
  EXPECT_TRUE(result.ok()) << result.error().message;
  return std::move(result).value();
}

void LoadStreams(const Stored& stored, StreamSet& streams) {
  std::map<std::uint64_t, StreamRef> by_id;
  for (const auto& [id, bytes] : stored.streams) {
    by_id[id] = Must(streams.Restore(Must(DecodeStream(bytes))));
  }
  for (const auto& [id, bytes] : stored.stream_tags) {
    by_id.at(id)->tags().Add(Must(DecodeTags(bytes)));
  }
  for (const auto& [place, bytes] : stored.records) {
    const auto& [id, shard, number] = place;
    const StoredStreamRecord record = Must(DecodeStreamRecord(bytes));
    EXPECT_TRUE(by_id.at(id)->shard(shard).AddStored(
        number, {stored.ImageItem(record.before), stored.ImageItem(record.after), record.epoch_ms,
                 record.event, record.origin}));
  }
}

TableRef LoadTable(const Stored& stored, std::uint64_t id, Api& api) {
  std::unique_ptr<TableVersion> version = Must(DecodeTable(stored.tables.at(id)));
  version->tags->Add(Must(DecodeTags(stored.tags.at(id))));
  EXPECT_TRUE(api.streams().Attach(version.get()).ok());
  const auto expiries = AttachExpirySet(version.get());
  const TableRef table = api.engine().catalog().PrepareStored(std::move(version), id);
  TableLoad load(table);
  if (const auto items = stored.items.find(id); items != stored.items.end()) {
    for (const auto& [key, item] : items->second) {
      EXPECT_TRUE(load.Add(item));
      if (expiries) expiries->Insert({table->key, item.get()});
    }
  }
  for (int job = 0; job < load.job_count(); ++job) load.RunJob(job);
  return table;
}

// Loads everything, in the order in which a server does at its start.
void Load(const Stored& stored, Api& api, Backfiller& backfiller, Stored* next) {
  Catalog& catalog = api.engine().catalog();
  LoadStreams(stored, api.streams());
  std::vector<TableRef> tables;
  for (const auto& [id, bytes] : stored.tables) tables.push_back(LoadTable(stored, id, api));
  ASSERT_TRUE(catalog.Exchange({}, tables));
  std::vector<TokenRecord> tokens;
  for (const std::string& bytes : stored.tokens) tokens.push_back(Must(DecodeToken(bytes)));
  catalog.RestoreTokens(std::move(tokens));
  next->Observe(api);
  api.streams().CloseUnused(api.clock().NowEpochMs());
  for (const TableRef& table : tables) {
    if (table->settings.expiries) api.time_to_live().WatchFilled(*table);
    backfiller.StartAll(*table);
  }
}

constexpr std::int64_t kDurableTransitionMs = 100;

// A database in which an index is filled when a test says so.
struct TestDatabase {
  Api api{{.backfiller = &backfiller, .transition_ms = kDurableTransitionMs}};
  Backfiller backfiller{api.engine(), {.at_once = 0, .has_thread = false}};

  void Fill() {
    while (backfiller.RunBatch()) {
    }
  }
};

constexpr char kDurableTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
                          {"AttributeName":"sk","AttributeType":"N"},
                          {"AttributeName":"kind","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
  "GlobalSecondaryIndexes":[{"IndexName":"by-kind",
    "KeySchema":[{"AttributeName":"kind","KeyType":"HASH"}],
    "Projection":{"ProjectionType":"KEYS_ONLY"}}],
  "LocalSecondaryIndexes":[{"IndexName":"local",
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
                 {"AttributeName":"kind","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"ALL"}}],
  "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},
  "Tags":[{"Key":"team","Value":"a"}]})";
constexpr char kDurableName[] = R"({"TableName":"app"})";
constexpr char kDurableArn[] = "arn:aws:dynamodb:us-east-1:000000000000:table/app";

class DurableState : public ::testing::Test {
 protected:
  DurableState() {
    stored_.Observe(first_.api);
    first_.api.Ok("CreateTable", kDurableTable);
    Settle();
  }

  void Settle() {
    first_.api.clock().Advance(kDurableTransitionMs);
    first_.api.Ok("DescribeTable", kDurableName);
  }
  static void Put(Api& api, int i, const std::string& more = "") {
    api.Ok("PutItem", R"({"TableName":"app","Item":{"pk":{"S":"p)" + std::to_string(i % 7) +
                          R"("},"sk":{"N":")" + std::to_string(i) + R"("},"kind":{"S":"k)" +
                          std::to_string(i % 3) + R"("})" + more + "}}");
  }
  static std::string Key(int i) {
    return R"("TableName":"app","Key":{"pk":{"S":"p)" + std::to_string(i % 7) +
           R"("},"sk":{"N":")" + std::to_string(i) + "\"}}";
  }
  // Loads what is stored by now into the second database.
  Api& Restart() {
    second_.api.clock().Advance(first_.api.clock().NowEpochMs() - second_.api.clock().NowEpochMs());
    Load(stored_, second_.api, second_.backfiller, &stored_again_);
    return second_.api;
  }
  // Expects the same answer of both databases.
  void ExpectSameAnswer(std::string_view operation, std::string_view json) {
    const std::string first = first_.api.Ok(operation, json);
    const std::string second = second_.api.Ok(operation, json);
    EXPECT_TRUE(SameJson(first, second)) << operation << "\n" << first << "\n" << second;
  }
  std::string StreamArn() {
    const auto& stream = first_.api.engine().catalog().Find(kAccount, "app")->settings.stream;
    return stream->storage->arn();
  }
  static std::string Iterator(Api& api, const std::string& arn, const Stream& stream,
                              std::string_view from) {
    const std::string answer =
        api.Ok("GetShardIterator", R"({"StreamArn":")" + arn + R"(","ShardId":")" +
                                       stream.ShardId(0) + R"(",)" + std::string(from) + "}");
    const auto begin = answer.find(":\"") + 2;
    return answer.substr(begin, answer.rfind('"') - begin);
  }

  static constexpr AccountName kAccount{"000000000000", "us-east-1"};
  Stored stored_;
  Stored stored_again_;
  TestDatabase first_;
  TestDatabase second_;
};

TEST_F(DurableState, TablesAndItemsAnswerAsBefore) {
  Api& first = first_.api;
  for (int i = 0; i < 100; ++i) Put(first, i);
  for (int i = 0; i < 100; i += 4) first.Ok("DeleteItem", "{" + Key(i) + "}");
  for (int i = 0; i < 100; i += 3) {
    first.Ok("UpdateItem", "{" + Key(i) + R"(,"UpdateExpression":"SET v = :v",
      "ExpressionAttributeValues":{":v":{"L":[{"N":"1"},{"BOOL":true}]}}})");
  }
  first.Ok("TagResource", R"({"ResourceArn":")" + std::string(kDurableArn) +
                              R"(","Tags":[{"Key":"cost","Value":"low"}]})");
  std::string other(kDurableTable);
  other.replace(other.find("app"), 3, "other");
  first.Ok("CreateTable", other);
  Settle();
  first.Ok("DeleteTable", R"({"TableName":"other"})");
  Settle();
  first.Ok("ListTables", "{}");  // the deletion ends
  Restart();
  ExpectSameAnswer("ListTables", "{}");
  ExpectSameAnswer("DescribeTable", kDurableName);
  ExpectSameAnswer("ListTagsOfResource", R"({"ResourceArn":")" + std::string(kDurableArn) + "\"}");
  ExpectSameAnswer("Scan", kDurableName);
  ExpectSameAnswer("Scan", R"({"TableName":"app","IndexName":"by-kind"})");
  ExpectSameAnswer("Query", R"({"TableName":"app","IndexName":"local",
    "KeyConditionExpression":"pk = :p AND kind > :k",
    "ExpressionAttributeValues":{":p":{"S":"p1"},":k":{"S":"k0"}}})");
  EXPECT_EQ(stored_.items.size(), 1u);
}

TEST_F(DurableState, RecoveryPoliciesAndInsightsAnswerAsBefore) {
  Api& first = first_.api;
  const auto of_resource = [](std::string_view arn, std::string_view more = "") {
    return R"({"ResourceArn":")" + std::string(arn) + "\"" + std::string(more) + "}";
  };
  constexpr std::string_view kDurablePolicy =
      R"(,"Policy":"{\"Statement\":{\"Effect\":\"Deny\",\"Principal\":\"*\",)"
      R"(\"Action\":\"*\",\"Resource\":\"*\"}}")";
  const std::string by_kind = R"({"TableName":"app","IndexName":"by-kind"})";
  first.Ok("UpdateContinuousBackups", R"({"TableName":"app","PointInTimeRecoverySpecification":)"
                                      R"({"PointInTimeRecoveryEnabled":true}})");
  first.Ok("PutResourcePolicy", of_resource(kDurableArn, kDurablePolicy));
  first.Ok("PutResourcePolicy", of_resource(StreamArn(), kDurablePolicy));
  first.Ok("UpdateContributorInsights",
           R"({"TableName":"app","ContributorInsightsAction":"ENABLE"})");
  first.Ok("UpdateContributorInsights",
           R"({"TableName":"app","IndexName":"by-kind","ContributorInsightsAction":"ENABLE",)"
           R"("ContributorInsightsMode":"THROTTLED_KEYS"})");
  Settle();
  Restart();
  ExpectSameAnswer("DescribeContinuousBackups", kDurableName);
  ExpectSameAnswer("GetResourcePolicy", of_resource(kDurableArn));
  ExpectSameAnswer("GetResourcePolicy", of_resource(StreamArn()));
  ExpectSameAnswer("DescribeContributorInsights", kDurableName);
  ExpectSameAnswer("DescribeContributorInsights", by_kind);
}

TEST_F(DurableState, TheSecondDatabaseIsStoredToo) {
  Put(first_.api, 1);
  Api& second = Restart();
  Put(second, 2);
  second.Ok("UntagResource",
            R"({"ResourceArn":")" + std::string(kDurableArn) + R"(","TagKeys":["team"]})");
  ASSERT_EQ(stored_again_.items.size(), 1u);
  const auto& [id, items] = *stored_again_.items.begin();
  EXPECT_EQ(id, stored_.tables.begin()->first);
  EXPECT_EQ(items.size(), 1u);
  EXPECT_TRUE(Must(DecodeTags(stored_again_.tags.at(id))).empty());
  EXPECT_EQ(stored_again_.records.size(), 1u);
}

TEST_F(DurableState, StreamsGoOnWhereTheyWere) {
  for (int i = 0; i < 10; ++i) Put(first_.api, i);
  first_.api.Ok("DeleteItem", "{" + Key(3) + "}");
  const std::string arn = StreamArn();
  Stream& stream = *first_.api.streams().Find(kAccount, arn);
  const std::string old_iterator =
      Iterator(first_.api, arn, stream, R"("ShardIteratorType":"TRIM_HORIZON")");
  const std::string newest = Iterator(first_.api, arn, stream, R"("ShardIteratorType":"LATEST")");
  Api& second = Restart();
  ExpectSameAnswer("ListStreams", "{}");
  ExpectSameAnswer("DescribeStream", R"({"StreamArn":")" + arn + "\"}");
  ExpectSameAnswer("GetRecords", R"({"ShardIterator":")" + old_iterator + "\"}");
  Put(first_.api, 50);
  Put(second, 50);
  ExpectSameAnswer("GetRecords", R"({"ShardIterator":")" + newest + "\"}");
  EXPECT_EQ(stream.shard(0).ExtentAt(0).next, 13u);
  EXPECT_EQ(second.streams().Find(kAccount, arn)->shard(0).ExtentAt(0).next, 13u);
}

TEST_F(DurableState, AClosedStreamIsStillRead) {
  Put(first_.api, 1);
  const std::string arn = StreamArn();
  first_.api.Ok("UpdateTable",
                R"({"TableName":"app","StreamSpecification":{"StreamEnabled":false}})");
  Restart();
  ExpectSameAnswer("DescribeStream", R"({"StreamArn":")" + arn + "\"}");
  ExpectSameAnswer("DescribeTable", kDurableName);
  for (TestDatabase* database : {&first_, &second_})
    database->api.clock().Advance(kDurableTransitionMs);
  ExpectSameAnswer("DescribeStream", R"({"StreamArn":")" + arn + "\"}");
  ExpectSameAnswer("DescribeTable", kDurableName);
}

TEST_F(DurableState, ATransactionIsNotRepeatedAfterTheStart) {
  const std::string add = R"({"ClientRequestToken":"t","TransactItems":[{"Update":{)" + Key(1) +
                          R"(,"UpdateExpression":"ADD n :o",
      "ExpressionAttributeValues":{":o":{"N":"1"}}}}]})";
  const std::string check = R"({"ClientRequestToken":"c","TransactItems":[{"ConditionCheck":{)" +
                            Key(2) + R"j(,"ConditionExpression":"attribute_not_exists(pk)"}}]})j";
  first_.api.Ok("TransactWriteItems", add);
  first_.api.Ok("TransactWriteItems", check);
  EXPECT_EQ(stored_.tokens.size(), 2u);
  Api& second = Restart();
  Put(second, 2);  // the condition does not hold any more
  second.Ok("TransactWriteItems", check);
  second.Ok("TransactWriteItems", add);
  ExpectSameAnswer("GetItem", "{" + Key(1) + "}");
  second.clock().Advance(IdempotencyTokens::kLifetimeMs);
  second.Ok("TransactWriteItems", add);
  second.Answers("GetItem", "{" + Key(1) + R"(,"ProjectionExpression":"n"})",
                 R"({"Item":{"n":{"N":"2"}}})");
}

TEST_F(DurableState, ABackfillGoesOn) {
  for (int i = 0; i < 20; ++i) Put(first_.api, i, R"(,"b":{"S":"x"})");
  first_.api.Ok("UpdateTable", R"({"TableName":"app",
    "AttributeDefinitions":[{"AttributeName":"b","AttributeType":"S"}],
    "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-b",
      "KeySchema":[{"AttributeName":"b","KeyType":"HASH"}],
      "Projection":{"ProjectionType":"ALL"}}}]})");
  Restart();
  ExpectSameAnswer("DescribeTable", kDurableName);
  for (TestDatabase* database : {&first_, &second_}) {
    database->api.clock().Advance(kDurableTransitionMs);
    database->api.Ok("DescribeTable", kDurableName);
    database->Fill();
    database->api.clock().Advance(kDurableTransitionMs);
  }
  ExpectSameAnswer("DescribeTable", kDurableName);
  ExpectSameAnswer("Scan", R"({"TableName":"app","IndexName":"by-b"})");
}

TEST_F(DurableState, ItemsExpireAfterTheStart) {
  first_.api.Ok("UpdateTimeToLive", R"({"TableName":"app",
    "TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})");
  const std::int64_t now_s = first_.api.clock().NowEpochMs() / 1000;
  Put(first_.api, 1, R"(,"ttl":{"N":")" + std::to_string(now_s + 10) + "\"}");
  Put(first_.api, 2, R"(,"ttl":{"N":")" + std::to_string(now_s + 1000) + "\"}");
  Put(first_.api, 3);
  Restart();
  ExpectSameAnswer("DescribeTimeToLive", kDurableName);
  for (TestDatabase* database : {&first_, &second_}) {
    database->api.clock().Advance(20'000);
    database->api.time_to_live().Sweep();
  }
  ExpectSameAnswer("Scan", kDurableName);
  second_.api.Answers("GetItem", "{" + Key(1) + "}", "{}");
}

TEST_F(DurableState, AnItemThatIsWrittenLaterExpiresToo) {
  first_.api.Ok("UpdateTimeToLive", R"({"TableName":"app",
    "TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})");
  Api& second = Restart();
  Put(second, 1,
      R"(,"ttl":{"N":")" + std::to_string(second.clock().NowEpochMs() / 1000 - 5) + "\"}");
  second.time_to_live().Sweep();
  second.Answers("GetItem", "{" + Key(1) + "}", "{}");
}

}  // namespace
}  // namespace hashrange
