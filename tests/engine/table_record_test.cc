#include "engine/table_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/full_table.h"

namespace hashrange::test {
namespace {

std::string ProblemOf(const TableVersion& table) {
  const auto decoded = DecodeTable(EncodeTable(table));
  return decoded.ok() ? "" : decoded.error().message;
}

TEST(TableRecord, HasAllOfASimpleAndOfAFullTable) {
  auto simple = NewTable("t", KeysOf("pk"));
  simple->settings.stream.reset();
  const auto full = FullTable("t");
  for (const TableVersion* table : {simple.get(), full.get()}) {
    const auto decoded = DecodeTable(EncodeTable(*table));
    ASSERT_TRUE(decoded.ok()) << decoded.error().message;
    ExpectSame(*table, **decoded);
  }
}

TEST(TableRecord, HasWhatTheTableBecomes) {
  const auto table = FullTableInTransition("t");
  const auto decoded = DecodeTable(EncodeTable(*table));
  ASSERT_TRUE(decoded.ok()) << decoded.error().message;
  ExpectSame(*table, **decoded);
  const TableVersion& next = *(*decoded)->phase.next;
  EXPECT_EQ(next.tags, (*decoded)->tags);
  EXPECT_EQ(next.phase.next->tags, (*decoded)->tags);
}

TEST(TableRecord, EveryPhaseOfAnIndexIsKept) {
  for (int phase = 0; phase <= static_cast<int>(IndexPhase::kDeletingUnfilled); ++phase) {
    auto table = NewTable("t", KeysOf("pk"), {GlobalIndex("i", KeysOf("v"))});
    table->indexes[0].phase = static_cast<IndexPhase>(phase);
    const auto decoded = DecodeTable(EncodeTable(*table));
    ASSERT_TRUE(decoded.ok());
    EXPECT_EQ((*decoded)->indexes[0].phase, table->indexes[0].phase);
  }
}

TEST(TableRecord, ImpossibleTablesAreRefused) {
  auto table = NewTable("t", KeysOf("pk"));
  EXPECT_EQ(ProblemOf(*table), "");
  table->settings.stream->view_type = "ALL";
  const std::string begin = "the record of a table is damaged: ";
  EXPECT_EQ(ProblemOf(*table), begin + "its stream has an impossible view");
  EXPECT_EQ(ProblemOf(*NewTable("", KeysOf("pk"))), begin + "it has no name");
  const KeySchema of_list{{{"pk", AttributeType::kL}}, {}};
  for (const KeySchema& key : {KeySchema(), of_list}) {
    EXPECT_EQ(ProblemOf(*NewTable("t", key)), begin + "it has an impossible key");
  }
  const std::vector<IndexVersion> kImpossible[] = {
      {GlobalIndex("i", of_list)},
      {GlobalIndex("", KeysOf("v"))},
      {GlobalIndex("i", KeySchema())},
      {LocalIndex("i", KeysOf("other", "v"))},
      {GlobalIndex("i", KeysOf("v")), GlobalIndex("i", KeysOf("w"))}};
  for (const std::vector<IndexVersion>& indexes : kImpossible) {
    EXPECT_EQ(ProblemOf(*NewTable("t", KeysOf("pk"), indexes)),
              begin + "it has an impossible index");
  }
}

// Returns the problem of a table with the indexes `now` that becomes one with the indexes `later`.
std::string ProblemOfNext(std::vector<IndexVersion> now, std::vector<IndexVersion> later) {
  auto table = NewTable("t", KeysOf("pk"), std::move(now));
  table->phase.next = TableRef::Adopt(NewTable("t", KeysOf("pk"), std::move(later)).release());
  return ProblemOf(*table);
}

TEST(TableRecord, ImpossiblePhasesAreRefused) {
  const IndexVersion global = GlobalIndex("i", KeysOf("v"));
  const IndexVersion local = LocalIndex("i", KeysOf("pk", "v"));
  IndexVersion creating = global;
  creating.phase = IndexPhase::kBackfilling;
  EXPECT_EQ(ProblemOfNext({}, {global}), "");
  EXPECT_EQ(ProblemOfNext({global}, {}), "");
  const std::string problem = "the record of a table is damaged: its next phase has other indexes";
  EXPECT_EQ(ProblemOfNext({}, {local}), problem);
  EXPECT_EQ(ProblemOfNext({global}, {local}), problem);
  EXPECT_EQ(ProblemOfNext({global}, {GlobalIndex("i", KeysOf("w"))}), problem);
  EXPECT_EQ(ProblemOfNext({creating}, {}), problem);
}

TEST(TableRecord, DamagedBytesAreAnErrorOrATable) {
  const std::string bytes = EncodeTable(*FullTableInTransition("t"));
  std::size_t refused = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    refused += !DecodeTable(std::string_view(bytes).substr(0, size)).ok();
  }
  EXPECT_GT(refused, bytes.size() / 2);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int bit : {0, 1, 2, 5, 7}) {
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      const auto decoded = DecodeTable(flipped);
      if (!decoded.ok()) continue;
      const auto again = DecodeTable(EncodeTable(**decoded));
      ASSERT_TRUE(again.ok());
      ExpectSame(**decoded, **again);
    }
  }
}

TEST(TableRecord, TagsKeepTheirOrder) {
  const std::vector<Tag> tags = {{"b", "1"}, {"a", ""}};
  const auto decoded = DecodeTags(EncodeTags(tags));
  ASSERT_TRUE(decoded.ok());
  ASSERT_EQ(decoded->size(), 2u);
  EXPECT_EQ((*decoded)[0].key, "b");
  EXPECT_EQ((*decoded)[0].value, "1");
  EXPECT_EQ((*decoded)[1].key, "a");
  EXPECT_EQ((*decoded)[1].value, "");
  EXPECT_TRUE(DecodeTags("")->empty());
}

TEST(TableRecord, TooManyTagsAreRefused) {
  const std::vector<Tag> most(TagSet::kMaxTags, Tag{"k", "v"});
  EXPECT_TRUE(DecodeTags(EncodeTags(most)).ok());
  const std::vector<Tag> more(TagSet::kMaxTags + 1, Tag{"k", "v"});
  EXPECT_FALSE(DecodeTags(EncodeTags(more)).ok());
}

}  // namespace
}  // namespace hashrange::test
