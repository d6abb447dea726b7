// FaultMatch says which calls, and which accesses to items, a fault rule is about. An empty member
// matches anything. A match without table, index and key is about whole calls. With one of these it
// is about single accesses or, for an operation without accesses, about the table in its request.
//
// Immutable once it is in a rule, and then for any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "operation/call/gate.h"
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

// Returns the table that a request names, by TableName, by the ARN of the table, of its stream or
// of an index, or by a shard iterator; empty when the request names no table, or several.
std::string_view TableNamedBy(const Call& call);

}  // namespace hashrange
