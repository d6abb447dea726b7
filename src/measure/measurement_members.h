// VisitMembers calls a visitor for each member of a part of a Measurement, with the member's name
// in JSON. Writing, reading and the schema all go through it, so each name is in one place.
//
//   visit("name", measurement.name);
//
// The ranges of heat are a list of HeatRun in JSON; each visitor turns one into the other.
#pragma once

#include "measure/heat_runs.h"
#include "measure/measurement.h"
#include "measure/partition_members.h"

namespace hashrange {

template <typename Visit>
void VisitMembers(Visit& visit, KeyTerm& term) {
  visit("attribute", term.attribute);
  visit("op", term.op);
  visit("value", term.value);
  visit("upper", term.upper);
}

template <typename Visit>
void VisitMembers(Visit& visit, PatternMember& member) {
  visit("kind", member.kind);
  visit("table", member.table);
  visit("index", member.index);
  visit("key", member.key);
  visit("condition", member.condition);
  visit("condition_attributes", member.condition_attributes);
  visit("projection", member.projection);
  visit("projected_attributes", member.projected_attributes);
  visit("update", member.update);
  visit("updated_attributes", member.updated_attributes);
  visit("consistent", member.consistent);
  visit("backward", member.backward);
  visit("counts_only", member.counts_only);
  visit("limit", member.limit);
}

template <typename Visit>
void VisitMembers(Visit& visit, NamedCount& named) {
  visit("name", named.name);
  visit("count", named.count);
}

template <typename Visit>
void VisitMembers(Visit& visit, ResourceUnits& units) {
  visit("table", units.table);
  visit("index", units.index);
  visit("read_units", units.read_units);
  visit("write_units", units.write_units);
}

template <typename Visit>
void VisitMembers(Visit& visit, CallSizes& sizes) {
  visit("read_units", sizes.read_units);
  visit("write_units", sizes.write_units);
  visit("items_examined", sizes.items_examined);
  visit("items_returned", sizes.items_returned);
  visit("bytes_examined", sizes.bytes_examined);
  visit("bytes_returned", sizes.bytes_returned);
}

template <typename Visit>
void VisitMembers(Visit& visit, IndexMoves& moves) {
  visit("table", moves.table);
  visit("index", moves.index);
  visit("moved", moves.moved);
}

template <typename Visit>
void VisitMembers(Visit& visit, PatternMeasure& pattern) {
  visit("id", pattern.id);
  visit("name", pattern.name);
  visit("text", pattern.text);
  visit("operation", pattern.operation);
  visit("members", pattern.members);
  visit("calls", pattern.calls);
  visit("requests", pattern.requests);
  visit("errors", pattern.errors);
  visit("throttles", pattern.throttles);
  visit("conflicts", pattern.conflicts);
  visit("failed_conditions", pattern.failed_conditions);
  visit("unprocessed", pattern.unprocessed);
  visit("abandoned_unprocessed", pattern.abandoned_unprocessed);
  visit("replays", pattern.replays);
  visit("missing", pattern.missing);
  visit("empty", pattern.empty);
  visit("units", pattern.units);
  visit("failed_read_units", pattern.failed_read_units);
  visit("failed_write_units", pattern.failed_write_units);
  visit("call", pattern.call);
  visit("page", pattern.page);
  visit("members_a_call", pattern.members_a_call);
  visit("pages_a_call", pattern.pages_a_call);
  visit("request_bytes", pattern.request_bytes);
  visit("inserted", pattern.inserted);
  visit("changed", pattern.changed);
  visit("removed", pattern.removed);
  visit("item_bytes_written", pattern.item_bytes_written);
  visit("changed_bytes", pattern.changed_bytes);
  visit("index_moves", pattern.index_moves);
  visit("callers", pattern.callers);
}

template <typename Visit>
void VisitMembers(Visit& visit, IndexMeasure& index) {
  visit("name", index.name);
  visit("is_local", index.is_local);
  visit("hash", index.hash);
  visit("range", index.range);
  visit("projection", index.projection);
  visit("non_key_attributes", index.non_key_attributes);
  visit("provisioned_read_units", index.provisioned_read_units);
  visit("provisioned_write_units", index.provisioned_write_units);
  visit("items", index.items);
  visit("size_bytes", index.size_bytes);
  visit("items_at_begin", index.items_at_begin);
  visit("size_bytes_at_begin", index.size_bytes_at_begin);
  visit("is_deleted", index.is_deleted);
}

template <typename Visit>
void VisitMembers(Visit& visit, ExpiryMeasure& expiry) {
  visit("attribute", expiry.attribute);
  visit("seconds", expiry.seconds);
  visit("milliseconds", expiry.milliseconds);
  visit("not_numbers", expiry.not_numbers);
  visit("far_future", expiry.far_future);
  visit("long_past", expiry.long_past);
  visit("expired", expiry.expired);
  visit("similar_attributes", expiry.similar_attributes);
}

template <typename Visit>
void VisitMembers(Visit& visit, TableMeasure& table) {
  visit("account", table.account);
  visit("region", table.region);
  visit("name", table.name);
  visit("hash", table.hash);
  visit("range", table.range);
  visit("on_demand", table.on_demand);
  visit("table_class", table.table_class);
  visit("provisioned_read_units", table.provisioned_read_units);
  visit("provisioned_write_units", table.provisioned_write_units);
  visit("has_stream", table.has_stream);
  visit("stream_reads", table.stream_reads);
  visit("indexes", table.indexes);
  visit("items", table.items);
  visit("size_bytes", table.size_bytes);
  visit("items_at_begin", table.items_at_begin);
  visit("size_bytes_at_begin", table.size_bytes_at_begin);
  visit("is_deleted", table.is_deleted);
  visit("walked_share", table.walked_share);
  visit("walked_items", table.walked_items);
  visit("items_without_type", table.items_without_type);
  visit("keys_that_differ_in_case_only", table.keys_that_differ_in_case_only);
  visit("type_attribute", table.type_attribute);
  visit("expiry", table.expiry);
}

template <typename Visit>
void VisitMembers(Visit& visit, KeyCount& key) {
  visit("key", key.key);
  visit("shape", key.shape);
  visit("units", key.units);
  visit("error", key.error);
}

template <typename Visit>
void VisitMembers(Visit& visit, TopKeys& top) {
  visit("total_units", top.total_units);
  visit("missed_at_most", top.missed_at_most);
  visit("keys", top.keys);
}

template <typename Visit>
void VisitMembers(Visit& visit, HotWindow& window) {
  visit("begin_epoch_ms", window.begin_epoch_ms);
  visit("length_ms", window.length_ms);
  visit("direction", window.direction);
  visit("key", window.key);
  visit("total_units", window.total_units);
  visit("calls", window.calls);
}

template <typename Visit>
void VisitMembers(Visit& visit, HeatRun& run) {
  visit("first", run.first);
  visit("last", run.last);
  visit("read_units", run.read_units);
  visit("write_units", run.write_units);
}

template <typename Visit>
void VisitMembers(Visit& visit, HeatSlice& slice) {
  visit("begin_epoch_ms", slice.begin_epoch_ms);
  visit("read_units", slice.read_units);
  visit("write_units", slice.write_units);
}

template <typename Visit>
void VisitMembers(Visit& visit, CollectionMeasure& collections) {
  visit("count", collections.count);
  visit("items", collections.items);
  visit("size_bytes", collections.size_bytes);
  visit("largest", collections.largest);
}

template <typename Visit>
void VisitMembers(Visit& visit, ResourceMeasure& resource) {
  visit("table", resource.table);
  visit("index", resource.index);
  visit("read_units", resource.read_units);
  visit("write_units", resource.write_units);
  visit("failed_read_units", resource.failed_read_units);
  visit("failed_write_units", resource.failed_write_units);
  visit("throttled", resource.throttled);
  visit("distinct_partition_keys", resource.distinct_partition_keys);
  visit("distinct_items", resource.distinct_items);
  visit("read_keys", resource.read_keys);
  visit("written_keys", resource.written_keys);
  visit("throttled_keys", resource.throttled_keys);
  visit("read_items", resource.read_items);
  visit("written_items", resource.written_items);
  visit("hot_windows", resource.hot_windows);
  visit("heat", resource.heat);
  visit("heat_over_time", resource.heat_over_time);
  visit("writes_in_order_known", resource.writes_in_order_known);
  visit("rising_writes", resource.rising_writes);
  visit("collections", resource.collections);
}

template <typename Visit>
void VisitMembers(Visit& visit, PlaceholderMeasure& placeholder) {
  visit("text", placeholder.text);
  visit("kind", placeholder.kind);
  visit("attribute", placeholder.attribute);
  visit("distinct", placeholder.distinct);
  visit("least_length", placeholder.least_length);
  visit("greatest_length", placeholder.greatest_length);
  visit("has_leading_zeros", placeholder.has_leading_zeros);
}

template <typename Visit>
void VisitMembers(Visit& visit, KeyTemplateMeasure& key_template) {
  visit("table", key_template.table);
  visit("index", key_template.index);
  visit("attribute", key_template.attribute);
  visit("text", key_template.text);
  visit("placeholders", key_template.placeholders);
  visit("items", key_template.items);
}

template <typename Visit>
void VisitMembers(Visit& visit, EntityIndex& index) {
  visit("index", index.index);
  visit("items", index.items);
  visit("size_bytes", index.size_bytes);
  visit("partition_key", index.partition_key);
  visit("sort_key", index.sort_key);
  visit("has_other_partition_keys", index.has_other_partition_keys);
  visit("has_other_sort_keys", index.has_other_sort_keys);
}

template <typename Visit>
void VisitMembers(Visit& visit, AttributeMeasure& attribute) {
  visit("name", attribute.name);
  visit("count", attribute.count);
  visit("size_bytes", attribute.size_bytes);
  visit("name_bytes", attribute.name_bytes);
  visit("types", attribute.types);
  visit("time_forms", attribute.time_forms);
  visit("largest_list", attribute.largest_list);
}

template <typename Visit>
void VisitMembers(Visit& visit, EntityMeasure& entity) {
  visit("table", entity.table);
  visit("type", entity.type);
  visit("partition_key", entity.partition_key);
  visit("sort_key", entity.sort_key);
  visit("items", entity.items);
  visit("size_bytes", entity.size_bytes);
  visit("indexes", entity.indexes);
  visit("attributes", entity.attributes);
  visit("inserted", entity.inserted);
  visit("changed", entity.changed);
  visit("removed", entity.removed);
  visit("units", entity.units);
}

template <typename Visit>
void VisitMembers(Visit& visit, SequenceMeasure& sequence) {
  visit("kind", sequence.kind);
  visit("first", sequence.first);
  visit("second", sequence.second);
  visit("count", sequence.count);
  visit("calls", sequence.calls);
  visit("largest", sequence.largest);
}

template <typename Visit>
void VisitMembers(Visit& visit, TimeBucket& bucket) {
  visit("begin_epoch_ms", bucket.begin_epoch_ms);
  visit("calls", bucket.calls);
  visit("errors", bucket.errors);
  visit("throttles", bucket.throttles);
  visit("read_units", bucket.read_units);
  visit("write_units", bucket.write_units);
  visit("peak_second_read_units", bucket.peak_second_read_units);
  visit("peak_second_write_units", bucket.peak_second_write_units);
  visit("peak_minute_read_units", bucket.peak_minute_read_units);
  visit("peak_minute_write_units", bucket.peak_minute_write_units);
}

template <typename Visit>
void VisitMembers(Visit& visit, TimeMeasure& time) {
  visit("bucket_ms", time.bucket_ms);
  visit("buckets", time.buckets);
}

template <typename Visit>
void VisitMembers(Visit& visit, ServerTime& time) {
  visit("pattern", time.pattern);
  visit("microseconds", time.microseconds);
}

template <typename Visit>
void VisitMembers(Visit& visit, MeasurementSettings& settings) {
  visit("separators", settings.separators);
  visit("window_ms", settings.window_ms);
  visit("type_attribute", settings.type_attribute);
}

template <typename Visit>
void VisitMembers(Visit& visit, MeasurementLimits& limits) {
  visit("other_patterns", limits.other_patterns);
  visit("other_resources", limits.other_resources);
  visit("open_pages", limits.open_pages);
}

template <typename Visit>
void VisitMembers(Visit& visit, Measurement& measurement) {
  visit("version", measurement.version);
  visit("name", measurement.name);
  visit("account", measurement.account);
  visit("region", measurement.region);
  visit("only_tables", measurement.only_tables);
  visit("began_epoch_ms", measurement.began_epoch_ms);
  visit("ended_epoch_ms", measurement.ended_epoch_ms);
  visit("is_running", measurement.is_running);
  visit("changes", measurement.changes);
  visit("settings", measurement.settings);
  visit("limits", measurement.limits);
  visit("tables", measurement.tables);
  visit("resources", measurement.resources);
  visit("partitions", measurement.partitions);
  visit("patterns", measurement.patterns);
  visit("entities", measurement.entities);
  visit("key_templates", measurement.key_templates);
  visit("sequences", measurement.sequences);
  visit("time", measurement.time);
  visit("other_errors", measurement.other_errors);
  visit("server_time", measurement.server_time);
}

}  // namespace hashrange
