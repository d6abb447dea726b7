// The items in the answer of a Scan, checked as an item of PutItem is: an answer of another program
// may hold anything. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "value/attribute_value.h"
#include "wire/json.h"

namespace hashrange {

struct ScannedItem {
  std::span<const Attribute> attributes;  // ascending by name
  std::size_t size_bytes = 0;             // the item's size in DynamoDB
};

struct ScannedItems {
  std::vector<ScannedItem> items;  // views of the answer and of the arena
  std::string next_key;            // the LastEvaluatedKey as JSON; empty: there is no more
  double read_units = 0;           // as the endpoint reports them, or else by the items' sizes
};

// Returns the items of an answer, which is overwritten.
// Errors: InternalServerError  it is no answer of a Scan, or an item breaks a rule of DynamoDB
Result<ScannedItems> ReadScanAnswer(std::string& answer, Arena& arena);

// Returns an item of a line of a file, as {"pk":{"S":"…"},…}.
// Errors: ValidationException  it breaks a rule of DynamoDB
Result<ScannedItem> ReadCheckedItem(const JsonValue& item, Arena& arena);

// Returns the sum of CapacityUnits in a ConsumedCapacity, which is an object or a list of objects:
// at most a million, which is more than any call of the service takes;
// nullopt: the endpoint reports none.
std::optional<double> ReportedUnits(const JsonValue& answer);

}  // namespace hashrange
