#include "measure/meter/pattern_counters.h"

namespace hashrange {

void RequestSizes::Add(const RequestSizes& other) {
  read_units += other.read_units;
  write_units += other.write_units;
  items_examined += other.items_examined;
  items_returned += other.items_returned;
  bytes_examined += other.bytes_examined;
  bytes_returned += other.bytes_returned;
  reads |= other.reads;
  writes |= other.writes;
}

void AddSizes(const RequestSizes& sizes, CallSizes* counted) {
  if (sizes.writes) counted->write_units.Add(sizes.write_units);
  if (!sizes.reads) return;
  counted->read_units.Add(sizes.read_units);
  counted->items_examined.Add(sizes.items_examined);
  counted->items_returned.Add(sizes.items_returned);
  counted->bytes_examined.Add(sizes.bytes_examined);
  counted->bytes_returned.Add(sizes.bytes_returned);
}

void AddSizes(const CallSizes& other, CallSizes* counted) {
  counted->read_units.Add(other.read_units);
  counted->write_units.Add(other.write_units);
  counted->items_examined.Add(other.items_examined);
  counted->items_returned.Add(other.items_returned);
  counted->bytes_examined.Add(other.bytes_examined);
  counted->bytes_returned.Add(other.bytes_returned);
}

void PatternCounters::Add(const PatternCounters& other) {
  const PatternMeasure& from = other.counts;
  counts.calls += from.calls;
  counts.requests += from.requests;
  AddCounts(counts.errors, from.errors);
  AddCounts(counts.throttles, from.throttles);
  counts.conflicts += from.conflicts;
  counts.failed_conditions += from.failed_conditions;
  counts.unprocessed += from.unprocessed;
  counts.abandoned_unprocessed += from.abandoned_unprocessed;
  counts.replays += from.replays;
  counts.missing += from.missing;
  counts.empty += from.empty;
  counts.failed_read_units += from.failed_read_units;
  counts.failed_write_units += from.failed_write_units;
  counts.members_a_call.Add(from.members_a_call);
  counts.request_bytes.Add(from.request_bytes);
  counts.inserted += from.inserted;
  counts.changed += from.changed;
  counts.removed += from.removed;
  counts.item_bytes_written += from.item_bytes_written;
  counts.changed_bytes += from.changed_bytes;
  AddCounts(counts.callers, from.callers);
  units.Add(other.units);
  AddSizes(other.pages, &pages);
  AddSizes(other.parts, &parts);
  AddSizes(other.wholes, &wholes);
  whole_pages.Add(other.whole_pages);
  part_pages.Add(other.part_pages);
  microseconds.Add(other.microseconds);
}

}  // namespace hashrange
