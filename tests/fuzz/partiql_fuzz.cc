// Any text as a PartiQL statement: it is refused, or bound, planned and evaluated. The first byte
// chooses the types of the parameters.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "expression/expression_fixture.h"
#include "expression/partiql/bound_statement.h"
#include "expression/partiql/key_plan.h"

using namespace hashrange;           // NOLINT
using namespace hashrange::testing;  // NOLINT

namespace {

const TestItem kItem({{"a", N("1")},
                      {"b", S("b")},
                      {"l", L({N("1"), M({{"a", S("x")}}), SS({"x", "y"})})},
                      {"m", M({{"a", N("2")}, {"l", L({S("z")})}, {"s", NS({"1", "2"})}})},
                      {"pk", S("k")},
                      {"s", SS({"x", "y"})},
                      {"sk", N("7")}});
const KeySchema kSchemas[] = {{{{"pk", AttributeType::kS}}, {}},
                              {{{"pk", AttributeType::kS}}, {{"sk", AttributeType::kN}}}};

std::vector<ValueView> Parameters(std::size_t count, std::uint8_t choice) {
  const ValueView kinds[] = {S("k"),    N("7"), SS({"x"}), L({N("3")}), M({{"a", S("x")}}),
                             Bool(true)};
  std::vector<ValueView> parameters;
  for (std::size_t i = 0; i < count; ++i) parameters.push_back(kinds[(choice + i) % 6]);
  return parameters;
}

void Evaluate(const partiql::BoundStatement& bound, Arena& arena) {
  const Condition where = LinkCondition(bound.statement->where, bound.operands, arena);
  (void)where.Matches(kItem.view());
  (void)where.Matches(NoItem());
  for (const Path& column : bound.columns) (void)Resolve(column, kItem.view());
  if (bound.statement->kind == partiql::StatementKind::kUpdate) {
    bound.update.StatementCharge(kItem.view());
    (void)bound.update.Apply(kItem.view(), {}, arena);
    (void)bound.update.Apply(NoItem(), {}, arena);
    bound.update.Targets(arena).Apply(kItem.view(), arena);
  }
}

void Plan(const partiql::BoundStatement& bound, const KeySchema& key, Arena& arena) {
  if (bound.statement->kind == partiql::StatementKind::kInsert) return;
  const auto plan = PlanRead(bound, key, arena);
  if (plan.ok()) {
    (void)plan->IsKeyOnly(key);
    (void)plan->IsOneItem(key);
    for (const partiql::KeyBranch& branch : plan->branches) {
      for (const std::uint16_t node : branch.filters) AttributesOf(bound, node, arena);
    }
  }
  const partiql::KeyMatch match = MatchKey(bound, key, arena);
  (void)LinkCondition(bound.statement->where, match.rest, arena).Matches(kItem.view());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto statement = partiql::CachedStatement(text);
  if (!statement->error.empty()) return 0;
  Arena arena;
  const auto parameters = Parameters(statement->parameter_count, data[0]);
  const auto bound = BindStatement(statement, parameters, arena);
  if (!bound.ok()) return 0;
  Evaluate(*bound, arena);
  for (const KeySchema& key : kSchemas) Plan(*bound, key, arena);
  return 0;
}
