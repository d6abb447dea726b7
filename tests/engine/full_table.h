// A version of a table in which every member differs from its default, and the comparison of all
// members of two versions, for tests of stored tables.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "engine/engine_fixture.h"
#include "engine/table_life_cycle.h"

namespace hashrange::test {

inline IndexVersion FullIndex(std::string name, IndexPhase phase) {
  IndexVersion index = GlobalIndex(
      std::move(name), {{{"kind", AttributeType::kN}}, {{"day", AttributeType::kB}, {"to"}}});
  index.schema.projection = ProjectionType::kInclude;
  index.schema.non_key_attributes = {"a", "b"};
  index.phase = phase;
  index.throughput = {3, 4};
  index.throughput_history = {1, 2, 3};
  index.on_demand = OnDemandThroughput{-1, std::nullopt};
  index.warm = {5, 6, true, true};
  index.insights = ContributorInsights{true, InsightsMode::kThrottledKeys, 12, 13};
  return index;
}

inline IndexVersion FullVectorIndex(std::string name, IndexPhase phase) {
  IndexVersion index;
  index.schema.name = std::move(name);
  index.schema.key = {{{"tenant", AttributeType::kB}}, {}};
  index.schema.vector = VectorSchema{
      "embedding", 1536, DistanceFunction::kDotProduct, {{"colour"}, {"n", AttributeType::kN}}, 1};
  index.phase = phase;
  return index;
}

// Returns a table whose settings are all set, with an index of each kind.
inline std::unique_ptr<TableVersion> FullTable(std::string name) {
  auto table = NewTable(
      std::move(name), KeysOf("pk", "sk"),
      {FullIndex("global", IndexPhase::kUpdating), LocalIndex("local", KeysOf("pk", "day")),
       FullVectorIndex("vectors", IndexPhase::kActive)});
  table->table_id = "5a1b-c";
  table->arn = "arn:aws:dynamodb:us-east-1:123456789012:table/" + table->name;
  table->creation_epoch_ms = 1'700'000'000'123;
  TableSettings& settings = table->settings;
  settings.attribute_definitions = {{"pk"}, {"sk", AttributeType::kN}};
  settings.on_demand = true;
  settings.last_on_demand_epoch_ms = 0;
  settings.throughput = {7, 8};
  settings.throughput_history = {std::nullopt, -5, 2};
  settings.on_demand_throughput = OnDemandThroughput{std::nullopt, 40};
  settings.warm = {12'000, 4'000, true, true};
  settings.deletion_protection = true;
  settings.table_class = "STANDARD_INFREQUENT_ACCESS";
  settings.last_table_class_epoch_ms = 77;
  settings.sse = SseSpecification{"arn:key", true};
  settings.stream = StreamSpecification{true, "OLD_IMAGE", nullptr, 9,
                                        std::make_shared<ResourcePolicy>("{\"a\":1}", "one")};
  settings.latest_stream_label = "2026-01-31T12:00:00.000";
  settings.stream_switch = StreamSwitch::kDisabling;
  settings.ttl_attribute = "ttl";
  settings.recovery = PointInTimeRecovery{7, 1'700'000'000'456};
  settings.policy = std::make_shared<ResourcePolicy>("{\"b\":2}", "two");
  settings.insights = ContributorInsights{false, InsightsMode::kThrottledKeys, 14, 15};
  settings.destinations = {
      {"arn:aws:kinesis:us-east-1:000000000000:stream/old", TimePrecision::kMillisecond,
       DestinationStatus::kDisabled, DestinationStatus::kDisabling, 16},
      {"arn:aws:kinesis:us-east-1:000000000000:stream/new", TimePrecision::kMicrosecond,
       DestinationStatus::kActive, DestinationStatus::kUpdating, 17}};
  return table;
}

// Returns a full table that is UPDATING until a time, adds an index in two phases, and is to lose
// its stream.
inline std::unique_ptr<TableVersion> FullTableInTransition(std::string name) {
  auto table = FullTable(std::move(name));
  table->indexes.push_back(FullIndex("added", IndexPhase::kAllocating));
  auto last = std::make_unique<TableVersion>(*table);
  last->settings.stream.reset();
  last->settings.throughput.write_units = 80;
  auto next = std::make_unique<TableVersion>(*table);
  next->indexes.back().phase = IndexPhase::kBackfilled;
  next->phase.next = TableRef::Adopt(last.release());
  next->phase.ends_epoch_ms = 0;
  table->phase = {ResourceStatus::kUpdating, 1'800'000'000'000, TableRef::Adopt(next.release())};
  return table;
}

inline bool Same(const std::vector<KeyPart>& a, const std::vector<KeyPart>& b) {
  return std::ranges::equal(a, b, [](const KeyPart& one, const KeyPart& other) {
    const auto& [name, type] = one;
    return name == other.name && type == other.type;
  });
}

inline bool Same(const KeySchema& a, const KeySchema& b) {
  const auto& [hash, range] = a;
  return Same(hash, b.hash) && Same(range, b.range);
}

inline bool Same(const ProvisionedThroughput& a, const ProvisionedThroughput& b) {
  const auto& [read, write] = a;
  return read == b.read_units && write == b.write_units;
}

inline bool Same(const std::optional<OnDemandThroughput>& a,
                 const std::optional<OnDemandThroughput>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  const auto& [read, write] = *a;
  return read == b->max_read_units && write == b->max_write_units;
}

inline bool Same(const WarmThroughput& a, const WarmThroughput& b) {
  const auto& [read, write, is_updating, is_given] = a;
  return read == b.read_units_per_second && write == b.write_units_per_second &&
         is_updating == b.is_updating && is_given == b.is_given;
}

inline bool Same(const std::optional<ContributorInsights>& a,
                 const std::optional<ContributorInsights>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  const auto& [enabled, mode, rules, updated] = *a;
  return enabled == b->enabled && mode == b->mode && rules == b->rules_epoch_ms &&
         updated == b->updated_epoch_ms;
}

inline bool Same(const PolicyRef& a, const PolicyRef& b) {
  if (!a || !b) return a == b;
  return a->text() == b->text() && a->revision_id() == b->revision_id();
}

inline bool Same(const ThroughputHistory& a, const ThroughputHistory& b) {
  const auto& [increase, decrease, today] = a;
  return increase == b.last_increase_epoch_ms && decrease == b.last_decrease_epoch_ms &&
         today == b.decreases_today;
}

// The bindings name every member: a new member does not compile until it is stored and compared.
inline void ExpectSame(const IndexVersion& a, const IndexVersion& b) {
  const auto& [schema, id, phase, throughput, history, on_demand, warm, insights, storage] = a;
  const auto& [name, is_local, key, projection, non_key_attributes, vector] = schema;
  EXPECT_EQ(name, b.schema.name);
  EXPECT_EQ(is_local, b.schema.is_local);
  EXPECT_TRUE(Same(key, b.schema.key));
  EXPECT_EQ(projection, b.schema.projection);
  EXPECT_EQ(non_key_attributes, b.schema.non_key_attributes);
  ASSERT_EQ(vector.has_value(), b.schema.vector.has_value());
  if (vector) {
    const auto& [attribute, dimensions, function, filters, hash_place] = *vector;
    EXPECT_EQ(attribute, b.schema.vector->attribute);
    EXPECT_EQ(dimensions, b.schema.vector->dimensions);
    EXPECT_EQ(function, b.schema.vector->function);
    EXPECT_TRUE(Same(filters, b.schema.vector->filters));
    EXPECT_EQ(hash_place, b.schema.vector->hash_place);
  }
  EXPECT_EQ(phase, b.phase);
  EXPECT_TRUE(Same(throughput, b.throughput));
  EXPECT_TRUE(Same(history, b.throughput_history));
  EXPECT_TRUE(Same(on_demand, b.on_demand));
  EXPECT_TRUE(Same(warm, b.warm));
  EXPECT_TRUE(Same(insights, b.insights));
}

inline void ExpectSame(const TableSettings& a, const TableSettings& b) {
  const auto& [definitions, on_demand, last_on_demand, throughput, history, on_demand_throughput,
               warm, protection, table_class, last_class, sse, stream, label, stream_switch, ttl,
               expiries, lag, tail, recovery, policy, insights, destinations] = a;
  EXPECT_TRUE(Same(definitions, b.attribute_definitions));
  EXPECT_EQ(on_demand, b.on_demand);
  EXPECT_EQ(last_on_demand, b.last_on_demand_epoch_ms);
  EXPECT_TRUE(Same(throughput, b.throughput));
  EXPECT_TRUE(Same(history, b.throughput_history));
  EXPECT_TRUE(Same(on_demand_throughput, b.on_demand_throughput));
  EXPECT_TRUE(Same(warm, b.warm));
  EXPECT_EQ(protection, b.deletion_protection);
  EXPECT_EQ(table_class, b.table_class);
  EXPECT_EQ(last_class, b.last_table_class_epoch_ms);
  ASSERT_EQ(sse.has_value(), b.sse.has_value());
  if (sse) {
    const auto& [arn, is_updating] = *sse;
    EXPECT_EQ(arn, b.sse->kms_key_arn);
    EXPECT_EQ(is_updating, b.sse->is_updating);
  }
  ASSERT_EQ(stream.has_value(), b.stream.has_value());
  if (stream) {
    const auto& [enabled, view, storage, id, stream_policy] = *stream;
    EXPECT_EQ(enabled, b.stream->enabled);
    EXPECT_EQ(view, b.stream->view_type);
    EXPECT_EQ(id, b.stream->id);
    EXPECT_TRUE(Same(stream_policy, b.stream->policy));
  }
  EXPECT_EQ(label, b.latest_stream_label);
  EXPECT_EQ(stream_switch, b.stream_switch);
  EXPECT_EQ(ttl, b.ttl_attribute);
  ASSERT_EQ(recovery.has_value(), b.recovery.has_value());
  if (recovery) {
    const auto& [days, enabled] = *recovery;
    EXPECT_EQ(days, b.recovery->period_days);
    EXPECT_EQ(enabled, b.recovery->enabled_epoch_ms);
  }
  EXPECT_TRUE(Same(policy, b.policy));
  EXPECT_TRUE(Same(insights, b.insights));
  EXPECT_EQ(destinations, b.destinations);
}

// Compares everything that a stored table has.
inline void ExpectSame(const TableVersion& a, const TableVersion& b) {
  EXPECT_EQ(a.account_id, b.account_id);
  EXPECT_EQ(a.region, b.region);
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.table_id, b.table_id);
  EXPECT_EQ(a.arn, b.arn);
  EXPECT_EQ(a.creation_epoch_ms, b.creation_epoch_ms);
  EXPECT_TRUE(Same(a.key, b.key));
  ASSERT_EQ(a.indexes.size(), b.indexes.size());
  for (std::size_t i = 0; i < a.indexes.size(); ++i) ExpectSame(a.indexes[i], b.indexes[i]);
  ExpectSame(a.settings, b.settings);
  const auto& [status, ends, next] = a.phase;
  EXPECT_EQ(status, b.phase.status);
  EXPECT_EQ(ends, b.phase.ends_epoch_ms);
  ASSERT_EQ(static_cast<bool>(next), static_cast<bool>(b.phase.next));
  if (next) ExpectSame(*next, *b.phase.next);
}

}  // namespace hashrange::test
