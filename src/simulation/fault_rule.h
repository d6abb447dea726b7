// FaultRule says which calls or accesses it matches, at which of these it fires, and what happens
// then.
//
//   matches, counted from 1:   1 2 3 4 5 6 7 8 9 …
//   skip 2, every 3:               · · ✓ · · ✓ …     times 2: it never fires again after that
//
// With a probability below 1 a random number decides at each ✓. The number at the n-th match
// depends on the rule's seed and n alone, so that a repeated test sees the same faults.
//
// Thread-safe: the counters are exact with any number of threads. Everything else is immutable.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "operation/call/gate.h"
#include "simulation/fault_action.h"
#include "value/attribute_value.h"

namespace hashrange {

// What one attribute of a key must be.
struct KeyPartMatch {
  std::string attribute;
  AttributeType type = AttributeType::kS;
  // The value as a Position encodes it (value/key.h). A prefix has no end marker.
  std::string encoded;
  bool is_prefix = false;
};

// Says which calls, and which accesses to items, a rule is about. An empty member matches anything.
// A match without table, index and key is about whole calls. With one of these it is about single
// accesses or, for an operation without accesses, about the table in its request.
struct FaultMatch {
  std::vector<std::string> operations;  // "GetItem"; none: all
  std::string account_id;
  std::string region;
  std::string table;
  // The name of the index. A write matches when its table has that index, as any write may change
  // the index.
  std::string index;
  // All these parts must match; other parts of the key do not matter. A Query or Scan is compared
  // by the key at which it begins.
  std::vector<KeyPartMatch> key;

  // Returns whether the match is about single accesses and not about whole calls.
  bool IsAboutAccesses() const { return !table.empty() || !index.empty() || !key.empty(); }

  // Compares operation, account and Region.
  bool MatchesCall(const Call& call) const;
  // Compares table, index and key, for an access of a call that MatchesCall.
  bool MatchesAccess(const Access& access) const;
  // Compares the table, for a call of an operation without accesses. Returns false when the match
  // has an index or a key.
  bool MatchesRequest(const Call& call) const;
};

// Return the part of a match for an attribute that equals a value, or that begins with a text.
KeyPartMatch EqualTo(std::string_view attribute, ValueView value);
KeyPartMatch BeginningWith(std::string_view attribute, std::string_view text);

// Returns whether the operation reads or writes items, so that its accesses pass the gate.
bool HasAccesses(std::string_view operation);

// Returns the table that a request names, by TableName or GlobalTableName, by the ARN of the table,
// of its stream or of an index, or by a shard iterator; empty when the request names no table, or
// several.
std::string_view TableNamedBy(const Call& call);

// The description of a rule, as a client gives it.
struct FaultSpec {
  std::string name;
  FaultMatch match;
  FaultAction action;
  std::uint64_t skip = 0;
  std::uint64_t every = 1;  // at least 1
  double probability = 1;   // from 0 to 1
  std::optional<std::uint64_t> times;
  std::uint64_t seed = 0;
  // Match and action as JSON, for answers about the rule.
  std::string match_json;
  std::string action_json;
};

class FaultRule {
 public:
  FaultRule(std::uint64_t id, FaultSpec spec);

  std::uint64_t id() const { return id_; }
  const FaultSpec& spec() const { return spec_; }
  std::uint64_t matches() const { return matches_.load(std::memory_order_relaxed); }
  // Returns how often the rule has fired.
  std::uint64_t hits() const { return hits_.load(std::memory_order_relaxed); }

  // Returns whether the rule decides at the accesses of a call and not before them.
  bool IsDecidedAtAccess() const {
    return spec_.match.IsAboutAccesses() || ActsOnItems(spec_.action);
  }
  // Returns whether the rule decides for each access separately and not once for a call.
  bool IsDecidedForEachAccess() const {
    return spec_.match.IsAboutAccesses() && ActsOnItems(spec_.action) &&
           spec_.action.kind != FaultAction::Kind::kUnprocessed;
  }

  // Counts a match. Returns the milliseconds by which the answer is delayed when the rule fires;
  // otherwise nullopt.
  std::optional<std::int64_t> Decide();

 private:
  bool TakeHit();

  const std::uint64_t id_;
  const FaultSpec spec_;
  const std::uint64_t first_number_;  // a hash of the seed: the next seed has one far away
  std::atomic<std::uint64_t> matches_{0};
  std::atomic<std::uint64_t> hits_{0};
};

// The rules in the order in which they are asked. No rule is asked after the first that refuses.
using FaultRules = std::vector<std::shared_ptr<FaultRule>>;

}  // namespace hashrange
