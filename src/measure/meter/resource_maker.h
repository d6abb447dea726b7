// Makes the resources and the key templates of a Measurement. Used by one thread.
#pragma once

#include "measure/measurement.h"
#include "measure/meter/item_walk.h"
#include "measure/meter/merged_keys.h"
#include "measure/meter/stripe.h"

namespace hashrange {

// Adds a ResourceMeasure for each table and index that was accessed or is stored, and the templates
// of their keys. The templates of the keys that are listed are looked up in `keys`.
void AddResources(const SharedCounters& shared, const ItemWalk& walk, MergedKeys* keys,
                  Measurement* measurement);

}  // namespace hashrange
