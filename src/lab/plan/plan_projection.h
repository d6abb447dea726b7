// What a read asks for of the items that its key condition finds. Pure functions; any thread.
#pragma once

#include <vector>

#include "lab/plan/read_rest.h"

namespace hashrange {

// Sets what the rest says of the projection: which attributes are asked for, what the index lacks
// and what no item holds.
void FindProjection(const ReadQuestion& question, const std::vector<AskedHost>& hosts,
                    const AskedInterval& interval, ReadRest& rest);

}  // namespace hashrange
