// What an index entry contains: sizes and equality of projections (docs/service/08-capacity.md,
// section 2).

#include <gtest/gtest.h>

#include <string>

#include "value/item.h"
#include "value/value_builder.h"

namespace hashrange {
namespace {

const KeySchema kTable = {{{"PK"}}, {{"SK"}}};

IndexSchema MakeIndex(KeySchema key, ProjectionType projection) {
  IndexSchema index;
  index.key = std::move(key);
  index.projection = projection;
  if (projection == ProjectionType::kInclude) index.non_key_attributes = {"kept", "SK", "G"};
  return index;
}

constexpr ProjectionType kProjections[] = {ProjectionType::kAll, ProjectionType::kKeysOnly,
                                           ProjectionType::kInclude};

class Projection : public testing::Test {
 protected:
  ItemRef MakeItem(std::string_view g, std::string_view kept, std::string_view other) {
    return v_.MakeItem(kTable, {{"PK", v_.S("p")},
                                {"SK", v_.S("qq")},
                                {"G", v_.S(g)},
                                {"kept", v_.SS({kept, "0"})},
                                {"other", v_.S(other)}});
  }

  ValueBuilder v_;
};

TEST_F(Projection, SizesCountEachProjectedAttributeOnce) {
  const ItemRef item = MakeItem("ggg", "kkkk", "ooooo");
  const ItemView view(kTable, item.get());
  const std::size_t keys = (2 + 1) + (2 + 2) + (1 + 3);
  const std::size_t kept = 4 + 5;
  const std::size_t expected[] = {keys + kept + 5 + 5, keys, keys + kept};
  // The second index's key is also a key of the table.
  const KeySchema index_keys[] = {{{{"G"}}, {}}, {{{"G"}}, {{"SK"}}}};
  for (const KeySchema& key : index_keys) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(ProjectedSizeBytes(MakeIndex(key, kProjections[i]), view), expected[i]) << i;
    }
  }
  EXPECT_EQ(ProjectedSizeBytes(MakeIndex(index_keys[0], ProjectionType::kInclude), ItemView()), 0u);
}

TEST_F(Projection, AbsentIncludedAttributesCountNothing) {
  const ItemRef item =
      v_.MakeItem(kTable, {{"PK", v_.S("p")}, {"SK", v_.S("qq")}, {"G", v_.S("g")}});
  EXPECT_EQ(ProjectedSizeBytes(MakeIndex({{{"G"}}, {}}, ProjectionType::kInclude),
                               ItemView(kTable, item.get())),
            3u + 4 + 2);
}

TEST_F(Projection, IsTheSameWhenNothingItHoldsDiffers) {
  const ItemRef base = MakeItem("g", "k", "o");
  const struct {
    ItemRef changed;
    bool same_all, same_keys_only, same_include;
  } rows[] = {
      {base, true, true, true},
      {MakeItem("g", "k", "o"), true, true, true},
      {MakeItem("g", "k", "x"), false, true, true},
      {MakeItem("g", "x", "o"), false, true, false},
      {MakeItem("x", "k", "o"), false, false, false},
      {v_.MakeItem(kTable, {{"PK", v_.S("p")}, {"SK", v_.S("qq")}, {"G", v_.S("g")}}), false, true,
       false},
      {v_.MakeItem(kTable, {{"PK", v_.S("x")}, {"SK", v_.S("qq")}, {"G", v_.S("g")}}), false, false,
       false},
      {nullptr, false, false, false},
  };
  for (const auto& row : rows) {
    const bool expected[] = {row.same_all, row.same_keys_only, row.same_include};
    for (int i = 0; i < 3; ++i) {
      const IndexSchema index = MakeIndex({{{"G"}}, {}}, kProjections[i]);
      const ItemView a(kTable, base.get());
      const ItemView b(kTable, row.changed.get());
      EXPECT_EQ(SameProjection(index, a, b), expected[i]) << i;
      EXPECT_EQ(SameProjection(index, b, a), expected[i]) << i;
    }
  }
  EXPECT_TRUE(
      SameProjection(MakeIndex({{{"G"}}, {}}, ProjectionType::kKeysOnly), ItemView(), ItemView()));
}

TEST_F(Projection, AViewThroughAnIndexShowsOnlyWhatItProjects) {
  const ItemRef item = MakeItem("g", "k", "o");
  const ItemView whole(kTable, item.get());
  const std::string expected[] = {"G PK SK kept other ", "G PK SK ", "G PK SK kept "};
  for (int i = 0; i < 3; ++i) {
    const IndexSchema index = MakeIndex({{{"G"}}, {}}, kProjections[i]);
    const ItemView view(kTable, item.get(), &index);
    std::string names;
    for (const Attribute& attribute : view.Attributes(v_.arena())) {
      names += std::string(attribute.name) + " ";
    }
    EXPECT_EQ(names, expected[i]);
    for (const std::string_view name : {"G", "PK", "SK", "kept", "other", "absent"}) {
      const bool shown = names.find(std::string(name) + " ") != std::string::npos;
      EXPECT_EQ(view.Find(name), shown ? whole.Find(name) : std::nullopt) << i << name;
    }
  }
}

}  // namespace
}  // namespace hashrange
