// FaultMatch: which calls, and which accesses to items, a fault rule is about. What is left out
// matches anything. A match without table, index and key is of whole calls; one of them makes it
// a match of single accesses, or, where an operation has none, of the table its request names.
//
// Immutable once it is in a rule; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "operation/gate.h"
#include "value/attribute_type.h"

namespace hashrange {

// One attribute of the keys that match.
struct KeyPartMatch {
  std::string attribute;
  AttributeType type = AttributeType::kS;
  // As it stands in a Position (value/key.h); of a prefix without its end.
  std::string encoded;
  bool is_prefix = false;
};

struct FaultMatch {
  std::vector<std::string> operations;  // "GetItem"; none: all
  std::string account_id;
  std::string region;
  std::string table;
  // Its name. A write matches when its table has that index, which it may reach.
  std::string index;
  // All of them must match, and what else the key has does not matter. Of a Query or Scan the
  // place where it begins is looked at.
  std::vector<KeyPartMatch> key;

  bool IsAboutAccesses() const { return !table.empty() || !index.empty() || !key.empty(); }

  // Operation, account and Region.
  bool MatchesCall(const Call& call) const;
  // Table, index and key, of an access of such a call.
  bool MatchesAccess(const Access& access) const;
  // Table, of a call of an operation that has no accesses. Never with an index or a key.
  bool MatchesRequest(const Call& call) const;
};

// The parts of a match by key, from values as they are stored and from the beginning of a text.
KeyPartMatch EqualTo(std::string_view attribute, ValueView value);
KeyPartMatch BeginningWith(std::string_view attribute, std::string_view text);

// Whether calls of the operation read or write items, each of which passes the gate.
bool HasAccesses(std::string_view operation);

// The table that a request names, by TableName or by an ARN of the table, of its stream or of an
// index; empty when it names none, or several.
std::string_view TableNamedBy(const Call& call);

}  // namespace hashrange
