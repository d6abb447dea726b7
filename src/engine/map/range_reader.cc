#include "engine/map/range_reader.h"

#include <utility>

#include "base/threads.h"

namespace hashrange {
namespace {

// Returns the number of the partition of the last position below `end`. There is such a position:
// `end` is not the least position of all.
int LastPartition(const Position& end) {
  const bool below_hash = end.bytes.empty();
  return PartitionSet::NumberOf(below_hash ? end.hash - 1 : end.hash);
}

}  // namespace

RangeReader::RangeReader(const Source& source, const Interval& interval, bool forward)
    : source_(source), interval_(interval), forward_(forward) {
  if (interval.end && !(interval.begin < *interval.end)) return;
  const int first = PartitionSet::NumberOf(interval.begin.hash);
  const int last = interval.end ? LastPartition(*interval.end) : PartitionSet::kPartitions - 1;
  next_ = forward ? first : last;
  left_ = last - first + 1;
}

const Item* RangeReader::Next() {
  while (true) {
    if (const Item* item = cursor_.Next()) return item;
    if (!EnterPartition()) return nullptr;
  }
}

bool RangeReader::EnterPartition() {
  cursor_ = MapCursor();
  if (left_ == 0) return false;
  --left_;
  const int number = forward_ ? next_++ : next_--;
  const Partition* partition = source_.partitions->Find(number);
  if (!partition) return true;
  MapRoot root;
  {
    MutexLock lock(partition->mutex);
    const int local = source_.local_ordinal;
    root = (local < 0 ? partition->items : partition->local_indexes[local]).map.Pin();
  }
  cursor_ = MapCursor(std::move(root), source_.order, interval_, forward_);
  return true;
}

}  // namespace hashrange
