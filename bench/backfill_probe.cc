// Measures the longest GetItem in process while an index is added to a table of a million items,
// and for as long before, without an index. Prints a line of JSON for each phase.
//
//   backfill_probe [--items 1000000] [--readers 1] [--interval-us 100]
//
// A reader sends one GetItem for a random item in each interval. With an interval of 0 there is no
// pause, so that as many readers as cores also wait for processors.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "hashrange/database.h"

namespace hashrange::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

struct Options {
  int items = 1'000'000;
  int readers = 1;
  std::chrono::microseconds interval{100};
};

double MillisecondsSince(SteadyClock::time_point start) {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count();
}

std::string KeyJson(int i) { return R"("PK":{"S":"CUSTOMER#)" + std::to_string(i) + R"("})"; }

void Fill(Database& database, int items) {
  database.Call("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]})");
  const std::string text(100, 'x');
  for (int i = 0; i < items; ++i) {
    database.Call("PutItem", R"({"TableName":"app","Item":{)" + KeyJson(i) + R"(,"city":{"S":"c)" +
                                 std::to_string(i % 5000) + R"("},"name":{"S":")" + text +
                                 R"("},"logins":{"N":")" + std::to_string(i) + R"("}}})");
  }
}

// Sends GetItems until `stop`. Returns the time of each in milliseconds.
std::vector<float> TimeGetItems(Database& database, const Options& options, std::uint64_t seed,
                                const std::atomic<bool>& stop) {
  std::vector<float> times_ms;
  times_ms.reserve(1 << 20);
  std::string body;
  auto wake = SteadyClock::now();
  while (!stop.load(std::memory_order_relaxed)) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const int i = static_cast<int>((seed >> 33) % static_cast<std::uint64_t>(options.items));
    const std::string get = R"({"TableName":"app","Key":{)" + KeyJson(i) + "}}";
    const auto start = SteadyClock::now();
    if (database.Call("GetItem", get, body) != 200) std::abort();
    times_ms.push_back(static_cast<float>(MillisecondsSince(start)));
    wake = std::max(wake + options.interval, start);
    if (options.interval.count() > 0) std::this_thread::sleep_until(wake);
  }
  return times_ms;
}

// Prints the times of the readers while `work` runs.
template <typename Work>
double Measure(Database& database, const Options& options, const char* name, const Work& work) {
  std::atomic<bool> stop{false};
  std::vector<std::vector<float>> times_ms(static_cast<std::size_t>(options.readers));
  std::vector<std::thread> readers;
  for (std::size_t r = 0; r < times_ms.size(); ++r) {
    readers.emplace_back([&, r] { times_ms[r] = TimeGetItems(database, options, r + 1, stop); });
  }
  const auto start = SteadyClock::now();
  work();
  const double elapsed_ms = MillisecondsSince(start);
  stop = true;
  for (std::thread& reader : readers) reader.join();
  std::vector<float> all;
  for (const auto& times : times_ms) all.insert(all.end(), times.begin(), times.end());
  std::sort(all.begin(), all.end());
  std::printf(
      "{\"%s\": {\"seconds\": %.2f, \"requests\": %zu, \"median_us\": %.1f, \"p999_ms\": %.3f, "
      "\"longest_ms\": %.3f}}\n",
      name, elapsed_ms / 1000, all.size(), static_cast<double>(all[all.size() / 2]) * 1000,
      static_cast<double>(all[all.size() * 999 / 1000]), static_cast<double>(all.back()));
  std::fflush(stdout);
  return elapsed_ms;
}

bool IsCreating(Database& database) {
  const Answer table = database.Call("DescribeTable", R"({"TableName":"app"})");
  return table.body.find("\"IndexStatus\":\"CREATING\"") != std::string::npos;
}

int Run(const Options& options) {
  Database database;
  Fill(database, options.items);
  const auto sleep = [](double ms) {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
  };
  double took_ms = 1000;
  for (int round = 1; round <= 3; ++round) {
    Measure(database, options, "without", [&] { sleep(took_ms); });
    const std::string name = "by-city-" + std::to_string(round);
    took_ms = Measure(database, options, "backfill", [&] {
      const auto start = SteadyClock::now();
      database.Call("UpdateTable", R"({"TableName":"app",
        "AttributeDefinitions":[{"AttributeName":"city","AttributeType":"S"}],
        "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":")" +
                                       name + R"(",
          "KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],
          "Projection":{"ProjectionType":"ALL"}}}]})");
      const double answered_ms = MillisecondsSince(start);
      while (IsCreating(database)) sleep(10);
      std::printf("{\"UpdateTable_ms\": %.2f}\n", answered_ms);
    });
    Measure(database, options, "deletion",
            [&] {
              database.Call("UpdateTable", R"({"TableName":"app","GlobalSecondaryIndexUpdates":[
        {"Delete":{"IndexName":")" + name + R"("}}]})");
              sleep(500);
            });
  }
  return 0;
}

}  // namespace
}  // namespace hashrange::bench

int main(int argc, char** argv) {
  hashrange::bench::Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const int value = std::atoi(argv[i + 1]);
    if (name == "--items") options.items = value;
    if (name == "--readers") options.readers = value;
    if (name == "--interval-us") options.interval = std::chrono::microseconds(value);
  }
  return hashrange::bench::Run(options);
}
