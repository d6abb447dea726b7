// Tests which calls and accesses a match is about.
#include "simulation/fault_match.h"

#include <gtest/gtest.h>

#include <string>

#include "base/arena.h"
#include "value/key.h"
#include "value/number.h"

namespace hashrange {
namespace {

ValueView Text(std::string_view text) { return {AttributeType::kS, text}; }

class FaultMatchTest : public testing::Test {
 protected:
  FaultMatchTest() {
    table_.name = "app";
    table_.key.hash = {{"PK", AttributeType::kS}};
    table_.key.range = {{"SK", AttributeType::kS}};
    IndexVersion index;
    index.schema.name = "GSI1";
    index.schema.key.hash = {{"A", AttributeType::kS}, {"B", AttributeType::kS}};
    table_.indexes.push_back(index);
  }

  Access AccessTo(std::string_view pk, std::string_view sk,
                  Access::Kind kind = Access::Kind::kWrite) {
    const ValueView parts[] = {Text(pk), Text(sk)};
    return {.kind = kind, .table = &table_, .key = TablePosition(table_.key, parts, arena_)};
  }
  // Returns an access whose place has these bytes.
  Access AccessAt(std::string_view bytes) {
    return {.kind = Access::Kind::kQuery, .table = &table_, .key = {0, bytes}};
  }

  static bool Matches(std::vector<KeyPartMatch> key, const Access& access) {
    FaultMatch match;
    match.key = std::move(key);
    return match.MatchesAccess(access);
  }

  Arena arena_;
  TableVersion table_;
};

TEST_F(FaultMatchTest, EveryGivenPartOfAKeyMustBeEqual) {
  const Access access = AccessTo("USER#1", "ORDER#7");
  EXPECT_TRUE(Matches({EqualTo("PK", Text("USER#1"))}, access));
  EXPECT_TRUE(Matches({EqualTo("SK", Text("ORDER#7"))}, access));
  EXPECT_TRUE(Matches({EqualTo("PK", Text("USER#1")), EqualTo("SK", Text("ORDER#7"))}, access));
  EXPECT_FALSE(Matches({EqualTo("PK", Text("USER#"))}, access));
  EXPECT_FALSE(Matches({EqualTo("PK", Text("USER#11"))}, access));
  EXPECT_FALSE(Matches({EqualTo("PK", Text("USER#1")), EqualTo("SK", Text("ORDER"))}, access));
  EXPECT_FALSE(Matches({EqualTo("other", Text("USER#1"))}, access));
  EXPECT_FALSE(Matches({EqualTo("PK", {AttributeType::kB, "USER#1"})}, access));
}

TEST_F(FaultMatchTest, PrefixIsComparedWithTheTextOfThePart) {
  const Access access = AccessTo("USER#1", "ORDER#7");
  EXPECT_TRUE(Matches({BeginningWith("PK", "USER#")}, access));
  EXPECT_TRUE(Matches({BeginningWith("PK", "USER#1")}, access));
  EXPECT_TRUE(Matches({BeginningWith("PK", "U"), BeginningWith("SK", "ORDER")}, access));
  EXPECT_FALSE(Matches({BeginningWith("PK", "USER#12")}, access));
  EXPECT_FALSE(Matches({BeginningWith("PK", "USER#1"), BeginningWith("SK", "P")}, access));
}

TEST_F(FaultMatchTest, TextsMayHoldZeroBytes) {
  const std::string zero("a\0b", 3), shorter("a\0", 2), longer("a\0bc", 4);
  const Access access = AccessTo(zero, "x");
  EXPECT_TRUE(Matches({EqualTo("PK", Text(zero))}, access));
  EXPECT_TRUE(Matches({EqualTo("SK", Text("x"))}, access));
  EXPECT_TRUE(Matches({BeginningWith("PK", shorter)}, access));
  EXPECT_FALSE(Matches({EqualTo("PK", Text(shorter))}, access));
  EXPECT_FALSE(Matches({BeginningWith("PK", longer)}, access));
}

TEST_F(FaultMatchTest, NumbersAreComparedAsNumbers) {
  table_.key.range[0].type = AttributeType::kN;
  for (const char* text : {"7", "-7", "0", "1e100", "-0.001"}) {
    Number stored;
    ASSERT_EQ(Number::Parse(text, &stored), NumberError::kNone);
    const ValueView number(AttributeType::kN, stored.stored());
    const ValueView parts[] = {Text("a"), number};
    const Access access{.kind = Access::Kind::kRead,
                        .table = &table_,
                        .key = TablePosition(table_.key, parts, arena_)};
    EXPECT_TRUE(Matches({EqualTo("PK", Text("a")), EqualTo("SK", number)}, access)) << text;
    const Number other = Number::FromInteger(8);
    const ValueView eight(AttributeType::kN, other.stored());
    EXPECT_FALSE(Matches({EqualTo("SK", eight)}, access)) << text;
  }
}

// A Query begins at an incomplete place, a Scan at an empty one.
TEST_F(FaultMatchTest, IncompletePlacesAreReadAsFarAsTheyGo) {
  const ValueView hash = Text("USER#1");
  const std::string_view partition = EncodeParts({&hash, 1}, arena_);
  const std::string_view begins = EncodePrefix(partition, "ORDER#", arena_);
  EXPECT_TRUE(Matches({EqualTo("PK", hash)}, AccessAt(partition)));
  EXPECT_FALSE(Matches({EqualTo("SK", Text("ORDER#"))}, AccessAt(partition)));
  EXPECT_TRUE(Matches({EqualTo("PK", hash), BeginningWith("SK", "ORDER")}, AccessAt(begins)));
  EXPECT_FALSE(Matches({EqualTo("SK", Text("ORDER#"))}, AccessAt(begins)));
  for (std::size_t size = 0; size < begins.size(); ++size) {
    const Access access = AccessAt(begins.substr(0, size));
    EXPECT_EQ(Matches({EqualTo("PK", hash)}, access), size >= partition.size()) << size;
    table_.key.hash[0].type = AttributeType::kN;
    EXPECT_FALSE(Matches({EqualTo("PK", hash)}, access)) << size;
    table_.key.hash[0].type = AttributeType::kS;
  }
  EXPECT_FALSE(Matches({BeginningWith("PK", "U")}, AccessAt("")));
}

TEST_F(FaultMatchTest, AnIndexIsReadByItsOwnKey) {
  const ValueView parts[] = {Text("a"), Text("b")};
  const Access write = AccessTo("USER#1", "ORDER#7");
  Access query = write;
  query.kind = Access::Kind::kQuery;
  query.index = &table_.indexes[0];
  query.key = IndexEntryPosition(query.index->schema.key, parts, write.key, arena_);
  EXPECT_TRUE(Matches({EqualTo("A", Text("a")), BeginningWith("B", "b")}, query));
  EXPECT_FALSE(Matches({EqualTo("PK", Text("USER#1"))}, query));
  FaultMatch match;
  match.index = "GSI1";
  EXPECT_TRUE(match.MatchesAccess(query));
  EXPECT_TRUE(match.MatchesAccess(write));
  EXPECT_FALSE(match.MatchesAccess(AccessTo("USER#1", "ORDER#7", Access::Kind::kRead)));
  match.index = "GSI2";
  EXPECT_FALSE(match.MatchesAccess(query));
  EXPECT_FALSE(match.MatchesAccess(write));
}

TEST_F(FaultMatchTest, CallsAreMatchedByOperationAccountAndRegion) {
  Call call{
      .operation = "GetItem", .account = {"111122223333", "us-east-1"}, .region = "us-east-1"};
  FaultMatch match;
  EXPECT_TRUE(match.MatchesCall(call));
  EXPECT_FALSE(match.IsAboutAccesses());
  match.operations = {"PutItem", "GetItem"};
  match.account_id = "111122223333";
  match.region = "us-east-1";
  EXPECT_TRUE(match.MatchesCall(call));
  call.operation = "Query";
  EXPECT_FALSE(match.MatchesCall(call));
  call.operation = "PutItem";
  call.region = "eu-west-1";
  EXPECT_FALSE(match.MatchesCall(call));
  match.region.clear();
  EXPECT_TRUE(match.MatchesCall(call));
  call.account.account_id = "000000000000";
  EXPECT_FALSE(match.MatchesCall(call));
}

}  // namespace
}  // namespace hashrange
