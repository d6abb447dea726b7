// InstanceId: one instance of an entity, such as the third Customer. Plain data.
#pragma once

#include <cstdint>

#include "lab/language/lab_file.h"

namespace hashrange {

struct InstanceId {
  int entity = kLabNone;
  std::uint64_t number = 0;

  friend bool operator==(const InstanceId&, const InstanceId&) = default;
};

}  // namespace hashrange
