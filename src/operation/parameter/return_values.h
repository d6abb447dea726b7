// The members of requests that ask for more in the answer of a write: ReturnValues,
// ReturnValuesOnConditionCheckFailure and ReturnItemCollectionMetrics
// (docs/service/05-item-operations.md, section 4), and what the answer then has. Any thread.
#pragma once

#include <string_view>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/table_version.h"
#include "operation/call/context.h"
#include "value/item.h"
#include "wire/binder.h"
#include "wire/json_writer.h"

namespace hashrange {

enum class ReturnValues { kNone, kAllOld, kUpdatedOld, kAllNew, kUpdatedNew };
ReturnValues ReadReturnValues(const RequestObject& request);

// Writes the member "Attributes" with the whole item; no member when there is no item.
void WriteAttributesMember(ItemView item, JsonWriter& writer);

// Returns whether ReturnValuesOnConditionCheckFailure is ALL_OLD.
bool ReadOldOnConditionCheckFailure(const RequestObject& request);

// Returns the refusal of a write whose condition does not hold. It has no message and no item.
inline Decision ConditionFails() {
  return Decision::Refuse({ErrorCode::kConditionalCheckFailedException, {}, nullptr});
}
// Returns ConditionalCheckFailedException. The error has the stored item, if there is one, when
// `with_item` is true.
Error ConditionalCheckFailed(ItemView stored, bool with_item);
// Returns DuplicateItemException "Duplicate primary key exists in table", for an INSERT of an item
// that is already stored.
Error DuplicateItem();
inline constexpr std::string_view kConditionFailed = "The conditional request failed";
// Returns the item as the JSON text that an error contains; empty when there is no item.
std::string ItemJson(ItemView item);

// Returns whether the request asks for ItemCollectionMetrics. Only a table with a local index has
// them: the key of the item collection that a write changed, and an estimate of its size.
bool ReadReturnItemCollectionMetrics(const RequestObject& request);
bool HasLocalIndex(const TableVersion& table);

// Writes {"ItemCollectionKey":{…},"SizeEstimateRangeGB":[0.0,1.0]}; Hashrange always writes this
// estimate.
void WriteItemCollectionMetrics(std::string_view hash_name, const ValueView& hash,
                                JsonWriter& writer);

}  // namespace hashrange
