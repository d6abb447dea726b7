// ItemCollectionMetrics: on tables with a local index, the key of the item collection that a
// write changed, and an estimate of the collection's size, for which Hashrange always writes 0 to
// 1 GB (docs/service/05-item-operations.md, section 4).
#pragma once

#include "engine/table_version.h"
#include "value/item.h"
#include "wire/binder.h"
#include "wire/json_writer.h"

namespace hashrange {

// Returns whether the request asks for ItemCollectionMetrics.
bool ReadReturnItemCollectionMetrics(const RequestObject& request);

bool HasLocalIndex(const TableVersion& table);

// Writes {"ItemCollectionKey":{…},"SizeEstimateRangeGB":[0.0,1.0]}.
void WriteItemCollectionMetrics(std::string_view hash_name, const ValueView& hash,
                                JsonWriter& writer);

}  // namespace hashrange
