#include "engine/map/partition.h"

#include <algorithm>

namespace hashrange {

void LockSet::Lock(std::span<PartitionLock> partitions) {
  std::size_t count = partitions.size();
  if (count > 1) {
    std::sort(partitions.begin(), partitions.end());
    const auto same = [](const PartitionLock& a, const PartitionLock& b) {
      return a.partition == b.partition;
    };
    const auto end = std::unique(partitions.begin(), partitions.end(), same);
    count = static_cast<std::size_t>(end - partitions.begin());
  }
  for (std::size_t i = 0; i < count; ++i) {
    partitions[i].partition->mutex.lock();
    locked_ = partitions.first(i + 1);
  }
}

void LockSet::Unlock() {
  for (std::size_t i = locked_.size(); i-- > 0;) locked_[i].partition->mutex.unlock();
  locked_ = {};
}

}  // namespace hashrange
