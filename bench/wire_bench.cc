// Measures turning the bytes of a request into values, and values into the bytes of an answer.
#include <benchmark/benchmark.h>

#include <string>

#include "value/item.h"
#include "wire/attribute_json.h"
#include "wire/binder.h"
#include "wire/json.h"

namespace hashrange {
namespace {

constexpr std::string_view kGetItem =
    R"({"TableName":"Music","Key":{"pk":{"S":"ARTIST#4711"},"sk":{"S":"SONG#0042"}},)"
    R"("ConsistentRead":true})";

// Ten attributes of several types, about 500 bytes as DynamoDB counts them.
std::string Item500() {
  std::string json = R"({"pk":{"S":"ARTIST#4711"},"sk":{"S":"SONG#0042"},)";
  for (const char* name : {"title", "album", "label", "genre"}) {
    json += std::string("\"") + name + R"(":{"S":")" + std::string(95, 'x') + "\"},";
  }
  return json + R"("year":{"N":"1987"},"price":{"N":"12.99"},"live":{"BOOL":false},)"
                R"("tags":{"SS":["a","b","c"]}})";
}

// Parsing overwrites the text, so each iteration starts from a fresh copy.
struct Body {
  explicit Body(std::string_view json) : original(json), text(json) {}
  std::span<char> Fresh() {
    text.assign(original);
    return {text.data(), text.size()};
  }
  std::string original;
  std::string text;
};

void CopyOnly(benchmark::State& state) {
  Body body(kGetItem);
  for (auto _ : state) benchmark::DoNotOptimize(body.Fresh().data());
}
BENCHMARK(CopyOnly);

void ParseGetItem(benchmark::State& state) {
  Body body(kGetItem);
  Arena arena;
  for (auto _ : state) {
    arena.Reset();
    benchmark::DoNotOptimize(ParseJson(body.Fresh(), arena).ok());
  }
}
BENCHMARK(ParseGetItem);

void BindGetItem(benchmark::State& state) {
  Body body(kGetItem);
  Arena arena;
  const auto parsed = ParseJson(body.Fresh(), arena);
  const OperationShape& shape = *FindOperationShape("GetItem");
  for (auto _ : state) benchmark::DoNotOptimize(BindRequest(shape, **parsed).ok());
}
BENCHMARK(BindGetItem);

void ParseAndBindGetItem(benchmark::State& state) {
  Body body(kGetItem);
  Arena arena;
  const OperationShape& shape = *FindOperationShape("GetItem");
  for (auto _ : state) {
    arena.Reset();
    const auto parsed = ParseJson(body.Fresh(), arena);
    benchmark::DoNotOptimize(BindRequest(shape, **parsed).ok());
  }
}
BENCHMARK(ParseAndBindGetItem);

void ParseItem500(benchmark::State& state) {
  Body body(Item500());
  Arena arena;
  for (auto _ : state) {
    arena.Reset();
    benchmark::DoNotOptimize(ParseJson(body.Fresh(), arena).ok());
  }
}
BENCHMARK(ParseItem500);

void ReadItem500(benchmark::State& state) {
  Body body(Item500());
  Arena json_arena;
  const auto json = ParseJson(body.Fresh(), json_arena);
  Arena arena;
  for (auto _ : state) {
    arena.Reset();
    benchmark::DoNotOptimize(ReadAttributes(**json, ValidationLayer::kEnveloped, arena).ok());
  }
}
BENCHMARK(ReadItem500);

void WriteItem500(benchmark::State& state) {
  Body body(Item500());
  Arena arena;
  const auto json = ParseJson(body.Fresh(), arena);
  const auto attributes = ReadAttributes(**json, ValidationLayer::kEnveloped, arena);
  const KeySchema schema{{{"pk", AttributeType::kS}}, {{"sk", AttributeType::kS}}};
  const ItemRef item = Item::Make(schema, *attributes);
  OutputBuffer out;
  for (auto _ : state) {
    out.Clear();
    JsonWriter writer(out);
    WriteItem(ItemView(schema, item.get()), writer);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(WriteItem500);

}  // namespace
}  // namespace hashrange
