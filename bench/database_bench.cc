// Measures the in-process API: GetItem of an item of 500 bytes, JSON in and JSON out, with random
// keys. The figures to use are the medians of the repetitions.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "hashrange/database.h"

namespace hashrange {
namespace {

constexpr char kCreateTable[] =
    R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
    R"({"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"}],)"
    R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)"
    R"({"AttributeName":"SK","KeyType":"RANGE"}]})";
constexpr char kKey[] = R"("PK":{"S":"CUSTOMER#0000000"},"SK":{"S":"PROFILE"})";
// Together with the key, the item has about 500 bytes as DynamoDB counts them.
constexpr char kAttributes[] =
    R"(,"name":{"S":"%"},"street":{"S":"%"},"city":{"S":"%"},"country":{"S":"%"},)"
    R"("logins":{"N":"1987"},"balance":{"N":"12.99"},"active":{"BOOL":true},)"
    R"("roles":{"SS":["admin","editor","reader"]}})";
constexpr std::size_t kTextBytes = 101;

// A request about one customer at a time.
class Request {
 public:
  explicit Request(std::string json) : json_(std::move(json)), digits_(json_.find("0000000")) {}

  std::string_view For(std::uint32_t customer) {
    constexpr std::size_t kDigits = 7;
    for (std::size_t i = kDigits; i-- > 0; customer /= 10) {
      json_[digits_ + i] = static_cast<char>('0' + customer % 10);
    }
    return json_;
  }

 private:
  std::string json_;
  std::size_t digits_;
};

constexpr std::uint64_t kSeed = 88172645463325252;

// xorshift: gives numbers below `limit`, so cheaply that it does not change the figures.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint32_t Below(std::uint32_t limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::uint32_t>((state_ >> 32) * limit >> 32);
  }

 private:
  std::uint64_t state_;
};

// Returns a database with that many items. It is filled once, for all benchmarks and repetitions.
Database& Filled(std::uint32_t items) {
  static std::map<std::uint32_t, std::unique_ptr<Database>> databases;
  std::unique_ptr<Database>& database = databases[items];
  if (database) return *database;
  database = std::make_unique<Database>();
  database->Call("CreateTable", kCreateTable);
  std::string json = std::string(R"({"TableName":"app","Item":{)") + kKey;
  for (const char c : std::string_view(kAttributes)) {
    c == '%' ? json.append(kTextBytes, 'x') : json.append(1, c);
  }
  Request put(json + "}");
  std::string body;
  for (std::uint32_t i = 0; i < items; ++i) database->Call("PutItem", put.For(i), body);
  return *database;
}

// A client's thread: its random keys, its request, its answer.
class Reader {
 public:
  Reader(Database& database, std::uint32_t items, std::uint64_t seed)
      : database_(database), items_(items), random_(seed) {}

  // Returns whether the item was found.
  bool Get() {
    const int status = database_.Call("GetItem", get_.For(random_.Below(items_)), answer_);
    return status == 200 && answer_.size() > kTextBytes;
  }

 private:
  Database& database_;
  const std::uint32_t items_;
  Random random_;
  Request get_{std::string(R"({"TableName":"app","Key":{)") + kKey + "}}"};
  std::string answer_;
};

void GetItem(benchmark::State& state) {
  const auto items = static_cast<std::uint32_t>(state.range(0));
  Reader reader(Filled(items), items, kSeed);
  for (auto _ : state) {
    if (!reader.Get()) return state.SkipWithError("not found");
  }
}
BENCHMARK(GetItem)->Arg(10'000)->Arg(1'000'000)->Repetitions(9)->ReportAggregatesOnly();

// The seconds that passed, and the processor seconds of the program's threads.
struct Cost {
  double wall = 0;
  double cpu = 0;
};

// Adds the cost of a number of calls by each of the threads.
void Measure(Database& database, std::uint32_t items, int thread_count, Cost* cost) {
  constexpr int kCalls = 25'000;
  const std::clock_t cpu_begin = std::clock();
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < thread_count; ++thread) {
    threads.emplace_back([&database, items, thread] {
      Reader reader(database, items, kSeed + static_cast<std::uint64_t>(thread));
      for (int call = 0; call < kCalls; ++call) reader.Get();
    });
  }
  for (std::thread& thread : threads) thread.join();
  cost->wall += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  cost->cpu += static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC;
}

// Measures calls in turn before and after `post` made a call of the control API, whose effect the
// call `end` ends. `ratio`: the time of a call afterwards divided by the time before.
void CompareGetItem(benchmark::State& state, const char* post, const char* body, const char* end) {
  const auto items = static_cast<std::uint32_t>(state.range(0));
  Database& database = Filled(items);
  Cost off, on;
  for (auto _ : state) {
    Measure(database, items, 1, &off);
    if (!database.Control("POST", post, body).ok()) return state.SkipWithError(post);
    Measure(database, items, 1, &on);
    if (!database.Control("DELETE", end, "").ok()) return state.SkipWithError(end);
  }
  state.counters["ratio"] = on.cpu / off.cpu;
}

void GetItemMeasured(benchmark::State& state) {
  CompareGetItem(state, "measurements", R"({"name":"all"})", "measurements/all");
}
BENCHMARK(GetItemMeasured)
    ->Arg(10'000)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(9)
    ->ReportAggregatesOnly();

// With a measurement of everything, without and with partitions that are watched.
void GetItemWatched(benchmark::State& state) {
  Database& database = Filled(static_cast<std::uint32_t>(state.range(0)));
  if (!database.Control("POST", "measurements", R"({"name":"all"})").ok()) {
    return state.SkipWithError("not measured");
  }
  CompareGetItem(state, "partitions", R"({"mode":"watch"})", "partitions");
  database.Control("DELETE", "measurements", "");
}
BENCHMARK(GetItemWatched)
    ->Arg(10'000)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(9)
    ->ReportAggregatesOnly();

// Measures one thread and two threads in turn. `rate`: items per second of two threads divided by
// those of one, if the machine has two free cores; `cpu`: processor time per item of two threads
// divided by that of one.
void GetItemOnTwoThreads(benchmark::State& state) {
  const auto items = static_cast<std::uint32_t>(state.range(0));
  Database& database = Filled(items);
  Cost one, two;
  for (auto _ : state) {
    Measure(database, items, 1, &one);
    Measure(database, items, 2, &two);
  }
  state.counters["rate"] = 2 * one.wall / two.wall;
  state.counters["cpu"] = two.cpu / one.cpu / 2;
}
BENCHMARK(GetItemOnTwoThreads)
    ->Arg(10'000)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(9)
    ->ReportAggregatesOnly();

}  // namespace
}  // namespace hashrange
