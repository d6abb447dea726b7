// Forks, snapshots, restores and resets during writes: every observed state existed at one instant,
// no client gets an error, and no write that began after a reset is lost. It also runs under
// ThreadSanitizer (.ci/run).
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "hashrange/database.h"

namespace hashrange {
namespace {

constexpr char kLive[] = "111111111111";
constexpr char kOther[] = "222222222222";
constexpr char kFork[] = "333333333333";

constexpr int kPartitions = 4;
constexpr int kItems = 32;  // in each table, by PK and SK
constexpr int kGroups = 3;  // the number of values of the global index's key
constexpr int kThreads = 3;

std::string TableJson(std::string_view name) {
  return std::string(R"({"TableName":")")
      .append(name)
      .append(R"(","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)")
      .append(R"({"AttributeName":"PK","AttributeType":"S"},)")
      .append(R"({"AttributeName":"SK","AttributeType":"S"},)")
      .append(R"({"AttributeName":"G","AttributeType":"S"},)")
      .append(R"({"AttributeName":"L","AttributeType":"N"}],)")
      .append(R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)")
      .append(R"({"AttributeName":"SK","KeyType":"RANGE"}],)")
      .append(R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},)")
      .append(R"("GlobalSecondaryIndexes":[{"IndexName":"byG","KeySchema":[)")
      .append(R"({"AttributeName":"G","KeyType":"HASH"}],)")
      .append(R"("Projection":{"ProjectionType":"ALL"}}],)")
      .append(R"("LocalSecondaryIndexes":[{"IndexName":"byL","KeySchema":[)")
      .append(R"({"AttributeName":"PK","KeyType":"HASH"},)")
      .append(R"({"AttributeName":"L","KeyType":"RANGE"}],)")
      .append(R"("Projection":{"ProjectionType":"ALL"}}]})");
}

std::string KeyJson(int item) {
  return R"({"PK":{"S":"p)" + std::to_string(item % kPartitions) + R"("},"SK":{"S":"s)" +
         std::to_string(item) + "\"}}";
}

struct Sum {
  int count = 0;
  long long total = 0;
  bool operator==(const Sum&) const = default;
};

// Returns the number of attributes n in a body, and their sum.
Sum SumOf(std::string_view body) {
  constexpr std::string_view kMember = R"("n":{"N":")";
  Sum sum;
  for (std::size_t at = body.find(kMember); at != std::string_view::npos;
       at = body.find(kMember, at + 1)) {
    ++sum.count;
    sum.total += std::atoll(body.data() + at + kMember.size());
  }
  return sum;
}

// A client of one account with its own random numbers. Every call has to succeed.
class Client {
 public:
  Client(Database& database, std::string_view account, unsigned seed)
      : database_(database), account_(account), state_(seed * 2654435761u + 1) {}

  std::string Call(std::string_view operation, const std::string& json) {
    const Answer answer = database_.Call(operation, json, {account_, "us-east-1"});
    EXPECT_EQ(answer.status, 200) << operation << " " << json << "\n" << answer.body;
    return answer.body;
  }

  int Below(int limit) {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<int>((state_ >> 8) % static_cast<unsigned>(limit));
  }

  // Creates two tables, in which each pair of items has that sum.
  void MakeTables(int pair_sum) {
    for (const char* table : {"one", "two"}) {
      Call("CreateTable", TableJson(table));
      for (int item = 0; item < kItems; ++item) {
        std::string json = KeyJson(item);
        json.pop_back();
        Call("PutItem", std::string(R"({"TableName":")") + table + R"(","Item":)" + json +
                            R"(,"n":{"N":")" + std::to_string(pair_sum / 2) +
                            R"("},"G":{"S":"g0"},"L":{"N":"0"}}})");
      }
    }
  }
  // Moves an amount from an item of one table to the same item of the other, in one transaction.
  void Transfer() {
    const int item = Below(kItems);
    const int amount = Below(20) - 10;
    Call("TransactWriteItems", R"({"TransactItems":[)" + Update("one", item, amount) + "," +
                                   Update("two", item, -amount) + "]}");
  }
  // Returns the sum of a pair, read in one transaction.
  Sum PairSum() {
    const std::string key = KeyJson(Below(kItems));
    return SumOf(Call("TransactGetItems", R"({"TransactItems":[{"Get":{"TableName":"one","Key":)" +
                                              key + R"(}},{"Get":{"TableName":"two","Key":)" + key +
                                              "}}]}"));
  }
  // Returns the sum over the table, after checking that its indexes give the same sum. No other
  // thread writes to the table meanwhile.
  Sum TableSum(const std::string& table) {
    const Sum items = SumOf(Call("Scan", R"({"TableName":")" + table + "\"}"));
    Sum by_group, by_level;
    for (int i = 0; i < kGroups; ++i) Add(Query(table, "byG", "G", "g", i), &by_group);
    for (int i = 0; i < kPartitions; ++i) Add(Query(table, "byL", "PK", "p", i), &by_level);
    EXPECT_EQ(by_group.total, items.total);
    EXPECT_EQ(by_group.count, items.count);
    EXPECT_EQ(by_level.total, items.total);
    EXPECT_EQ(by_level.count, items.count);
    return items;
  }

 private:
  static void Add(const Sum& more, Sum* sum) {
    sum->count += more.count;
    sum->total += more.total;
  }
  std::string Update(const char* table, int item, int amount) {
    return std::string(R"({"Update":{"TableName":")") + table + R"(","Key":)" + KeyJson(item) +
           R"(,"UpdateExpression":"ADD n :n SET G = :g, L = :l","ExpressionAttributeValues":{)" +
           R"(":n":{"N":")" + std::to_string(amount) + R"("},":g":{"S":"g)" +
           std::to_string(Below(kGroups)) + R"("},":l":{"N":")" + std::to_string(Below(9)) +
           "\"}}}}";
  }
  Sum Query(const std::string& table, const char* index, const char* key, const char* stem, int i) {
    return SumOf(Call("Query", R"({"TableName":")" + table + R"(","IndexName":")" + index +
                                   R"(","KeyConditionExpression":")" + key +
                                   R"( = :v","ExpressionAttributeValues":{":v":{"S":")" + stem +
                                   std::to_string(i) + "\"}}}"));
  }

  Database& database_;
  const std::string_view account_;
  unsigned state_;
};

// Threads that repeat an action until they are stopped.
class Crew {
 public:
  ~Crew() { Stop(); }
  template <typename Work>
  void Add(Work work) {
    threads_.emplace_back([this, work = std::move(work)]() mutable {
      while (!stop_) work();
    });
  }
  void Stop() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

void Control(Database& database, std::string_view path, std::string_view json = {}) {
  const Answer answer = database.Control("POST", path, json);
  ASSERT_EQ(answer.status, 200) << path << " " << json << "\n" << answer.body;
}

TEST(StateThreads, ForksAndSnapshotsAreOfOneInstant) {
  Database database;
  constexpr int kPair = 200;
  Client(database, kLive, 1).MakeTables(kPair);
  Crew crew;
  for (unsigned i = 0; i < kThreads; ++i) {
    crew.Add([client = Client(database, kLive, i + 2)]() mutable { client.Transfer(); });
  }
  crew.Add([client = Client(database, kLive, 9)]() mutable {
    EXPECT_EQ(client.PairSum(), (Sum{2, kPair}));
  });
  const auto check = [](Client client) {
    const Sum one = client.TableSum("one"), two = client.TableSum("two");
    EXPECT_EQ(one.count, kItems);
    EXPECT_EQ(two.count, kItems);
    EXPECT_EQ(one.total + two.total, kItems * kPair);
  };
  for (int round = 0; round < 20; ++round) {
    Control(database, "fork", R"({"from":"111111111111","to":"333333333333"})");
    const Client fork(database, kFork, 5);
    check(fork);
    // The fork and its origin are written at the same time.
    Client writer(database, kFork, static_cast<unsigned>(round));
    for (int i = 0; i < 5; ++i) writer.Transfer();
    check(fork);
    Control(database, "snapshots", R"({"name":"s","account":"111111111111"})");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (round % 2 == 0) Control(database, "snapshots/s/restore");
    if (round % 3 == 0) Control(database, "reset", R"({"account":"333333333333"})");
  }
  crew.Stop();
  check(Client(database, kLive, 6));
}

// While an account becomes a fork of two other accounts by turns, a transaction reads the state of
// one of them, and a writing transaction is applied completely to one of them.
TEST(StateThreads, ATransactionSeesOneStateOfAllItsTables) {
  Database database;
  Client(database, kLive, 1).MakeTables(200);
  Client(database, kOther, 1).MakeTables(1000);
  Control(database, "fork", R"({"from":"111111111111","to":"333333333333"})");
  Crew crew;
  std::atomic<int> reads{0};
  for (unsigned i = 0; i < 2; ++i) {
    crew.Add([client = Client(database, kFork, i + 2), &reads]() mutable {
      const Sum pair = client.PairSum();
      EXPECT_EQ(pair.count, 2);
      EXPECT_TRUE(pair.total == 200 || pair.total == 1000) << pair.total;
      ++reads;
    });
    crew.Add([client = Client(database, kFork, i + 7)]() mutable { client.Transfer(); });
  }
  for (int round = 0; round < 200 || reads < 1000; ++round) {
    Control(database, "fork",
            round % 2 ? R"({"from":"111111111111","to":"333333333333"})"
                      : R"({"from":"222222222222","to":"333333333333"})");
  }
  crew.Stop();
}

// A write that was acknowledged before a reset began is gone after the reset, and a write that
// began after the reset's answer is kept.
TEST(StateThreads, AResetIsBeforeOrAfterEveryWrite) {
  Database database;
  Client(database, kLive, 1).Call("CreateTable", TableJson("one"));
  struct Write {
    int begun_after = 0;  // how many resets had answered when the write began
    int done_before = 0;  // how many resets had begun when the write was acknowledged
  };
  constexpr int kRounds = 100;
  std::atomic<int> begun{0}, answered{0};
  std::atomic<bool> has_late_write{false};  // one that began after the last reset had answered
  std::map<std::string, Write> writes[kThreads];
  Crew crew;
  for (int thread = 0; thread < kThreads; ++thread) {
    crew.Add([&, thread, client = Client(database, kLive, static_cast<unsigned>(thread)),
              number = 0]() mutable {
      const std::string key = "t" + std::to_string(thread) + "-" + std::to_string(number++);
      Write& write = writes[thread][key];
      write.begun_after = answered;
      client.Call("PutItem", R"({"TableName":"one","Item":{"PK":{"S":"p"},"SK":{"S":")" + key +
                                 R"("},"G":{"S":"g0"},"L":{"N":"1"},"n":{"N":"1"}}})");
      write.done_before = begun;
      if (write.begun_after == kRounds) has_late_write = true;
    });
  }
  for (int round = 0; round < kRounds; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++begun;
    Control(database, "reset", R"({"account":"111111111111","table":"one"})");
    ++answered;
  }
  while (!has_late_write) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  crew.Stop();
  const std::string items =
      Client(database, kLive, 1)
          .Call("Query",
                R"({"TableName":"one","ProjectionExpression":"SK","KeyConditionExpression":)"
                R"("PK = :p","ExpressionAttributeValues":{":p":{"S":"p"}}})");
  int there = 0, gone = 0;
  for (const auto& by_thread : writes) {
    for (const auto& [key, write] : by_thread) {
      const bool is_there = items.find("\"" + key + "\"") != std::string::npos;
      if (write.begun_after == answered) {
        EXPECT_TRUE(is_there) << key;
        ++there;
      }
      if (write.done_before < begun) {
        EXPECT_FALSE(is_there) << key;
        ++gone;
      }
    }
  }
  EXPECT_GT(there, 0);
  EXPECT_GT(gone, 0);
}

// The clock is moved, and items expire, during writes, forks and resets.
TEST(StateThreads, TheClockMayBeMovedMeanwhile) {
  Database database({.ttl_interval_ms = 1});
  Client(database, kLive, 1).Call("CreateTable", TableJson("one"));
  Client(database, kLive, 1)
      .Call(
          "UpdateTimeToLive",
          R"({"TableName":"one","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"n"}})");
  Crew crew;
  std::atomic<int> writes{0};
  for (unsigned i = 0; i < kThreads; ++i) {
    crew.Add([client = Client(database, kLive, i), &writes]() mutable {
      ++writes;
      std::string json = KeyJson(client.Below(kItems));
      json.pop_back();
      client.Call("PutItem", R"({"TableName":"one","Item":)" + json +
                                 R"(,"G":{"S":"g0"},"L":{"N":"1"},"n":{"N":")" +
                                 std::to_string(1769860800 + client.Below(100)) + "\"}}}");
    });
  }
  for (int round = 0; round < 30 || writes < 1000; ++round) {
    Control(database, "clock", R"({"frozen":"2026-01-31T12:00:00Z"})");
    Control(database, "clock", R"({"advance":"50s"})");
    Control(database, "fork", R"({"from":"111111111111","to":"333333333333"})");
    Control(database, "clock", R"({"frozen":"2026-01-31T12:00:00Z","advance":"200s"})");
    const Sum left = SumOf(Client(database, kFork, 1).Call("Scan", R"({"TableName":"one"})"));
    EXPECT_EQ(left, Sum());
    if (round % 3 == 0) Control(database, "reset", R"({"table":"one"})");
  }
  crew.Stop();
  Control(database, "clock", R"({"advance":"1d"})");
  EXPECT_EQ(Client(database, kLive, 1).TableSum("one"), Sum());
}

}  // namespace
}  // namespace hashrange
