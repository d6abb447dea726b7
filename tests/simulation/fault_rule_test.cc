// Tests at which of the matching calls a rule fires.
#include "simulation/fault_rule.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "base/memory/arena.h"
#include "value/key.h"
#include "value/number.h"

namespace hashrange {
namespace {

FaultSpec Every(std::uint64_t every, std::uint64_t skip = 0,
                std::optional<std::uint64_t> times = {}) {
  FaultSpec spec;
  spec.every = every;
  spec.skip = skip;
  spec.times = times;
  return spec;
}

FaultSpec Probably(double probability, std::uint64_t seed) {
  FaultSpec spec;
  spec.probability = probability;
  spec.seed = seed;
  return spec;
}

// Returns "x" for each match at which the rule fires, "·" for the others.
std::string Fires(FaultRule& rule, int count) {
  std::string fires;
  for (int i = 0; i < count; ++i) fires += rule.Decide() ? 'x' : '.';
  return fires;
}

std::string Fires(FaultSpec spec, int count) {
  FaultRule rule(1, std::move(spec));
  return Fires(rule, count);
}

TEST(FaultRule, FiresAtEveryMatchingCall) { EXPECT_EQ(Fires(Every(1), 4), "xxxx"); }

TEST(FaultRule, CountsFromOne) {
  EXPECT_EQ(Fires(Every(3), 9), "..x..x..x");
  EXPECT_EQ(Fires(Every(1, 2), 5), "..xxx");
  EXPECT_EQ(Fires(Every(3, 2), 9), "....x..x.");
  EXPECT_EQ(Fires(Every(1, 0, 2), 5), "xx...");
  EXPECT_EQ(Fires(Every(3, 2, 1), 9), "....x....");
  EXPECT_EQ(Fires(Every(UINT64_MAX, UINT64_MAX, UINT64_MAX), 3), "...");
}

TEST(FaultRule, CountsWhatMatchedAndWhereItFired) {
  FaultRule rule(7, Every(2, 1, 2));
  EXPECT_EQ(Fires(rule, 8), "..x.x...");
  EXPECT_EQ(rule.id(), 7u);
  EXPECT_EQ(rule.matches(), 8u);
  EXPECT_EQ(rule.hits(), 2u);
}

TEST(FaultRule, TheSameSeedThrowsTheSameCoins) {
  const std::string first = Fires(Probably(0.5, 11), 200);
  EXPECT_EQ(Fires(Probably(0.5, 11), 200), first);
  EXPECT_NE(Fires(Probably(0.5, 1ull << 40), 200), first);
}

// Neither does one seed give the sequence of another, shifted by some calls.
TEST(FaultRule, SeedsThatFollowOneAnotherThrowCoinsOfTheirOwn) {
  constexpr int kCalls = 400, kMostShift = 64;
  std::vector<std::string> sequences;
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    sequences.push_back(Fires(Probably(0.5, seed), kCalls + kMostShift));
  }
  for (std::size_t a = 0; a < sequences.size(); ++a) {
    for (std::size_t b = 0; b < sequences.size(); ++b) {
      for (std::size_t shift = a == b ? 1 : 0; shift <= kMostShift; ++shift) {
        int same = 0;
        for (std::size_t i = 0; i < kCalls; ++i) same += sequences[a][i] == sequences[b][i + shift];
        // Of 400 fair coins, fewer than 250 agree in all but one of a million cases.
        EXPECT_LT(same, 250) << a << " and " << b << ", shifted by " << shift;
        EXPECT_GT(same, 150) << a << " and " << b << ", shifted by " << shift;
      }
    }
  }
}

TEST(FaultRule, FiresAsOftenAsItsProbabilitySays) {
  for (const double probability : {0.1, 0.5, 0.9}) {
    const std::string fires = Fires(Probably(probability, 3), 20'000);
    const auto share = static_cast<double>(std::ranges::count(fires, 'x')) / 20'000;
    EXPECT_NEAR(share, probability, 0.015);
  }
}

TEST(FaultRule, LatencyIsFixedOrDrawnFromItsRange) {
  FaultSpec spec;
  spec.action.latency_ms = spec.action.max_latency_ms = 50;
  EXPECT_EQ(FaultRule(1, spec).Decide(), 50);
  spec.action.max_latency_ms = 53;
  FaultRule rule(1, spec), again(2, spec);
  std::vector<int> seen(4);
  for (int i = 0; i < 400; ++i) {
    const auto delay_ms = rule.Decide();
    ASSERT_TRUE(delay_ms);
    ASSERT_GE(*delay_ms, 50);
    ASSERT_LE(*delay_ms, 53);
    EXPECT_EQ(again.Decide(), delay_ms);
    ++seen[static_cast<std::size_t>(*delay_ms - 50)];
  }
  for (const int count : seen) EXPECT_GT(count, 50);
}

// The counts do not depend on the order in which the threads ask.
TEST(FaultRule, IsExactUnderThreads) {
  constexpr int kThreads = 4, kCalls = 20'000;
  const auto hits_of = [](FaultSpec spec) {
    FaultRule rule(1, std::move(spec));
    std::vector<std::uint64_t> fired(kThreads);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        for (int call = 0; call < kCalls; ++call) {
          if (rule.Decide()) ++fired[static_cast<std::size_t>(i)];
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::uint64_t sum = 0;
    for (const std::uint64_t each : fired) sum += each;
    EXPECT_EQ(rule.matches(), std::uint64_t{kThreads} * kCalls);
    EXPECT_EQ(rule.hits(), sum);
    return sum;
  };
  EXPECT_EQ(hits_of(Every(1, 0, 100)), 100u);
  EXPECT_EQ(hits_of(Every(7)), std::uint64_t{kThreads} * kCalls / 7);
  EXPECT_EQ(hits_of(Every(7, 100, 50)), 50u);
  const std::uint64_t coins = hits_of(Probably(0.3, 5));
  EXPECT_EQ(hits_of(Probably(0.3, 5)), coins);
}

// Tests which calls and accesses a match is about.

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
