// On the warm path (the text is cached, the arena has its block) binding and evaluating take
// memory only from the arena.
#include <gtest/gtest.h>

#include "expression/expression_fixture.h"
#include "expression/expression_text.h"
#include "support/allocation_failures.h"

namespace hashrange::testing {
namespace {

void RunAll(Request& request, ItemView item, Arena& arena, std::string* text) {
  Placeholders& placeholders = request.placeholders();
  const auto condition =
      BindCondition(ExpressionKind::kCondition,
                    "(#a = :v OR size(l) > :v) AND NOT contains(#a, :s) AND b IN (:v, :s) AND "
                    "begins_with(b, :s)",
                    placeholders, arena);
  ASSERT_TRUE(condition.ok() && condition->Matches(item));
  Status structure;
  const auto key =
      BindKeyCondition("pk = :s AND sk BETWEEN :v AND :v", placeholders, arena, &structure);
  ASSERT_TRUE(key.ok() && structure.ok() && key->size() == 2);
  const auto projection = BindProjection("m.#a, b, l[0]", placeholders, arena);
  ASSERT_TRUE(projection.ok() && projection->Apply(item, arena).size() == 3);
  const auto update = BindUpdate(
      "SET #a = if_not_exists(n, :v) + :v, l = list_append(l, l), m.a = :s REMOVE b ADD c :v",
      placeholders, arena);
  ASSERT_TRUE(update.ok() && update->StatementCharge(item) > 0);
  const auto after = update->Apply(item, {}, arena);
  ASSERT_TRUE(after.ok() && after->size() == 5);
  ASSERT_EQ(update->Targets(arena).Apply(item, arena).size(), 4u);
  text->clear();
  AppendConditionText(*condition, text);
  AppendProjectionText(*projection, text);
  AppendUpdateText(*update, text);
  ASSERT_FALSE(text->empty());
}

TEST(Allocation, WarmRequestsAllocateNothing) {
  const TestItem item(
      {{"a", N("1")}, {"b", S("s")}, {"l", L({N("1")})}, {"m", M({{"a", N("2")}})}});
  Request request({{"#a", "a"}}, {{":v", N("1")}, {":s", S("s")}});
  Arena arena;
  std::string text;
  RunAll(request, item.view(), arena, &text);
  arena.Reset();
  const std::int64_t before = test::AllocationCount();
  RunAll(request, item.view(), arena, &text);
  EXPECT_EQ(test::AllocationCount() - before, 0);
}

}  // namespace
}  // namespace hashrange::testing
