// Any text as an expression: it is refused, or bound and evaluated. The first byte chooses the
// kind.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "expression/expression_fixture.h"

using namespace hashrange;           // NOLINT
using namespace hashrange::testing;  // NOLINT

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TestItem item({{"a", N("1")},
                              {"b", S("b")},
                              {"l", L({N("1"), M({{"a", S("x")}}), SS({"x", "y"})})},
                              {"m", M({{"a", N("2")}, {"l", L({S("z")})}, {"s", NS({"1", "2"})}})},
                              {"s", SS({"x", "y"})}});
  static const Entries values = {
      {":n", N("2")}, {":s", S("x")}, {":l", L({N("3")})}, {":x", SS({"x"})}, {":t", S("NS")}};
  static const Attribute key[] = {{"pk", S("k")}};
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Request request({{"#a", "a"}, {"#m", "m"}}, values);
  Arena arena;
  const auto kind = static_cast<ExpressionKind>(data[0] % 5);
  if (kind == ExpressionKind::kUpdate) {
    const auto update = BindUpdate(text, request.placeholders(), arena);
    if (!update.ok()) return 0;
    update->StatementCharge(item.view());
    (void)update->Apply(item.view(), key, arena);
    (void)update->Apply(NoItem(), key, arena);
    update->Targets(arena).Apply(item.view(), arena);
  } else if (kind == ExpressionKind::kProjection) {
    const auto projection = BindProjection(text, request.placeholders(), arena);
    if (projection.ok()) projection->Apply(item.view(), arena);
  } else if (kind == ExpressionKind::kKeyCondition) {
    Status structure;
    (void)BindKeyCondition(text, request.placeholders(), arena, &structure);
  } else {
    const auto condition = BindCondition(kind, text, request.placeholders(), arena);
    if (!condition.ok()) return 0;
    (void)condition->Matches(item.view());
    (void)condition->Matches(NoItem());
  }
  return 0;
}
