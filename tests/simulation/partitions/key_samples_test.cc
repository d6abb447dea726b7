#include "simulation/partitions/key_samples.h"

#include <gtest/gtest.h>

#include <set>

#include "simulation/partitions/sample_positions.h"

namespace hashrange::test {
namespace {

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
