// ReturnValues and ReturnValuesOnConditionCheckFailure (docs/service/05-item-operations.md,
// section 4).
#pragma once

#include <string_view>

#include "base/result.h"
#include "operation/context.h"
#include "value/item.h"
#include "wire/binder.h"
#include "wire/json_writer.h"

namespace hashrange {

enum class ReturnValues { kNone, kAllOld, kUpdatedOld, kAllNew, kUpdatedNew };
ReturnValues ReadReturnValues(const RequestObject& request);

// The member "Attributes" with the whole item; absent when there is none.
void WriteAttributesMember(ItemView item, JsonWriter& writer);

bool ReadOldOnConditionCheckFailure(const RequestObject& request);

// ConditionalCheckFailedException, with the stored item when it was asked for.
Error ConditionalCheckFailed(ItemView stored, bool with_item);
// DuplicateItemException "Duplicate primary key exists in table": an INSERT of what is there.
Error DuplicateItem();
inline constexpr std::string_view kConditionFailed = "The conditional request failed";
// An item as the JSON text an error carries; empty when there is none.
std::string ItemJson(ItemView item);

}  // namespace hashrange
