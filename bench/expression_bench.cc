// Measures binding an expression whose text the thread's cache already has, and evaluating it on an
// item of an order table.
#include <benchmark/benchmark.h>

#include <array>
#include <span>
#include <string_view>

#include "expression/expression.h"
#include "value/value_writer.h"

namespace hashrange {
namespace {

const KeySchema& Schema() {
  static const KeySchema schema{{{"PK", AttributeType::kS}}, {{"SK", AttributeType::kS}}};
  return schema;
}

// PK and SK, then the other attributes of an order.
ItemRef MakeOrder(Arena& arena) {
  std::array<Attribute, 6> attributes = {{
      {"PK", MakeString("CUSTOMER#1842")},
      {"SK", MakeString("ORDER#2026-10-05T10:00:00Z")},
      {"amount", MakeNumber(Number::FromInteger(12995), arena)},
      {"status", MakeString("SHIPPED")},
      {"type", MakeString("Order")},
      {"version", MakeNumber(Number::FromInteger(3), arena)},
  }};
  return Item::Make(Schema(), attributes);
}

// The names and values that the expressions below use; new for each binding, as in a request.
class Request {
 public:
  explicit Request(Arena& arena)
      : names_{{{"#s", "status"}}},
        values_{{{":one", MakeNumber(Number::FromInteger(1), arena)},
                 {":prefix", MakeString("ORDER#2026")},
                 {":status", MakeString("SHIPPED")},
                 {":three", MakeNumber(Number::FromInteger(3), arena)},
                 {":partition", MakeString("CUSTOMER#1842")}}},
        placeholders_(names_, values_) {}

  Placeholders& placeholders() { return placeholders_; }

 private:
  std::array<Placeholders::NameEntry, 1> names_;
  std::array<Placeholders::ValueEntry, 5> values_;
  Placeholders placeholders_;
};

constexpr std::string_view kCondition =
    "attribute_exists(PK) AND #s = :status AND version < :three OR begins_with(SK, :prefix)";
constexpr std::string_view kUpdate =
    "SET #s = :status, version = version + :one, visits = if_not_exists(visits, :one)";

void BindConditionText(benchmark::State& state) {
  Arena arena;
  for (auto _ : state) {
    Request request(arena);
    auto condition =
        BindCondition(ExpressionKind::kCondition, kCondition, request.placeholders(), arena);
    if (!condition.ok()) return state.SkipWithError(condition.error().message.c_str());
    benchmark::DoNotOptimize(*condition);
    arena.Reset();
  }
}
BENCHMARK(BindConditionText);

void EvaluateCondition(benchmark::State& state) {
  Arena arena;
  const ItemRef order = MakeOrder(arena);
  const ItemView view(Schema(), order.get());
  Request request(arena);
  auto condition =
      BindCondition(ExpressionKind::kCondition, kCondition, request.placeholders(), arena);
  if (!condition.ok()) return state.SkipWithError(condition.error().message.c_str());
  for (auto _ : state) benchmark::DoNotOptimize(condition->Matches(view));
}
BENCHMARK(EvaluateCondition);

void BindKeyConditionText(benchmark::State& state) {
  Arena arena;
  for (auto _ : state) {
    Request request(arena);
    Status structure;
    auto clauses = BindKeyCondition("PK = :partition AND begins_with(SK, :prefix)",
                                    request.placeholders(), arena, &structure);
    if (!clauses.ok()) return state.SkipWithError(clauses.error().message.c_str());
    benchmark::DoNotOptimize(*clauses);
    arena.Reset();
  }
}
BENCHMARK(BindKeyConditionText);

// The part of an UpdateItem in src/expression: bind, apply, and build the item after.
void BindAndApplyUpdate(benchmark::State& state) {
  Arena items;
  Arena arena;
  const ItemRef order = MakeOrder(items);
  const ItemView before(Schema(), order.get());
  for (auto _ : state) {
    Request request(arena);
    auto update = BindUpdate(kUpdate, request.placeholders(), arena);
    if (!update.ok()) return state.SkipWithError(update.error().message.c_str());
    auto after = update->Apply(before, {}, arena);
    if (!after.ok()) return state.SkipWithError(after.error().message.c_str());
    benchmark::DoNotOptimize(Item::Make(Schema(), *after));
    arena.Reset();
  }
}
BENCHMARK(BindAndApplyUpdate);

void Project(benchmark::State& state) {
  Arena items;
  Arena arena;
  const ItemRef order = MakeOrder(items);
  const ItemView view(Schema(), order.get());
  for (auto _ : state) {
    Request request(arena);
    auto projection = BindProjection("SK, amount, #s", request.placeholders(), arena);
    if (!projection.ok()) return state.SkipWithError(projection.error().message.c_str());
    benchmark::DoNotOptimize(projection->Apply(view, arena));
    arena.Reset();
  }
}
BENCHMARK(Project);

}  // namespace
}  // namespace hashrange
