#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "wire/shape.h"

namespace hashrange {
namespace {

TEST(ShapeTable, FindsEveryOperationByItsName) {
  const auto operations = OperationShapes();
  EXPECT_EQ(operations.size(), 66u);
  EXPECT_TRUE(std::ranges::is_sorted(operations, {}, &OperationShape::name));
  for (const OperationShape& operation : operations) {
    EXPECT_EQ(FindOperationShape(operation.name), &operation);
  }
  EXPECT_EQ(FindOperationShape("putItem"), nullptr);
  EXPECT_EQ(FindOperationShape(""), nullptr);
  EXPECT_EQ(FindOperationShape("ZZZ"), nullptr);
}

// The check of member constraints recurses over shapes: no shape may contain itself. Only an
// attribute value does: its recursion is as deep as the JSON
// (Binder.ChecksNamesHoweverDeepTheyAre).
int Depth(const Shape* shape) {
  if (!shape || shape->kind == ShapeKind::kAttributeValue) return 1;
  int deepest = std::max(Depth(shape->element), Depth(shape->key));
  for (const ShapeMember& member : shape->members) {
    deepest = std::max(deepest, Depth(member.shape));
  }
  return 1 + deepest;
}

TEST(ShapeTable, HasNoRecursionButInAttributeValues) {
  for (const OperationShape& operation : OperationShapes()) {
    EXPECT_LE(Depth(operation.input), 12) << operation.name;
  }
}

TEST(ShapeTable, PutsEachOperationOnItsLayer) {
  const std::string_view enveloped[] = {"DeleteItem", "PutItem", "UpdateItem"};
  const std::string_view bare[] = {"BatchGetItem", "GetItem", "Query", "SearchVectors"};
  for (const OperationShape& operation : OperationShapes()) {
    ValidationLayer expected = ValidationLayer::kOlder;
    if (std::ranges::find(enveloped, operation.name) != std::end(enveloped)) {
      expected = ValidationLayer::kEnveloped;
    } else if (std::ranges::find(bare, operation.name) != std::end(bare)) {
      expected = ValidationLayer::kBare;
    }
    EXPECT_EQ(operation.layer, expected) << operation.name;
  }
}

}  // namespace
}  // namespace hashrange
