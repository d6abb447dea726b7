// Numbers of a lab file that get other values.
#include "lab/forecast/varied_file.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace hashrange {
namespace {

constexpr const char* kFile = R"(
lab: 1
entities:
  Player: {count: 5000, attributes: {player_id: {sequence: 6}, note: {text: [8, 24]}, team: {choice: {a.b: 3, c: 1}}}}
  Score: {of: Player, count: {zipf: 0.7, mean: 4}, attributes: {score_id: {ulid: at}, at: {time: {past: 365d}}}}
access_patterns:
  submit a score: {create: Score, rate: 20/s}
  v1.5: {get: Player, by: [player_id], rate: 6/min}
layouts:
  plain:
    tables: {app: {key: [PK, SK], billing: {read: 50, write: 10}, items: {Player: {PK: "P#{player_id}", SK: P}, Score: {PK: "P#{player_id}", SK: "S#{at}"}}}}
  shards:
    like: plain
    tables: {app: {items: {Player: {PK: "P#{shard(player_id, 8)}#{shard(note,8)}", SK: "{player_id}"}}}}
  uneven:
    like: plain
    tables: {app: {items: {Player: {PK: "P#{shard(player_id, 8)}#{shard(note, 4)}", SK: "{player_id}"}}}}
traffic: [{for: 10m, rate: 1}]
)";

Result<VariedFile> Varied(std::string_view path) {
  auto document = ReadLabDocument(kFile, "test.yaml");
  EXPECT_TRUE(document.ok());
  return VariedFile::Find(std::move(*document), "test.yaml", path);
}

struct PathRow {
  const char* path;
  const char* declared;
};
constexpr PathRow kPaths[] = {
    {"rates.submit a score", "20/s"},
    {"access_patterns.submit a score.rate", "20/s"},
    {"rates.v1.5", "6/min"},
    {"counts.Player", "5000"},
    {"entities.Score.count.mean", "4"},
    {"Player.note.text.1", "24"},
    {"Player.team.choice.a.b", "3"},
    {"Score.at.time.past", "365d"},
    {"layouts.plain.tables.app.billing.read", "50"},
    {"layouts.shards.shards", "8"},
    {"traffic.0.for", "10m"},
};

TEST(VariedFile, FindsNumbersByTheirPaths) {
  for (const PathRow& row : kPaths) {
    const auto file = Varied(row.path);
    ASSERT_TRUE(file.ok()) << row.path << ": " << file.error().message;
    EXPECT_EQ(TextOfNumber(file->declared()), row.declared) << row.path;
  }
}

TEST(VariedFile, NamesNumbersWhereNoneHasThePath) {
  const std::string others =
      "Numbers of the file are \"counts.Player\", \"rates.submit a score\", \"rates.v1.5\", "
      "\"layouts.shards.shards\", \"layouts.uneven.shards\", "
      "\"Player.player_id.sequence\", \"Player.note.text.0\", \"Player.note.text.1\", "
      "\"Player.team.choice.a.b\", \"Player.team.choice.c\", "
      "\"entities.Score.count.zipf\", \"entities.Score.count.mean\" and 5 more";
  const auto text = [](std::string_view path) {
    const auto file = Varied(path);
    return file.ok() ? "" : file.error().message;
  };
  EXPECT_EQ(text("rates.submit a scor"),
            "unknown number \"rates.submit a scor\"; did you mean rates.submit a score? " + others);
  EXPECT_EQ(text("counts.Score"), "unknown number \"counts.Score\". " + others);
  EXPECT_EQ(
      text("layouts.plain.shards"),
      "unknown number \"layouts.plain.shards\"; did you mean layouts.shards.shards? " + others);
  EXPECT_EQ(text(""), "unknown number \"\". " + others);
  EXPECT_EQ(text("layouts.uneven.shards"),
            "there are 8 shards and 4: a number that is varied has one declared value");
}

TEST(VariedFile, ReplacesTheNumberBeforeTheFileIsRead) {
  auto rate = Varied("rates.v1.5");
  ASSERT_TRUE(rate.ok());
  auto file = rate->With({.number = 0.5, .unit = "/s"});
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->patterns[1].calls_per_second, 0.5);
  file = rate->With({.number = 30, .unit = "/min", .is_whole = true});
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->patterns[1].calls_per_second, 0.5);

  auto shards = Varied("layouts.shards.shards");
  ASSERT_TRUE(shards.ok());
  for (const double number : {16.0, 4.0}) {
    file = shards->With({.number = number, .is_whole = true});
    ASSERT_TRUE(file.ok()) << file.error().message;
    const LabTemplate& key = file->layouts[1].items.front().keys.front().text;
    const std::string text = TextOfNumber({.number = number, .is_whole = true});
    EXPECT_EQ(key.text, "P#{shard(player_id, " + text + ")}#{shard(note," + text + ")}");
  }
}

TEST(VariedFile, WhatTheReaderRefusesIsRefused) {
  auto count = Varied("counts.Player");
  ASSERT_TRUE(count.ok());
  const auto file = count->With({.number = 2.5});
  ASSERT_FALSE(file.ok());
  EXPECT_TRUE(file.error().message.starts_with("test.yaml:4:")) << file.error().message;
}

TEST(VariedFile, NumbersAreWrittenToThreeDigits) {
  EXPECT_EQ(TextOfNumber({.number = 0.12345, .unit = "/s"}), "0.123/s");
  EXPECT_EQ(TextOfNumber({.number = 2.5, .unit = "d"}), "2.5d");
  EXPECT_EQ(TextOfNumber({.number = 40, .unit = "/s"}), "40/s");
  EXPECT_EQ(TextOfNumber({.number = 12345.6}), "12346");
  EXPECT_EQ(TextOfNumber({.number = 1234567, .is_whole = true}), "1234567");
  EXPECT_EQ(TextOfNumber({}), "0");
}

struct RangeRow {
  const char* text;
  const char* read;  // "path from to unit", and "multiple" or "whole"; or the error
};
constexpr const char* kForm =
    " is no range of a number: it is written as rates.NAME=0.1/s..100/s, "
    "counts.NAME=1000..100000 or NAME=x0.1..x10";
constexpr RangeRow kRanges[] = {
    {"rates.a b=0.1/s..100/s", "rates.a b 0.1 100 /s"},
    {"rates.a=1..100/s", "rates.a 1 100 /s whole"},
    {"a=b=1..2", "a=b 1 2  whole"},
    {"x=x0.5..x2", "x 0.5 2  multiple"},
    {"rates.a=1/s..100/min",
     "the range \"1/s..100/min\" has two units; both ends have the same, or the first has none"},
    {"rates.a=1/s..100",
     "the range \"1/s..100\" has two units; both ends have the same, or the first has none"},
    {"a=5..5", "the range \"5..5\" has to begin below its end"},
    {"a=5..1", "the range \"5..1\" has to begin below its end"},
    {"a", nullptr},
    {"=1..2", nullptr},
    {"a=1", nullptr},
    {"a=..2", nullptr},
    {"a=-1..2", nullptr},
    {"a=1e3..1e4", nullptr},
    {"a=1/x..2/x", nullptr},
    {"a=x1..2", nullptr},
    {"a=x1/s..x2/s", nullptr},
    {"a=1..99999999999999999999", nullptr},
};

TEST(VariedRange, IsReadOrRefused) {
  for (const RangeRow& row : kRanges) {
    const auto range = ReadVariedRange(row.text);
    std::string read;
    if (range.ok()) {
      read = range->path + " " + TextOfNumber({.number = range->from}) + " " +
             TextOfNumber({.number = range->to}) + " " + range->unit;
      if (range->is_multiple)
        read += " multiple";
      else if (range->is_whole)
        read += " whole";
    } else {
      read = range.error().message;
    }
    EXPECT_EQ(read, row.read ? row.read : "\"" + std::string(row.text) + "\"" + kForm);
  }
}

}  // namespace
}  // namespace hashrange
