#include "value/schema.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

const KeySchema kSchemaOfTable = {{{"PK", AttributeType::kS}}, {{"SK", AttributeType::kN}}};

TEST(KeySchema, FindsItsPartsAndNothingElse) {
  EXPECT_EQ(kSchemaOfTable.Find("PK"), &kSchemaOfTable.hash[0]);
  EXPECT_EQ(kSchemaOfTable.Find("SK"), &kSchemaOfTable.range[0]);
  EXPECT_EQ(kSchemaOfTable.Find("P"), nullptr);
  EXPECT_EQ(kSchemaOfTable.Find(""), nullptr);
}

TEST(KeySchema, CountsHashPartsBeforeRangeParts) {
  const KeySchema schema = {{{"a"}, {"b"}}, {{"c"}, {"d"}, {"e"}}};
  ASSERT_EQ(schema.parts(), 5u);
  std::string names;
  for (std::size_t i = 0; i < schema.parts(); ++i) names += schema.part(i).name;
  EXPECT_EQ(names, "abcde");
}

TEST(IndexSchema, ProjectsKeysAlwaysAndTheRestByItsType) {
  IndexSchema index;
  index.key = {{{"GSI1PK"}}, {{"GSI1SK"}}};
  index.non_key_attributes = {"extra"};
  const struct {
    std::string_view attribute;
    bool keys_only, include, all;
  } kRows[] = {{"PK", true, true, true},     {"SK", true, true, true},
               {"GSI1PK", true, true, true}, {"GSI1SK", true, true, true},
               {"extra", false, true, true}, {"other", false, false, true}};
  for (const auto& [attribute, keys_only, include, all] : kRows) {
    index.projection = ProjectionType::kKeysOnly;
    EXPECT_EQ(index.Projects(kSchemaOfTable, attribute), keys_only) << attribute;
    index.projection = ProjectionType::kInclude;
    EXPECT_EQ(index.Projects(kSchemaOfTable, attribute), include) << attribute;
    index.projection = ProjectionType::kAll;
    EXPECT_EQ(index.Projects(kSchemaOfTable, attribute), all) << attribute;
  }
}

}  // namespace
}  // namespace hashrange
