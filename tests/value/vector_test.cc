// Vectors of items: what keeps a value from being one, the floats of a vector, which items have an
// entry in a vector index, and what an entry counts (docs/service/15-vector-search.md, sections 6
// to 8).
#include "value/vector.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <vector>

#include "value/value_builder.h"

namespace hashrange {
namespace {

class VectorTest : public testing::Test {
 protected:
  std::optional<float> FloatOf(std::string_view number) {
    return NearestFloat(v_.N(number).bytes());
  }

  ValueBuilder v_;
};

TEST_F(VectorTest, NumbersBecomeTheNearestFloat) {
  const struct {
    std::string_view number;
    float nearest;
  } rows[] = {
      {"0", 0.0f},
      {"0.1", 0.1f},
      {"-2.5", -2.5f},
      {"16777217", 16777216.0f},
      {"16777219", 16777220.0f},
      {"3.4028235E38", std::numeric_limits<float>::max()},
      {"-3.4028235E38", -std::numeric_limits<float>::max()},
      {"99999999999999999999999999999999999999", 1e38f},
      {"1.17549435E-38", std::numeric_limits<float>::min()},
      {"1.4E-45", std::numeric_limits<float>::denorm_min()},
      {"1E-60", 0.0f},
      {"-1E-130", 0.0f},
      // A double is exactly between two floats here, and the number is above it: rounding twice
      // would give 1.
      {"1.00000005960464477539062500000000001", 1.0000001f},
  };
  for (const auto& row : rows) EXPECT_EQ(FloatOf(row.number), row.nearest) << row.number;
  for (const std::string_view too_large : {"1E39", "-1E+39", "3.5E38", "9E125", "-9E125"}) {
    EXPECT_EQ(FloatOf(too_large), std::nullopt) << too_large;
  }
}

TEST_F(VectorTest, TheFirstProblemOfAValueIsFound) {
  const ValueView one = v_.N("1");
  const struct {
    ValueView value;
    VectorProblem problem;
    std::size_t at;
  } rows[] = {
      {v_.L({one, v_.N("-2.5"), v_.N("1E-100")}), VectorProblem::kNone, 0},
      {v_.S("abc"), VectorProblem::kNotAList, 0},
      {v_.NS({"1", "2", "3"}), VectorProblem::kNotAList, 0},
      {v_.Null(), VectorProblem::kNotAList, 0},
      {v_.L({}), VectorProblem::kWrongLength, 0},
      {v_.L({one, v_.S("x")}), VectorProblem::kWrongLength, 2},
      {v_.L({one, v_.S("x"), v_.N("1E39")}), VectorProblem::kNotANumber, 1},
      {v_.L({v_.N("-1E39"), v_.S("x"), one}), VectorProblem::kOutOfRange, 0},
      {v_.L({one, one, v_.L({one})}), VectorProblem::kNotANumber, 2},
  };
  for (const auto& row : rows) {
    const VectorCheck check = CheckVector(row.value, 3);
    EXPECT_EQ(check.problem, row.problem);
    EXPECT_EQ(check.at, row.at);
  }
}

TEST_F(VectorTest, AVectorIsReadElementByElement) {
  std::vector<float> floats(3);
  ReadVector(v_.L({v_.N("0.1"), v_.N("-7"), v_.N("1E-60")}), floats);
  EXPECT_EQ(floats, (std::vector<float>{0.1f, -7.0f, 0.0f}));
}

const KeySchema kSimpleKey = {{{"PK"}}, {}};

IndexSchema VectorIndex(ProjectionType projection) {
  IndexSchema index;
  index.key = {{{"tenant"}}, {}};
  index.projection = projection;
  if (projection == ProjectionType::kInclude) index.non_key_attributes = {"e", "kept", "size"};
  index.vector = VectorSchema{"e", 2, DistanceFunction::kCosine, {{"size", AttributeType::kN}}, 0};
  return index;
}

TEST_F(VectorTest, AnEntryNeedsTheHashAndAVectorAndNoFilterOfAnotherType) {
  const ValueView vector = v_.L({v_.N("1"), v_.N("2")});
  const struct {
    std::vector<Attribute> attributes;
    bool has_entry;
  } rows[] = {
      {{{"tenant", v_.S("t")}, {"e", vector}}, true},
      {{{"tenant", v_.S("t")}, {"e", vector}, {"size", v_.N("1")}}, true},
      {{{"tenant", v_.S("t")}, {"e", vector}, {"size", v_.S("1")}}, false},
      {{{"e", vector}}, false},
      {{{"tenant", v_.S("")}, {"e", vector}}, false},
      {{{"tenant", v_.N("1")}, {"e", vector}}, false},
      {{{"tenant", v_.S("t")}}, false},
      {{{"tenant", v_.S("t")}, {"e", v_.L({v_.N("1")})}}, false},
  };
  for (const auto& row : rows) {
    std::vector<Attribute> attributes = row.attributes;
    attributes.push_back({"PK", v_.S("p")});
    const ItemRef item = v_.MakeItem(kSimpleKey, attributes);
    EXPECT_EQ(HasVectorEntry(VectorIndex(ProjectionType::kAll), {kSimpleKey, item.get()}),
              row.has_entry);
  }
  EXPECT_FALSE(HasVectorEntry(VectorIndex(ProjectionType::kAll), ItemView()));
  IndexSchema without_hash = VectorIndex(ProjectionType::kAll);
  without_hash.key = {};
  const ItemRef item = v_.MakeItem(kSimpleKey, {{"PK", v_.S("p")}, {"e", vector}});
  EXPECT_TRUE(HasVectorEntry(without_hash, {kSimpleKey, item.get()}));
}

TEST_F(VectorTest, AnEntryHasFourBytesForEachDimensionAndItsAttributes) {
  const auto item_with = [&](std::string_view kept, std::string_view element) {
    return v_.MakeItem(kSimpleKey, {{"PK", v_.S("p")},
                                    {"tenant", v_.S("tt")},
                                    {"e", v_.L({v_.N(element), v_.N("2")})},
                                    {"size", v_.N("12")},
                                    {"kept", v_.S(kept)},
                                    {"other", v_.S("ooooo")}});
  };
  const ItemRef item = item_with("kkk", "1");
  const ItemView view(kSimpleKey, item.get());
  const std::size_t keys = (2 + 1) + (6 + 2) + (4 + 2);
  const std::size_t vector = 1 + 4 * 2;
  EXPECT_EQ(ProjectedSizeBytes(VectorIndex(ProjectionType::kKeysOnly), view), keys + vector);
  EXPECT_EQ(ProjectedSizeBytes(VectorIndex(ProjectionType::kInclude), view), keys + vector + 4 + 3);
  EXPECT_EQ(ProjectedSizeBytes(VectorIndex(ProjectionType::kAll), view),
            keys + vector + 4 + 3 + 5 + 5);
  EXPECT_EQ(VectorSizeBytes(*VectorIndex(ProjectionType::kAll).vector), vector);
  const IndexSchema all = VectorIndex(ProjectionType::kAll);
  EXPECT_EQ(VisibleSizeBytes({kSimpleKey, item.get(), &all}), ProjectedSizeBytes(all, view));
  EXPECT_FALSE(VectorIndex(ProjectionType::kAll).Projects(kSimpleKey, "e"));
  EXPECT_TRUE(VectorIndex(ProjectionType::kKeysOnly).Projects(kSimpleKey, "size"));
  EXPECT_FALSE(VectorIndex(ProjectionType::kKeysOnly).Projects(kSimpleKey, "kept"));

  const ItemRef other_kept = item_with("x", "1"), other_vector = item_with("kkk", "3");
  const auto is_same = [&](ProjectionType projection, const ItemRef& other) {
    return SameProjection(VectorIndex(projection), view, {kSimpleKey, other.get()});
  };
  EXPECT_TRUE(is_same(ProjectionType::kKeysOnly, other_kept));
  EXPECT_FALSE(is_same(ProjectionType::kInclude, other_kept));
  EXPECT_FALSE(is_same(ProjectionType::kAll, other_kept));
  EXPECT_FALSE(is_same(ProjectionType::kKeysOnly, other_vector));
}

}  // namespace
}  // namespace hashrange
