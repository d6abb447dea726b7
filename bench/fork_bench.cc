// Measures reset, fork and restore in process, JSON in and JSON out, by the number of items. An
// item has 500 bytes and is in one global index. `median_us` and `max_us` are of the times of all
// calls.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "hashrange/database.h"

namespace hashrange {
namespace {

constexpr Credential kOrigin{"111111111111"};
constexpr Credential kFork{"222222222222"};
constexpr char kForkJson[] = R"({"from":"111111111111","to":"222222222222"})";
constexpr char kCreateTable[] =
    R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
    R"({"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},)"
    R"({"AttributeName":"G","AttributeType":"S"}],)"
    R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)"
    R"({"AttributeName":"SK","KeyType":"RANGE"}],)"
    R"("GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"ALL"},)"
    R"("KeySchema":[{"AttributeName":"G","KeyType":"HASH"}]}]})";
constexpr std::size_t kTextBytes = 400;

// A PutItem of one customer, with JSON that is built once.
class PutRequest {
 public:
  explicit PutRequest(char version)
      : json_(R"({"TableName":"app","Item":{"PK":{"S":"CUSTOMER#0000000"},"SK":{"S":"PROFILE"},)"
              R"("G":{"S":"EMAIL#0000000@example.com"},"logins":{"N":"1987"},"text":{"S":")" +
              std::string(kTextBytes, version) + "\"}}}"),
        key_(json_.find("0000000")),
        index_key_(json_.find("0000000", key_ + 1)) {}

  std::string_view For(std::uint32_t customer) {
    constexpr int kDigits = 7;
    char digits[kDigits + 1];
    std::snprintf(digits, sizeof digits, "%07u", customer % 10'000'000);
    json_.replace(key_, kDigits, digits, kDigits);
    json_.replace(index_key_, kDigits, digits, kDigits);
    return json_;
  }

 private:
  std::string json_;
  const std::size_t key_;
  const std::size_t index_key_;
};

void Fill(std::uint32_t items, std::unique_ptr<Database>* database) {
  *database = std::make_unique<Database>();
  (*database)->Call("CreateTable", kCreateTable, kOrigin);
  PutRequest put('x');
  std::string body;
  for (std::uint32_t i = 0; i < items; ++i) (*database)->Call("PutItem", put.For(i), body, kOrigin);
}

// Returns a database with that many items in the account kOrigin, and a snapshot of them.
Database& Filled(std::uint32_t items) {
  static std::map<std::uint32_t, std::unique_ptr<Database>> databases;
  std::unique_ptr<Database>& database = databases[items];
  if (database) return *database;
  Fill(items, &database);
  database->Control("POST", "snapshots", R"({"name":"filled","account":"111111111111"})");
  return *database;
}

using SteadyClock = std::chrono::steady_clock;

double MicrosecondsSince(SteadyClock::time_point begin) {
  return std::chrono::duration<double, std::micro>(SteadyClock::now() - begin).count();
}

double Median(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// Measures `call`, each time after `prepare`, which is not measured.
template <typename Prepare, typename Call>
void Measure(benchmark::State& state, Prepare prepare, Call call) {
  std::vector<double> all_us;
  for (auto _ : state) {
    prepare();
    const auto begin = SteadyClock::now();
    if (!call()) return state.SkipWithError("refused");
    all_us.push_back(MicrosecondsSince(begin));
    state.SetIterationTime(all_us.back() / 1e6);
  }
  state.counters["median_us"] = Median(all_us);
  state.counters["max_us"] = *std::ranges::max_element(all_us);
}

void Fork(benchmark::State& state) {
  Database& database = Filled(static_cast<std::uint32_t>(state.range(0)));
  Measure(
      state, [] {}, [&] { return database.Control("POST", "fork", kForkJson).ok(); });
}

void Reset(benchmark::State& state) {
  Database& database = Filled(static_cast<std::uint32_t>(state.range(0)));
  Measure(
      state, [&] { database.Control("POST", "fork", kForkJson); },
      [&] { return database.Control("POST", "reset", R"({"account":"222222222222"})").ok(); });
}

void Restore(benchmark::State& state) {
  Database& database = Filled(static_cast<std::uint32_t>(state.range(0)));
  Measure(
      state, [] {}, [&] { return database.Control("POST", "snapshots/filled/restore").ok(); });
}

// Waits about as long as a client takes to send its next request. Meanwhile the previous fork is
// freed.
void Pause() {
  constexpr double kPauseUs = 300;
  for (const auto begin = SteadyClock::now(); MicrosecondsSince(begin) < kPauseUs;) {
  }
}

// Sends PutItems of random customers, one at a time.
class Writer {
 public:
  Writer(Database& database, std::uint32_t items) : database_(database), items_(items) {}

  double TimeWriteUs(const Credential& account) {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    const std::string_view json =
        put_.For(static_cast<std::uint32_t>((random_ >> 32) * items_ >> 32));
    Pause();
    const auto begin = SteadyClock::now();
    database_.Call("PutItem", json, body_, account);
    return MicrosecondsSince(begin);
  }

 private:
  Database& database_;
  const std::uint32_t items_;
  PutRequest put_{'y'};
  std::string body_;
  std::uint64_t random_ = 88172645463325252;
};

// Returns a database in which the account kOrigin shares its items with no other account.
Database& Unshared(std::uint32_t items) {
  static std::map<std::uint32_t, std::unique_ptr<Database>> databases;
  std::unique_ptr<Database>& database = databases[items];
  if (!database) Fill(items, &database);
  return *database;
}

// Compares the medians of writes to a fork and of writes to a table that shares nothing. A fork is
// made before every `writes_to_each` writes. With 1, every write is the first one to its fork, and
// copies the whole path to its item; with many, most writes copy only their leaf.
void WritesToAFork(benchmark::State& state) {
  const auto items = static_cast<std::uint32_t>(state.range(0));
  const auto writes_to_each = static_cast<std::size_t>(state.range(1));
  Database& database = Filled(items);
  Writer forked(database, items), ordinary(Unshared(items), items);
  std::vector<double> forked_us, ordinary_us;
  for (auto _ : state) {
    if (forked_us.size() % writes_to_each == 0) database.Control("POST", "fork", kForkJson);
    forked_us.push_back(forked.TimeWriteUs(kFork));
    ordinary_us.push_back(ordinary.TimeWriteUs(kOrigin));
    state.SetIterationTime(forked_us.back() / 1e6);
  }
  const double forked_median = Median(forked_us), ordinary_median = Median(ordinary_us);
  state.counters["forked_us"] = forked_median;
  state.counters["ordinary_us"] = ordinary_median;
  state.counters["ratio"] = forked_median / ordinary_median;
}

// Sixteen threads make sixteen accounts forks of one account. Measures the time of each call.
void SixteenForks(benchmark::State& state) {
  Database& database = Filled(static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) {
    std::vector<std::thread> threads;
    const auto begin = SteadyClock::now();
    for (int i = 0; i < 16; ++i) {
      threads.emplace_back([&database, i] {
        database.Control(
            "POST", "fork",
            R"({"from":"111111111111","to":"9000000000)" + std::to_string(10 + i) + "\"}");
      });
    }
    for (std::thread& thread : threads) thread.join();
    state.SetIterationTime(MicrosecondsSince(begin) / 1e6);
  }
}

void Sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1'000)->Arg(100'000)->Arg(1'000'000)->UseManualTime();
  benchmark->Unit(benchmark::kMicrosecond)->Iterations(300);
}
BENCHMARK(Fork)->Apply(Sizes);
BENCHMARK(Reset)->Apply(Sizes);
BENCHMARK(Restore)->Apply(Sizes);
BENCHMARK(SixteenForks)->Apply(Sizes);
BENCHMARK(WritesToAFork)
    ->ArgsProduct({{1'000, 100'000, 1'000'000}, {1, 100}})
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(2000);

}  // namespace
}  // namespace hashrange
