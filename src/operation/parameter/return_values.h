// ReturnValues and ReturnValuesOnConditionCheckFailure (docs/service/05-item-operations.md,
// section 4).
#pragma once

#include <string_view>

#include "base/result.h"
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

// Returns ConditionalCheckFailedException. The error has the stored item, if there is one, when
// `with_item` is true.
Error ConditionalCheckFailed(ItemView stored, bool with_item);
// Returns DuplicateItemException "Duplicate primary key exists in table", for an INSERT of an item
// that is already stored.
Error DuplicateItem();
inline constexpr std::string_view kConditionFailed = "The conditional request failed";
// Returns the item as the JSON text that an error contains; empty when there is no item.
std::string ItemJson(ItemView item);

}  // namespace hashrange
