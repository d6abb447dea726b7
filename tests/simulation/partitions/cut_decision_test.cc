// Tests of where a hot partition is cut (docs/service/21-layout-lab.md, section 4).
#include "simulation/partitions/cut_decision.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "simulation/partitions/sample_positions.h"

namespace hashrange::test {
namespace {

constexpr CutTerms kSortKey = {.has_sort_key = true};
constexpr CutTerms kNoSortKey = {.has_sort_key = false};
constexpr CutTerms kLocalIndex = {.has_sort_key = true, .has_local_index = true};

// The sample of an entry of an index, of which several may have one key.
KeySample EntryOf(std::uint64_t hash, std::string key, std::size_t item) {
  return {.hash = hash, .key = std::move(key), .item = item};
}

KeySample SampleOf(std::uint64_t hash, std::string key) {
  const std::size_t item = std::hash<std::string>()(std::to_string(hash) + key);
  return EntryOf(hash, std::move(key), item);
}

// Samples in the order of time.
struct Samples {
  std::vector<KeySample> list = {};

  void Add(std::uint64_t hash, std::string key, bool is_range = false) {
    list.push_back(SampleOf(hash, std::move(key)));
    list.back().is_range = is_range;
  }
};

std::string Numbered(std::uint64_t number) {
  return std::to_string(1'000'000'000 + number % 1'000'000'000);
}

Samples RandomCollection(std::uint64_t hash, std::size_t count, Random& random) {
  Samples samples;
  for (std::size_t i = 0; i < count; ++i) samples.Add(hash, Numbered(random.Next()));
  return samples;
}

double ShareBelow(const Samples& samples, const CutDecision& cut) {
  double below = 0;
  for (const KeySample& each : samples.list) {
    const bool is_below = std::tie(each.hash, each.key) < std::tie(cut.hash, cut.key);
    below += is_below ? 1 : 0;
  }
  return below / static_cast<double>(samples.list.size());
}

TEST(CutDecision, NothingKnownIsNotCut) {
  EXPECT_EQ(DecideCut({}, kSortKey).uncut, "order");
  Samples one;
  one.Add(1, "a");
  EXPECT_EQ(DecideCut(one.list, kSortKey).uncut, "order");
}

TEST(CutDecision, ManyPartitionKeysAreCutByHash) {
  Random random(1);
  Samples samples;
  for (int i = 0; i < 256; ++i) samples.Add(random.Next(), "k");
  for (const CutTerms& terms : {kSortKey, kNoSortKey, kLocalIndex}) {
    const CutDecision cut = DecideCut(samples.list, terms);
    EXPECT_EQ(cut.uncut, "");
    EXPECT_EQ(cut.key, "");
    EXPECT_NEAR(ShareBelow(samples, cut), 0.5, 0.1);
  }
}

TEST(CutDecision, CollectionIsCutBySortKey) {
  Random random(1);
  const Samples samples = RandomCollection(7, 256, random);
  const CutDecision cut = DecideCut(samples.list, kSortKey);
  EXPECT_EQ(cut.uncut, "");
  EXPECT_EQ(cut.hash, 7u);
  EXPECT_NEAR(ShareBelow(samples, cut), 0.5, 0.1);
}

TEST(CutDecision, KeysThatNoCutDividesAreNotCut) {
  const struct {
    const char* name;
    CutTerms terms;
    KeySample (*sample)(std::uint64_t number);
    std::string_view uncut;
  } rows[] = {
      {"rising sort keys", kSortKey,
       [](std::uint64_t number) { return SampleOf(7, Numbered(number)); }, "order"},
      {"falling sort keys", kSortKey,
       [](std::uint64_t number) { return SampleOf(7, Numbered(1000 - number)); }, "order"},
      // A load from a scan comes in the order of the hashes.
      {"rising hashes", kSortKey, [](std::uint64_t number) { return SampleOf(number << 50, "k"); },
       "order"},
      {"a collection of a table with a local index", kLocalIndex,
       [](std::uint64_t number) { return SampleOf(7, Numbered(number * 7919)); }, "local index"},
      // An index without a sort key has many entries of one key.
      {"a collection without a sort key", kNoSortKey,
       [](std::uint64_t number) { return EntryOf(7, "open", number); }, "sort key"},
      {"entries with one key and one sort key", kSortKey,
       [](std::uint64_t number) { return EntryOf(7, "open#today", number); }, "item"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    Samples samples;
    for (std::uint64_t number = 0; number < 256; ++number) {
      samples.list.push_back(row.sample(number));
    }
    EXPECT_EQ(DecideCut(samples.list, row.terms).uncut, row.uncut);
  }
}

// The newer half lies above the cut by a share of 18 % or 22 %.
TEST(CutDecision, FifthOfTheNewerHalfIsEnough) {
  for (const int above : {18, 22}) {
    Samples samples;
    for (std::uint64_t i = 0; i < 100; ++i) samples.Add(7, Numbered(i * 37 % 100));
    for (int i = 0; i < 100; ++i) samples.Add(7, Numbered(i < above ? 90 : i % 40));
    EXPECT_EQ(DecideCut(samples.list, kSortKey).uncut, above == 18 ? "order" : "") << above;
  }
}

TEST(CutDecision, ItemWithTheShareIsNotCut) {
  for (const int others : {20, 21}) {
    Random random(1);
    Samples samples;
    for (int i = 0; i < 100; ++i) {
      // The others are spread over the time.
      const bool is_other = i * others / 100 != (i + 1) * others / 100;
      samples.Add(random.Next(), is_other ? "k" : "hot");
      if (!is_other) samples.list.back().hash = 7, samples.list.back().item = 7;
    }
    EXPECT_EQ(DecideCut(samples.list, kSortKey).uncut == "item", others == 20) << others;
  }
}

TEST(CutDecision, ShareOfOneItemIsAParameter) {
  Samples samples;
  for (std::uint64_t i = 0; i < 100; ++i) samples.Add(i % 2 == 0 ? 7 : 1000, "k");
  EXPECT_EQ(DecideCut(samples.list, {.has_sort_key = true, .one_item_share = 0.5}).uncut, "item");
  EXPECT_EQ(DecideCut(samples.list, {.has_sort_key = true, .one_item_share = 0.51}).uncut, "");
}

// A hot item at the beginning of its collection leaves a third for the rest: the cut is behind it.
TEST(CutDecision, CutIsBesideAHotItem) {
  Samples samples;
  for (std::uint64_t i = 0; i < 256; ++i) samples.Add(7, i % 3 == 0 ? Numbered(i * 7919) : "0");
  const CutDecision cut = DecideCut(samples.list, kSortKey);
  EXPECT_EQ(cut.uncut, "");
  EXPECT_EQ(cut.hash, 7u);
  EXPECT_NEAR(ShareBelow(samples, cut), 0.667, 0.01);
}

// Two hot collections are cut apart rather than one of them in the middle.
TEST(CutDecision, CutBetweenCollectionsIsPreferred) {
  Random random(1);
  Samples samples;
  for (int i = 0; i < 256; ++i) samples.Add(i % 5 < 2 ? 7 : 1000, Numbered(random.Next()));
  for (const CutTerms& terms : {kSortKey, kLocalIndex}) {
    const CutDecision cut = DecideCut(samples.list, terms);
    EXPECT_EQ(cut.uncut, "");
    EXPECT_EQ(cut.key, "");
    EXPECT_NEAR(ShareBelow(samples, cut), 0.4, 0.01);
  }
}

TEST(CutDecision, LastHashHasNoHashBehindIt) {
  Random random(1);
  Samples samples = RandomCollection(UINT64_MAX, 256, random);
  const CutDecision inside = DecideCut(samples.list, kSortKey);
  EXPECT_EQ(inside.uncut, "");
  EXPECT_EQ(inside.hash, UINT64_MAX);
  EXPECT_NE(inside.key, "");
  EXPECT_EQ(DecideCut(samples.list, kLocalIndex).uncut, "local index");
}

// Whatever the samples, a cut leaves a fifth of the newer half on each side.
TEST(CutDecision, EveryCutDividesTheNewerHalf) {
  Random random(7);
  std::size_t cuts = 0;
  for (int round = 0; round < 500; ++round) {
    Samples samples;
    const std::size_t count = random.Next() % 256;
    const std::uint64_t hashes = 1 + random.Next() % 8;
    const std::uint64_t keys = 1 + random.Next() % 20;
    for (std::size_t i = 0; i < count; ++i) {
      samples.Add(random.Next() % hashes, Numbered(random.Next() % keys));
    }
    const CutTerms terms{.has_sort_key = random.Next() % 2 == 0,
                         .has_local_index = random.Next() % 4 == 0};
    const CutDecision cut = DecideCut(samples.list, terms);
    if (!cut.uncut.empty()) continue;
    ++cuts;
    samples.list.erase(samples.list.begin(),
                       samples.list.begin() + static_cast<std::ptrdiff_t>(count / 2));
    EXPECT_GE(ShareBelow(samples, cut), 0.2 - 1e-9);
    EXPECT_LE(ShareBelow(samples, cut), 0.8 + 1e-9);
    const bool can_cut_collection = terms.has_sort_key && !terms.has_local_index;
    EXPECT_TRUE(can_cut_collection || cut.key.empty());
  }
  EXPECT_GT(cuts, 100u);
}

// Queries of a whole collection all begin at its first key: a cut there would divide nothing.
TEST(CutDecision, RangesThatBeginAtOnePlaceAreNotOneItem) {
  Samples samples;
  for (int i = 0; i < 256; ++i) samples.Add(7, "0", true);
  EXPECT_EQ(DecideCut(samples.list, kSortKey).uncut, "range");
  // Beside them, enough reads of single items are divided.
  Random random(1);
  Samples mixed;
  for (int i = 0; i < 256; ++i) {
    const bool is_range = i % 3 == 0;
    mixed.Add(7, is_range ? "0" : Numbered(random.Next()), is_range);
  }
  EXPECT_EQ(DecideCut(mixed.list, kSortKey).uncut, "");
}

TEST(KeySamples, KeepsTheNewestInTheOrderOfTime) {
  KeySamples samples(0, 1);
  for (std::uint64_t hash = 0; hash < 1000; ++hash) {
    samples.Add(SampleKey(), OwnedPosition(hash, "a").span(), false, 1);
  }
  const std::vector<KeySample> kept = samples.InOrderOfTime();
  ASSERT_EQ(kept.size(), KeySamples::kMaxSamples);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(kept[i].hash, 1000 - KeySamples::kMaxSamples + i);
  }
}

TEST(KeySamples, FewSamplesAreAllKept) {
  KeySamples samples(0, 1);
  EXPECT_TRUE(samples.InOrderOfTime().empty());
  samples.Add(SampleKey(), OwnedPosition(5, "a").span(), false, 1);
  const std::vector<KeySample> kept = samples.InOrderOfTime();
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].hash, 5u);
  EXPECT_EQ(kept[0].key, EncodedKey("pk5", "a"));
}

TEST(KeySamples, TakesOneSampleOfSoManyUnits) {
  KeySamples samples(100, 1);
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    samples.Add(SampleKey(), OwnedPosition(i, "a").span(), false, 1);
  }
  EXPECT_NEAR(static_cast<double>(samples.InOrderOfTime().size()), 100, 15);
}

// An access of ten units is sampled ten times as often as one of one unit.
TEST(KeySamples, ChanceIsInProportionToTheUnits) {
  double large = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    KeySamples samples(200, seed);
    for (int i = 0; i < 3000; ++i) {
      samples.Add(SampleKey(), OwnedPosition(1, "a").span(), false, 1);
      samples.Add(SampleKey(), OwnedPosition(2, "a").span(), false, 10);
    }
    const std::vector<KeySample> kept = samples.InOrderOfTime();
    for (const KeySample& each : kept) {
      large += (each.hash == 2 ? 1.0 : 0.0) / static_cast<double>(kept.size()) / 20;
    }
  }
  EXPECT_NEAR(large, 10.0 / 11, 0.02);
}

// What an access has above one sample does not count for the accesses after it.
TEST(KeySamples, AccessOfManyUnitsIsOneSample) {
  KeySamples samples(100, 1);
  samples.Add(SampleKey(), OwnedPosition(1, "a").span(), false, 10'000);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    samples.Add(SampleKey(), OwnedPosition(2, "a").span(), false, 1);
  }
  const std::vector<KeySample> kept = samples.InOrderOfTime();
  EXPECT_EQ(kept[0].hash, 1u);
  EXPECT_NEAR(static_cast<double>(kept.size()), 11, 5);
}

TEST(KeySamples, SameSeedTakesTheSameSamples) {
  KeySamples a(50, 3);
  KeySamples b(50, 3);
  KeySamples other(50, 4);
  for (std::uint64_t i = 0; i < 5000; ++i) {
    for (KeySamples* each : {&a, &b, &other}) {
      each->Add(SampleKey(), OwnedPosition(i, "a").span(), false, 1);
    }
  }
  const auto hashes = [](const KeySamples& samples) {
    std::vector<std::uint64_t> list;
    for (const KeySample& each : samples.InOrderOfTime()) list.push_back(each.hash);
    return list;
  };
  EXPECT_EQ(hashes(a), hashes(b));
  EXPECT_NE(hashes(a), hashes(other));
}

TEST(KeySamples, SpanGivesItsFirstOrItsLastPosition) {
  KeySamples samples(0, 1);
  const OwnedPosition first(1, "a");
  const OwnedPosition last(9, "z");
  for (int i = 0; i < 100; ++i) samples.Add(SampleKey(), {first, last}, false, 1);
  std::set<std::uint64_t> hashes;
  for (const KeySample& each : samples.InOrderOfTime()) hashes.insert(each.hash);
  EXPECT_EQ(hashes, (std::set<std::uint64_t>{1, 9}));
}

TEST(KeySamples, LongKeyKeepsItsBeginning) {
  KeySamples samples(0, 1);
  const std::string long_key(4000, 'x');
  const OwnedPosition a(1, long_key + "a");
  const OwnedPosition b(1, long_key + "b");
  samples.Add(SampleKey(), a.span(), false, 1);
  samples.Add(SampleKey(), b.span(), false, 1);
  const std::vector<KeySample> kept = samples.InOrderOfTime();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].key, a.bytes.substr(0, KeySamples::kMaxKeyBytes));
  EXPECT_EQ(kept[0].key, kept[1].key);
  // They are two items all the same.
  EXPECT_NE(kept[0].item, kept[1].item);
}

TEST(KeySamples, LongPartitionKeyIsCutOffToo) {
  KeySamples samples(0, 1);
  const std::string bytes = EncodedKey(std::string(4000, 'p'), "a");
  samples.Add(SampleKey(), {{1, bytes}, {1, bytes}}, false, 1);
  EXPECT_EQ(samples.InOrderOfTime()[0].key.size(), KeySamples::kMaxKeyBytes);
}

// A position of an index ends with the item's key in the table. This end is not in the sample.
TEST(KeySamples, IndexEntriesWithEqualKeysAreDifferentItems) {
  KeySamples samples(0, 1);
  const std::string key = EncodedKey("open", "today");
  const std::string a = key + "12345678" + EncodedKey("order", "1");
  const std::string b = key + "12345678" + EncodedKey("order", "2");
  samples.Add(SampleKey(), {{1, a}, {1, a}}, false, 1);
  samples.Add(SampleKey(), {{1, b}, {1, b}}, false, 1);
  const std::vector<KeySample> kept = samples.InOrderOfTime();
  EXPECT_EQ(kept[0].key, key);
  EXPECT_EQ(kept[1].key, key);
  EXPECT_NE(kept[0].item, kept[1].item);
}

TEST(KeySamples, PositionMayHaveNoKeyOrOnlyItsBeginning) {
  KeySamples samples(0, 1);
  samples.Add(SampleKey(), {{1, {}}, {1, {}}}, false, 1);
  samples.Add(SampleKey(), {{1, "pk"}, {1, "pk"}}, false, 1);
  const std::vector<KeySample> kept = samples.InOrderOfTime();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].key, "");
  EXPECT_EQ(kept[1].key, "pk");
}

}  // namespace
}  // namespace hashrange::test
