// Measures seeds: files of 200,000 items of 500 bytes, in each format, into a new table; and the
// dump of such a table. Gives items per second of real time; the argument is the number of threads.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "control/files/dump.h"
#include "control/files/gzip.h"
#include "control/files/seed.h"
#include "engine/engine.h"
#include "engine/stream/stream_set.h"
#include "engine/ttl/time_to_live.h"

namespace hashrange {
namespace {

namespace fs = std::filesystem;

constexpr int kItems = 200'000;
constexpr int kItemsOfOneKey = 20;

std::string Definition(bool has_index) {
  const std::string attribute = R"({"AttributeName":"GSI1PK","AttributeType":"S"},)";
  const std::string index =
      R"(,"GlobalSecondaryIndexes":[{"IndexName":"GSI1","KeySchema":[)"
      R"({"AttributeName":"GSI1PK","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}])";
  return R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)" +
         (has_index ? attribute : std::string()) +
         R"({"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"}],)"
         R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)"
         R"({"AttributeName":"SK","KeyType":"RANGE"}])" +
         (has_index ? index : std::string()) + "}";
}

struct Database {
  SystemClock clock;
  StreamSet streams{clock, {}};
  Engine engine{clock};
  TimeToLive time_to_live{engine, 0};
  TransferParts parts{engine, streams, time_to_live};
};

// An item has about 500 bytes, in eight attributes.
std::string Numbered(std::string text, int number) { return text.append(std::to_string(number)); }

// The names and values of an item; all but the last are strings.
std::vector<std::pair<const char*, std::string>> Attributes(int item) {
  return {{"PK", Numbered("USER#", item / kItemsOfOneKey)},
          {"SK", Numbered("ORDER#", item)},
          {"GSI1PK", Numbered("PRODUCT#", item % 5000)},
          {"name", Numbered(std::string(100, 'a'), item)},
          {"street", Numbered(std::string(100, 'b'), item)},
          {"city", Numbered(std::string(100, 'c'), item)},
          {"note", Numbered(std::string(100, 'd'), item)},
          {"age", std::to_string(item % 1000)}};
}

void AppendJson(int item, bool plain, std::string& out) {
  char separator = '{';
  for (const auto& [name, value] : Attributes(item)) {
    const bool is_number = name == std::string_view("age");
    (out += separator).append("\"").append(name).append("\":");
    if (!plain) out.append(is_number ? "{\"N\":" : "{\"S\":");
    const char* const quote = plain && is_number ? "" : "\"";
    out.append(quote).append(value).append(quote);
    if (!plain) out += '}';
    separator = ',';
  }
  out.append("}\n");
}

// One of the cells is quoted.
void AppendCsv(int item, std::string& out) {
  for (const auto& [name, value] : Attributes(item)) {
    const char* const quote = name == std::string_view("city") ? "\"" : "";
    out.append(quote).append(value).append(quote).append(",");
  }
  out.back() = '\n';
}

// Returns the folder with a seed of that kind, which is created once.
fs::path Folder(const std::string& kind) {
  const fs::path folder =
      fs::temp_directory_path() / ("hashrange-seed-bench-" + std::to_string(getpid())) / kind;
  if (fs::exists(folder)) return folder;
  fs::create_directories(folder);
  std::ofstream(folder / "app.table.json") << Definition(kind == "index");
  std::string text = kind == "csv" ? "PK,SK,GSI1PK,name,street,city,note,age:N\n" : "";
  for (int item = 0; item < kItems; ++item) {
    if (kind == "csv") AppendCsv(item, text);
    if (kind != "csv") AppendJson(item, kind == "plain", text);
  }
  if (kind == "gzip") {
    OutputBuffer out;
    GzipCompressor compressor;
    compressor.Add(text, out);
    compressor.Finish(out);
    text = out.view();
  }
  const std::string name = kind == "csv" ? "app.csv" : kind == "gzip" ? "app.json.gz" : "app.json";
  std::ofstream(folder / name, std::ios::binary) << text;
  return folder;
}

void LoadSeed(benchmark::State& state, const std::string& kind) {
  const SeedRequest request{.path = Folder(kind), .threads = static_cast<int>(state.range(0))};
  for (auto _ : state) {
    state.PauseTiming();
    auto database = std::make_unique<Database>();
    state.ResumeTiming();
    const auto loaded = Seed(database->parts, request);
    if (!loaded.ok()) return state.SkipWithError(loaded.error().message.c_str());
    state.PauseTiming();
    database.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kItems);
}

void WriteDump(benchmark::State& state, bool compresses) {
  Database database;
  if (!Seed(database.parts, {.path = Folder("dynamodb")}).ok()) state.SkipWithError("not loaded");
  const fs::path folder = Folder("dynamodb").parent_path() / "dump";
  for (auto _ : state) {
    if (!Dump(database.parts, {.compresses = compresses}, folder).ok()) {
      state.SkipWithError("not dumped");
    }
  }
  state.SetItemsProcessed(state.iterations() * kItems);
}

#define HR_SEED_BENCHMARK(kind)            \
  BENCHMARK_CAPTURE(LoadSeed, kind, #kind) \
      ->Arg(1)                             \
      ->Arg(2)                             \
      ->UseRealTime()                      \
      ->Unit(benchmark::kMillisecond)
HR_SEED_BENCHMARK(dynamodb);
HR_SEED_BENCHMARK(gzip);
HR_SEED_BENCHMARK(plain);
HR_SEED_BENCHMARK(csv);
HR_SEED_BENCHMARK(index);
BENCHMARK_CAPTURE(WriteDump, plain, false)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(WriteDump, gzip, true)->UseRealTime()->Unit(benchmark::kMillisecond);

// The files are deleted when the program ends.
struct Cleaner {
  ~Cleaner() {
    std::error_code not_there;
    fs::remove_all(fs::temp_directory_path() / ("hashrange-seed-bench-" + std::to_string(getpid())),
                   not_there);
  }
} cleaner;

}  // namespace
}  // namespace hashrange
