// Measures a consumer of a stream through the dispatcher: it polls a million records to the end,
// while they are written and afterwards, and checks that it gets each record once and the records
// of a key in order.
#include <benchmark/benchmark.h>

#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/stream/stream_set.h"
#include "operation/dispatch.h"

namespace hashrange {
namespace {

constexpr int kKeys = 1000;
constexpr int kVersions = 1000;
constexpr int kWriters = 2;

constexpr char kCreateTable[] =
    R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",)"
    R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
    R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})";

// Returns the text after `begin` in `*json`, up to the next quote, and removes it with all before
// it from `*json`.
std::string_view Next(std::string_view begin, std::string_view* json) {
  const std::size_t at = json->find(begin);
  if (at == std::string_view::npos) return {};
  json->remove_prefix(at + begin.size());
  return json->substr(0, json->find('"'));
}

int NumberIn(std::string_view digits) {
  int number = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

class StreamedTable {
 public:
  StreamedTable() {
    engine_.AddObserver(streams_);
    Call("CreateTable", kCreateTable);
    const std::string table = Call("DescribeTable", R"({"TableName":"app"})");
    std::string_view rest = table;
    const std::string arn(Next(R"("LatestStreamArn":")", &rest));
    const std::string stream = Call("DescribeStream", R"({"StreamArn":")" + arn + "\"}");
    rest = stream;
    const std::string shard(Next(R"("ShardId":")", &rest));
    const std::string answer =
        Call("GetShardIterator", R"({"StreamArn":")" + arn + R"(","ShardId":")" + shard +
                                     R"(","ShardIteratorType":"TRIM_HORIZON"})");
    rest = answer;
    horizon_ = Next(R"("ShardIterator":")", &rest);
  }

  std::string Call(std::string_view operation, std::string_view json) {
    thread_local OutputBuffer answer;
    answer.Clear();
    dispatcher_.Call({operation, json, {"000000000000", "us-east-1"}}, answer);
    return std::string(answer.view());
  }

  // Writes every version of every `kWriters`-th key.
  void Write(int writer) {
    for (int version = 1; version <= kVersions; ++version) {
      for (int key = writer; key < kKeys; key += kWriters) {
        Call("PutItem", R"({"TableName":"app","Item":{"pk":{"S":")" + std::to_string(key) +
                            R"("},"n":{"N":")" + std::to_string(version) + "\"}}}");
      }
    }
  }

  const std::string& horizon() const { return horizon_; }

 private:
  SystemClock clock_;
  StreamSet streams_{clock_, {.buffer_bytes = 1LL << 30}};
  Engine engine_{clock_};
  Dispatcher dispatcher_{engine_, streams_, {}};
  std::string horizon_;
};

class Consumer {
 public:
  explicit Consumer(StreamedTable& table) : table_(table), iterator_(table.horizon()) {}

  int seen() const { return seen_; }

  // Reads the next page. Returns whether its records are the expected next ones.
  bool Poll() {
    const std::string answer =
        table_.Call("GetRecords", R"({"ShardIterator":")" + iterator_ + "\"}");
    std::string_view rest = answer;
    for (;;) {
      const std::string_view key = Next(R"("NewImage":{"pk":{"S":")", &rest);
      if (key.empty()) break;
      const std::string_view version = Next(R"("n":{"N":")", &rest);
      if (NumberIn(version) != ++versions_[static_cast<std::size_t>(NumberIn(key))]) return false;
      ++seen_;
    }
    rest = answer;
    iterator_ = Next(R"("NextShardIterator":")", &rest);
    return !iterator_.empty();
  }

 private:
  StreamedTable& table_;
  std::string iterator_;
  std::vector<int> versions_ = std::vector<int>(kKeys);
  int seen_ = 0;
};

bool PollAll(Consumer& consumer) {
  while (consumer.seen() < kKeys * kVersions) {
    if (!consumer.Poll()) return false;
  }
  return consumer.Poll() && consumer.seen() == kKeys * kVersions;
}

void PollWhileWritten(benchmark::State& state) {
  for (auto _ : state) {
    StreamedTable table;
    std::vector<std::thread> writers;
    for (int i = 0; i < kWriters; ++i) writers.emplace_back([&table, i] { table.Write(i); });
    Consumer consumer(table);
    if (!PollAll(consumer)) state.SkipWithError("a record is missing, doubled or out of order");
    for (std::thread& writer : writers) writer.join();
  }
  state.SetItemsProcessed(state.iterations() * kKeys * kVersions);
}
BENCHMARK(PollWhileWritten)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);

void PollAfterwards(benchmark::State& state) {
  StreamedTable table;
  for (int i = 0; i < kWriters; ++i) table.Write(i);
  for (auto _ : state) {
    Consumer consumer(table);
    if (!PollAll(consumer)) state.SkipWithError("a record is missing, doubled or out of order");
  }
  state.SetItemsProcessed(state.iterations() * kKeys * kVersions);
}
BENCHMARK(PollAfterwards)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);

}  // namespace
}  // namespace hashrange
