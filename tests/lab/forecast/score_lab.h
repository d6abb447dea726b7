// The lab of forecasts: scores that are submitted, and the list of the ten greatest, with one index
// key or with ten.
#pragma once

namespace hashrange {

// A score is smaller than 1 KB: one unit to write it, and one to write its entry.
inline constexpr const char* kScoreLab = R"(
lab: 1
entities:
  Score: {count: 2000, attributes: {player_id: {sequence: 6}, score: {number: [0, 9999]}}}
access_patterns:
  submit: {create: Score, rate: 20/s}
  top ten: {query: Score, order: -score, limit: 10, rate: 100/s}
layouts:
  one key:
    tables:
      scores:
        key: [PK]
        indexes: {ByScore: {key: [BOARD, RANK], projection: all}}
        items: {Score: {PK: "{player_id}", BOARD: ALL, RANK: "{score:04}"}}
  ten shards:
    like: one key
    tables: {scores: {items: {Score: {BOARD: "S#{shard(player_id, 10)}"}}}}
traffic: [{for: 1m, rate: 1}]
)";

}  // namespace hashrange
