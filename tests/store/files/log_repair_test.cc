#include "store/files/log_repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <leveldb/db.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/checksums.h"
#include "store/files/file_names.h"
#include "store/files/log_records.h"
#include "store/files/ordered_files.h"
#include "support/chance.h"
#include "support/simulated_disk.h"

namespace hashrange {
namespace {

using test::Below;
using test::SimulatedDisk;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(FileNames, AreParsed) {
  const auto parsed = [](std::string_view path) {
    const auto name = ParseStoreFileName(path);
    return name ? std::to_string(static_cast<int>(name->kind)) + ":" + std::to_string(name->number)
                : "none";
  };
  EXPECT_EQ(parsed("/d/000005.log"), "0:5");
  EXPECT_EQ(parsed("MANIFEST-000002"), "1:2");
  EXPECT_EQ(parsed("d/000007.ldb"), "2:7");
  EXPECT_EQ(parsed("000007.sst"), "2:7");
  EXPECT_EQ(parsed("000002.dbtmp"), "3:2");
  for (const char* other : {"", ".log", "CURRENT", "MANIFEST-", "x1.log", "1x.log", "LOCK"}) {
    EXPECT_EQ(parsed(other), "none") << other;
  }
  EXPECT_EQ(LogFileName(5), "000005.log");
  EXPECT_EQ(LogFileName(12345678), "12345678.log");
  EXPECT_EQ(DirectoryOf("/a/b"), "/a");
  EXPECT_EQ(DirectoryOf("/a"), "/");
  EXPECT_EQ(DirectoryOf("a"), ".");
  EXPECT_EQ(PathIn("/a", "b"), "/a/b");
}

// A LevelDB on a simulated disk, with some batches in its log.
class LogRepairTest : public ::testing::Test {
 protected:
  LogRepairTest() { disk_.CreateDir("d"); }

  void Open() {
    files_.emplace(disk_, OrderedFiles::Options{});
    leveldb::Options options;
    options.create_if_missing = true;
    options.paranoid_checks = true;
    options.env = &*files_;
    options.write_buffer_size = 64 << 10;
    leveldb::DB* db = nullptr;
    const leveldb::Status status = leveldb::DB::Open(options, "d", &db);
    ASSERT_TRUE(status.ok()) << status.ToString();
    db_.reset(db);
  }
  void Close() {
    db_.reset();
    files_.reset();
  }
  void Put(int number, std::size_t bytes = 100) {
    const leveldb::Status status =
        db_->Put(leveldb::WriteOptions(), std::to_string(number), std::string(bytes, 'x'));
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  bool Has(int number) {
    std::string value;
    return db_ && db_->Get(leveldb::ReadOptions(), std::to_string(number), &value).ok();
  }
  std::vector<std::string> Logs() {
    std::vector<std::string> logs;
    for (const std::string& name : disk_.FilesIn("d")) {
      if (name.ends_with(".log")) logs.push_back(name);
    }
    return logs;
  }
  std::string Manifest() {
    std::string name = disk_.Content("d/CURRENT");
    name.pop_back();
    return "d/" + name;
  }
  // Returns what was cut, without the names of the files that keep it.
  std::vector<CutFile> Cut(CutMode mode = CutMode::kStart) {
    std::map<std::string, std::string> before;
    for (const std::string& name : disk_.FilesIn("d")) before[name] = disk_.Content("d/" + name);
    auto cut = CutDamagedEnds(disk_, "d", mode);
    EXPECT_TRUE(cut.ok()) << cut.error().message;
    if (!cut.ok()) return {};
    for (CutFile& file : cut->files) {
      EXPECT_EQ(file.kept_as.empty(), mode == CutMode::kReopen || file.cut_bytes == 0);
      if (file.kept_as.empty()) continue;
      EXPECT_EQ(disk_.Content("d/" + file.kept_as), before[file.name].substr(file.kept_bytes));
      file.kept_as.clear();
    }
    return cut->files;
  }
  std::string Refusal() {
    const auto cut = CutDamagedEnds(disk_, "d", CutMode::kStart);
    return cut.ok() ? "" : cut.error().message;
  }

  SimulatedDisk disk_{1};
  std::optional<OrderedFiles> files_;
  std::unique_ptr<leveldb::DB> db_;
};

TEST_F(LogRepairTest, NothingIsCutOfSoundFiles) {
  EXPECT_THAT(Cut(), IsEmpty());
  Open();
  EXPECT_THAT(Cut(), IsEmpty());
  for (int i = 0; i < 3; ++i) Put(i, 40'000);  // a record of several blocks, and padding
  Close();
  EXPECT_THAT(Cut(), IsEmpty());
}

// What LevelDB does without the repair is the reason for it.
TEST_F(LogRepairTest, LevelDbItselfGoesOnBehindDamage) {
  Open();
  for (int i = 0; i < 400; ++i) Put(i);
  Close();
  disk_.Flip("d/" + Logs().at(0), 1000);
  leveldb::Options options;
  options.env = &disk_;
  leveldb::DB* db = nullptr;
  ASSERT_TRUE(leveldb::DB::Open(options, "d", &db).ok());
  db_.reset(db);
  EXPECT_TRUE(Has(0));
  EXPECT_FALSE(Has(10));
  EXPECT_TRUE(Has(399));
}

TEST_F(LogRepairTest, LogIsCutAtItsFirstDamagedRecord) {
  Open();
  for (int i = 0; i < 400; ++i) Put(i);
  Close();
  const std::string log = Logs().at(0);
  const std::uint64_t size = disk_.Content("d/" + log).size();
  disk_.Flip("d/" + log, 1000);
  const std::vector<CutFile> cut = Cut();
  ASSERT_EQ(cut.size(), 1u);
  EXPECT_EQ(cut[0].name, log);
  EXPECT_EQ(cut[0].kept_bytes + cut[0].cut_bytes, size);
  EXPECT_EQ(cut[0].lost_changes, 391u) << "8 are sound, and one is damaged";
  EXPECT_EQ(disk_.Content("d/" + log).size(), cut[0].kept_bytes);
  EXPECT_THAT(Cut(), IsEmpty());
  Open();
  EXPECT_TRUE(Has(0));
  EXPECT_TRUE(Has(6));
  EXPECT_FALSE(Has(10));
  EXPECT_FALSE(Has(399));
}

// A flush that fails may drop what was written before the damage and is still to be read.
TEST_F(LogRepairTest, NothingIsFlushedByACut) {
  Open();
  for (int i = 0; i < 10; ++i) Put(i);
  disk_.SetFaults({.all_writes = true});
  EXPECT_FALSE(db_->Put(leveldb::WriteOptions(), "10", std::string(1000, 'x')).ok());
  Close();
  disk_.SetFaults({.all_flushes = true, .hides_dropped = true});
  const std::vector<CutFile> cut = Cut(CutMode::kReopen);
  ASSERT_EQ(cut.size(), 1u);
  EXPECT_GT(cut[0].cut_bytes, 0u);
  disk_.SetFaults({});
  Open();
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(Has(i)) << i;
  EXPECT_FALSE(Has(10));
}

// Wherever the log ends or is damaged: what is left is a beginning of what was written.
TEST_F(LogRepairTest, AnyDamageLeavesABeginning) {
  Open();
  for (int i = 0; i < 20; ++i) Put(i, i == 7 ? 50'000 : 50);
  Close();
  const std::string path = "d/" + Logs().at(0);
  const std::string sound = disk_.Content(path);
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    std::string damaged = sound;
    const std::size_t at = Below(random, sound.size());
    if (round % 2 == 0) {
      damaged.resize(at);
    } else {
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << Below(random, 8)));
    }
    const LogScan scan = ScanLog(damaged, std::nullopt);
    EXPECT_LE(scan.sound_bytes, at);
    EXPECT_TRUE(sound.starts_with(damaged.substr(0, scan.sound_bytes)));
    EXPECT_EQ(scan.is_damaged, scan.sound_bytes < damaged.size());
    const LogScan again = ScanLog(damaged.substr(0, scan.sound_bytes), std::nullopt);
    EXPECT_EQ(again.records, scan.records);
    EXPECT_FALSE(again.is_damaged);
  }
  EXPECT_EQ(ScanLog(sound, std::nullopt).records, 20u);
}

constexpr auto kAdvice =
    "hashrange repair d cuts off what is damaged, and keeps it beside the rest";

// A fragment of a record, or a whole one, as LevelDB writes it.
std::string FragmentOf(char type, const std::string& bytes) {
  const std::uint32_t checksum = Crc32c(type + bytes);
  const std::uint32_t masked = (checksum >> 15 | checksum << 17) + 0xa282ead8U;
  std::string fragment;
  for (int i = 0; i < 4; ++i) fragment.push_back(static_cast<char>(masked >> (8 * i)));
  fragment.push_back(static_cast<char>(bytes.size()));
  fragment.push_back(static_cast<char>(bytes.size() >> 8));
  return fragment + type + bytes;
}

// A record with a batch of so many changes, which are `changes`.
std::string RecordOf(std::uint64_t sequence, char count, const std::string& changes) {
  std::string batch;
  for (int i = 0; i < 8; ++i) batch.push_back(static_cast<char>(sequence >> (8 * i)));
  return FragmentOf('\1', batch + count + std::string("\0\0\0", 3) + changes);
}

// The record of a log with that number for its first change, which it makes twice.
std::string RecordFrom(std::uint64_t sequence) {
  return RecordOf(sequence, 2, "\1\1k\1v" + std::string("\0\1k", 3));
}

// A record with one change, which states how far a log was flushed.
std::string Stating(std::uint64_t sequence, const LogPosition& position) {
  return RecordOf(sequence, 1, "\1\1L\x10" + EncodeLogPosition(position));
}

class SeveralLogsTest : public LogRepairTest {
 protected:
  void SetUp() override {
    Open();
    Close();
    number_ = ParseStoreFileName(Logs().at(0))->number;
  }
  void SetLog(std::uint64_t place, const std::string& content) {
    disk_.SetContent("d/" + Name(place), content);
  }
  std::string Name(std::uint64_t place) const { return LogFileName(number_ + place); }

  std::uint64_t number_ = 0;
};

TEST_F(SeveralLogsTest, WhatDoesNotFollowTheSoundBeginningIsCut) {
  const std::string first = RecordFrom(1), second = RecordFrom(3), third = RecordFrom(5);
  const std::uint64_t size = first.size();
  const struct {
    const char* name;
    std::vector<std::string> logs;
    std::vector<CutFile> cut;
  } rows[] = {
      {"logs that follow each other", {first + second, third, ""}, {}},
      {"a log behind a damaged one",
       {first + second.substr(0, 20), third},
       {{Name(0), size, 20}, {Name(1), 0, size, 0, 2}}},
      {"a log that follows the sound part of a damaged one",
       {first + "torn", second},
       {{Name(0), size, 4}}},
      {"a log behind one that lost its end", {first, third}, {{Name(1), 0, size, 0, 2}}},
      {"a log behind an empty one", {"", third}, {{Name(1), 0, size, 0, 2}}},
      {"a gap in a log", {first + RecordFrom(4)}, {{Name(0), size, size, 0, 2}}},
      // Nothing is left of the log before, so nothing says what would follow it.
      {"a log behind one whose first record is damaged",
       {"torn" + first, second},
       {{Name(0), 0, size + 4, 0, 2}, {Name(1), 0, size, 0, 2}}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    for (const std::string& log : Logs()) ASSERT_TRUE(disk_.RemoveFile("d/" + log).ok());
    for (std::size_t i = 0; i < row.logs.size(); ++i) SetLog(i, row.logs[i]);
    EXPECT_EQ(Cut(), row.cut);
    EXPECT_THAT(Cut(), IsEmpty());
  }
}

TEST_F(SeveralLogsTest, AMissingLogIsAnError) {
  ASSERT_TRUE(disk_.RemoveFile("d/" + Name(0)).ok());
  EXPECT_EQ(Refusal(), "d/" + Name(0) + " is missing; " + kAdvice);
}

// A log with three records. What is known of it is that the first two are on the disk.
class FlushedLogTest : public SeveralLogsTest {
 protected:
  void SetUp() override {
    SeveralLogsTest::SetUp();
    SetLog(0, log_);
    ASSERT_TRUE(WriteLogEnds(disk_, "d", {{number_, flushed_}}).ok());
  }
  std::string LogWithFlipAt(std::size_t at) const {
    std::string log = log_;
    log.at(at) = static_cast<char>(log[at] ^ 0x10);
    return log;
  }

  const std::string log_ = RecordFrom(1) + RecordFrom(3) + RecordFrom(5);
  const std::size_t record_ = RecordFrom(1).size();
  const std::size_t flushed_ = 2 * record_;
};

TEST_F(FlushedLogTest, DamageBehindWhatWasFlushedIsCut) {
  const struct {
    std::string log;
    std::vector<CutFile> cut;
  } rows[] = {
      {log_, {}},
      {log_.substr(0, flushed_), {}},
      {log_.substr(0, flushed_ + 1), {{Name(0), flushed_, 1, flushed_}}},
      {LogWithFlipAt(flushed_), {{Name(0), flushed_, record_, flushed_}}},
      {LogWithFlipAt(log_.size() - 1), {{Name(0), flushed_, record_, flushed_}}},
  };
  for (const auto& row : rows) {
    SetLog(0, row.log);
    EXPECT_EQ(Cut(), row.cut) << testing::PrintToString(row.log);
  }
}

TEST_F(FlushedLogTest, DamageOfWhatWasFlushedIsAnErrorAndStays) {
  const std::string damaged =
      " is damaged from byte 27 on, and at least 54 bytes were on the disk: ";
  const std::string shorter = " bytes, and at least 54 bytes were on the disk";
  const struct {
    std::string log;
    std::string loss;
  } rows[] = {
      {LogWithFlipAt(record_), damaged + "54 bytes, with 2 whole changes, are lost"},
      {LogWithFlipAt(flushed_ - 1), damaged + "54 bytes, with 2 whole changes, are lost"},
      {log_.substr(0, flushed_ - 1), damaged + "26 bytes, with 0 whole changes, are lost"},
      {log_.substr(0, record_), " has lost its end: it has 27" + shorter},
      {"", " has lost its end: it has 0" + shorter},
  };
  for (const auto& row : rows) {
    SetLog(0, row.log);
    EXPECT_EQ(Refusal(), "d/" + Name(0) + row.loss + "; " + kAdvice);
    EXPECT_EQ(disk_.Content("d/" + Name(0)), row.log);
  }
}

TEST_F(FlushedLogTest, AMissingLogThatIsNotTheOldestIsAnError) {
  ASSERT_TRUE(WriteLogEnds(disk_, "d", {{number_, flushed_}, {number_ + 1, 0}}).ok());
  EXPECT_EQ(Refusal(), "d/" + Name(1) + " is missing; " + kAdvice);
  ASSERT_TRUE(WriteLogEnds(disk_, "d", {{number_, flushed_}, {number_ + 1, 7}}).ok());
  EXPECT_EQ(Refusal(), "d/" + Name(1) +
                           " is missing, and at least 7 bytes of it were on the disk; " + kAdvice);
}

TEST_F(FlushedLogTest, TheOldestLogIsMissedAlsoIfNothingIsKnownOfIt) {
  disk_.RemoveFile("d/HASHRANGE.logs");
  disk_.RemoveFile("d/" + Name(0));
  EXPECT_EQ(Refusal(), "d/" + Name(0) + " is missing; " + kAdvice);
}

// The record behind the damage was written when what is damaged was on the disk.
TEST_F(FlushedLogTest, ARecordBehindTheDamageSaysThatItWasFlushed) {
  disk_.RemoveFile("d/HASHRANGE.logs");
  const std::string damaged = RecordFrom(1) + "torn" + RecordFrom(3).substr(4);
  SetLog(0, damaged + Stating(5, {number_, record_ + 1}));
  EXPECT_THAT(Refusal(), testing::StartsWith("d/" + Name(0) +
                                             " is damaged from byte 27 on, and at "
                                             "least 28 bytes were on the disk: "));
  // A power cut damages what was not flushed, in any order.
  SetLog(0, damaged + Stating(5, {number_, record_}));
  ASSERT_EQ(Cut().size(), 1u);
  // So does a record in the next log.
  SetLog(0, damaged);
  SetLog(1, Stating(7, {number_, 2 * record_}));
  EXPECT_THAT(Refusal(), testing::StartsWith("d/" + Name(0) +
                                             " is damaged from byte 27 on, and at "
                                             "least 54 bytes were on the disk: "));
}

// An item may hold bytes that look like a record.
TEST_F(FlushedLogTest, WhatNoServerStatesIsNotBelieved) {
  for (const LogPosition position : {LogPosition{number_ + 1, 0}, LogPosition{number_, 1000}}) {
    SetLog(0, log_ + "torn" + Stating(7, position));
    EXPECT_THAT(Cut(), ElementsAre(CutFile{Name(0), 3 * record_, 4 + Stating(7, position).size(),
                                           flushed_}));
  }
}

TEST_F(FlushedLogTest, ARecordOfAnotherLogSaysThatALogIsMissing) {
  disk_.RemoveFile("d/HASHRANGE.logs");
  SetLog(0, RecordFrom(1));
  SetLog(2, Stating(5, {number_ + 1, 9}));
  EXPECT_THAT(Refusal(), testing::HasSubstr(Name(1) + " is missing, and at least 9 bytes"));
}

TEST_F(FlushedLogTest, ARepairCutsOffAndKeepsWhatIsLost) {
  SetLog(1, RecordFrom(7));
  disk_.Flip("d/" + Name(0), record_);
  const CutFile expected[] = {{Name(0), record_, 2 * record_, flushed_, 2},
                              {Name(1), 0, record_, 0, 2}};
  EXPECT_THAT(Cut(CutMode::kRepair), testing::ElementsAreArray(expected));
  EXPECT_EQ(disk_.Content("d/" + Name(0)), RecordFrom(1));
  EXPECT_EQ(disk_.Content("d/" + Name(1)), "");
  EXPECT_THAT(Cut(CutMode::kRepair), IsEmpty());
  EXPECT_THAT(Cut(), IsEmpty()) << "a start has nothing to refuse";
  disk_.CutPower();
  disk_.StartAgain();
  EXPECT_EQ(disk_.Content("d/" + Name(0)), RecordFrom(1)) << "the repair is flushed";
}

TEST_F(FlushedLogTest, ARepairGoesOnWithoutAMissingLog) {
  SetLog(1, RecordFrom(7));
  disk_.RemoveFile("d/" + Name(0));
  CutFile missing{Name(0), 0, 0, flushed_, 0, true};
  EXPECT_THAT(Cut(CutMode::kRepair), ElementsAre(missing, CutFile{Name(1), 0, record_, 0, 2}));
  const auto ends = ReadLogEnds(disk_, "d");
  ASSERT_TRUE(ends.ok());
  EXPECT_EQ(*ends, (LogEnds{{number_ + 1, 0}})) << "the next start does not miss it";
}

TEST_F(FlushedLogTest, ARepairReplacesNoFileOfAnEarlierOne) {
  disk_.SetContent("d/" + Name(0) + ".lost-27", "earlier");
  for (int round = 0; round < 2; ++round) {
    SetLog(0, log_.substr(0, 2 * record_ - 1));
    ASSERT_TRUE(WriteLogEnds(disk_, "d", {{number_, flushed_}}).ok());
    Cut(CutMode::kRepair);
  }
  EXPECT_EQ(disk_.Content("d/" + Name(0) + ".lost-27"), "earlier");
  EXPECT_EQ(disk_.Content("d/" + Name(0) + ".lost-27-2"), log_.substr(27, 26));
  EXPECT_FALSE(disk_.FileExists("d/" + Name(0) + ".lost-27-3")) << "the same is not kept twice";
}

// After any end of a repair, another one leaves the same beginning and has kept the same bytes.
TEST_F(FlushedLogTest, AnInterruptedRepairIsFinishedLater) {
  for (int nth = 1; nth < 12; ++nth) {
    SCOPED_TRACE(nth);
    SetUp();
    SetLog(0, log_.substr(0, record_) + "torn" + log_.substr(record_ + 4));
    disk_.RemoveFile("d/" + Name(0) + ".lost-27");
    disk_.SetFaults({.every_nth_change = nth});
    (void)CutDamagedEnds(disk_, "d", CutMode::kRepair).ok();
    disk_.CutPower();
    disk_.StartAgain();
    disk_.SetFaults({});
    Cut(CutMode::kRepair);
    EXPECT_EQ(disk_.Content("d/" + Name(0)), RecordFrom(1));
    EXPECT_EQ(disk_.Content("d/" + Name(0) + ".lost-27"), "torn" + log_.substr(record_ + 4));
    EXPECT_THAT(Cut(), IsEmpty());
  }
}

TEST_F(FlushedLogTest, AStartKeepsOnlyWhatItHasCutItself) {
  disk_.SetContent("d/000001.log.cut-5", "earlier");
  disk_.SetContent("d/000001.log.lost-5", "repaired");
  SetLog(0, log_ + "torn");
  EXPECT_EQ(Cut().size(), 1u);
  EXPECT_EQ(disk_.Content("d/" + Name(0) + ".cut-81"), "torn");
  EXPECT_FALSE(disk_.FileExists("d/000001.log.cut-5"));
  EXPECT_EQ(disk_.Content("d/000001.log.lost-5"), "repaired");
}

// What a disk cannot keep is not cut off.
TEST_F(FlushedLogTest, NothingIsCutThatIsNotKept) {
  SetLog(0, log_ + "torn");
  disk_.SetFaults({.all_flushes = true});
  EXPECT_THAT(Refusal(), testing::StartsWith("cannot write d/" + Name(0) + ".cut-81: "));
  EXPECT_EQ(disk_.Content("d/" + Name(0)), log_ + "torn");
}

TEST_F(FlushedLogTest, DamagedEndsOfLogsAreAnErrorThatARepairMends) {
  disk_.SetContent("d/HASHRANGE.logs", "000003.log 62\n");
  EXPECT_EQ(Refusal(), std::string("d/HASHRANGE.logs is damaged; ") + kAdvice);
  EXPECT_THAT(Cut(CutMode::kRepair), ElementsAre(CutFile{"HASHRANGE.logs", 0, 14, 14}));
  EXPECT_EQ(disk_.Content("d/HASHRANGE.logs.lost-0"), "000003.log 62\n");
  EXPECT_THAT(Cut(), IsEmpty());
}

TEST(LogEndsFile, AnyDamageIsFound) {
  SimulatedDisk disk(1);
  disk.CreateDir("d");
  EXPECT_EQ(*ReadLogEnds(disk, "d"), LogEnds());
  const LogEnds ends = {{3, 0}, {12, 4113}, {UINT64_MAX, UINT64_MAX}};
  ASSERT_TRUE(WriteLogEnds(disk, "d", ends).ok());
  EXPECT_EQ(*ReadLogEnds(disk, "d"), ends);
  const std::string sound = disk.Content("d/HASHRANGE.logs");
  EXPECT_TRUE(sound.starts_with("000003.log 0\n000012.log 4113\n")) << sound;
  for (std::size_t at = 0; at < sound.size(); ++at) {
    std::string damaged = sound;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    for (const std::string& text : {damaged, sound.substr(0, at)}) {
      disk.SetContent("d/HASHRANGE.logs", text);
      EXPECT_FALSE(ReadLogEnds(disk, "d").ok()) << text;
    }
  }
}

// Random bytes and bytes that look like the beginnings of records do not keep a start busy.
TEST(LogRecords, DamageIsSearchedThroughInBoundedTime) {
  std::string bytes(4 << 20, '\1');
  EXPECT_EQ(ScanLog(bytes, std::nullopt).lost_changes, 0u);
  const std::size_t begin = bytes.size();
  bytes += RecordFrom(1);
  const LogScan scan = ScanLog(bytes, std::nullopt);
  EXPECT_EQ(scan.sound_bytes, 0u);
  EXPECT_EQ(begin % 32768, 0u);
  EXPECT_EQ(scan.lost_changes, 2u) << "the beginning of a block is always looked at";
}

TEST_F(LogRepairTest, AManifestWithoutANumberOfALogIsAnError) {
  Open();
  Close();
  const std::string sound = disk_.Content(Manifest());
  LogRecordReader reader(sound);
  ASSERT_TRUE(reader.Next());
  disk_.SetContent(Manifest(), sound.substr(0, reader.end_of_records()));
  EXPECT_EQ(Refusal(), Manifest() + " is damaged");
}

TEST_F(LogRepairTest, TornLastEditOfTheManifestIsCut) {
  Open();
  Put(1);
  Close();
  const std::string sound = disk_.Content(Manifest());
  for (const std::string& tail :
       {std::string("x"), std::string(700, '\0'), sound.substr(0, 20) + std::string(30, '\0')}) {
    disk_.SetContent(Manifest(), sound + tail);
    EXPECT_THAT(Cut(), ElementsAre(CutFile{std::string(NameInPath(Manifest())), sound.size(),
                                           tail.size()}));
    EXPECT_EQ(disk_.Content(Manifest()), sound);
  }
  Open();
  EXPECT_TRUE(Has(1));
}

// The torn edit begins at a block, behind the padding of the block before, and its first fragment
// is sound.
TEST_F(LogRepairTest, ATornEditBehindPaddingIsCut) {
  Open();
  Close();
  for (std::size_t padding = 0; padding < 10; ++padding) {
    std::string sound = disk_.Content(Manifest());
    // An edit with the name of a comparator that fills the block but for the padding.
    const std::size_t name = 32768 - padding - sound.size() - 7 - 4;
    sound += FragmentOf(
        '\1', '\1' +
                  std::string{static_cast<char>(name | 0x80), static_cast<char>(name >> 7 | 0x80),
                              static_cast<char>(name >> 14)} +
                  std::string(name, 'n'));
    ASSERT_EQ(sound.size(), 32768 - padding);
    const std::string zeros(padding < 7 ? padding : 0, '\0');
    const std::string torn = FragmentOf('\2', std::string(padding < 7 ? 32761 : padding - 7, 'e'));
    disk_.SetContent("d/copy", disk_.Content(Manifest()));
    disk_.SetContent(Manifest(), sound + zeros + torn + "torn");
    EXPECT_THAT(Cut(), ElementsAre(CutFile{std::string(NameInPath(Manifest())), sound.size(),
                                           zeros.size() + torn.size() + 4}))
        << padding;
    disk_.SetContent(Manifest(), disk_.Content("d/copy"));
  }
}

TEST_F(LogRepairTest, OtherDamageOfTheManifestIsAnError) {
  Open();
  Close();
  const std::string sound = disk_.Content(Manifest());
  for (std::size_t at = 0; at < sound.size(); ++at) {
    std::string damaged = sound + sound;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    disk_.SetContent(Manifest(), damaged);
    EXPECT_EQ(Refusal(), Manifest() + " is damaged") << at;
  }
  disk_.SetContent(Manifest(), "");
  EXPECT_EQ(Refusal(), Manifest() + " is damaged");
  disk_.SetContent("d/CURRENT", "../MANIFEST-000001\n");
  EXPECT_EQ(Refusal(), "d/CURRENT is damaged");
}

TEST_F(LogRepairTest, CutFilesAreNamedInASentence) {
  EXPECT_EQ(CutFileText({"000012.log", 4000, 113}),
            "the end of 000012.log is damaged: 113 of its 4113 bytes are cut off");
}

}  // namespace
}  // namespace hashrange
