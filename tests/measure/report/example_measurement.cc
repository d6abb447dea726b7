#include "measure/report/example_measurement.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace hashrange {
namespace {

constexpr std::int64_t kBegin = 1'763'712'000'000;  // 2025-11-21 08:00:00
constexpr std::int64_t kBucketMs = 120'000;
constexpr std::size_t kBuckets = 120;
constexpr std::size_t kRows = 32;
constexpr double kReadUsd = 0.125;
constexpr double kWriteUsd = 0.625;

// How the two layouts differ.
struct Layout {
  std::string name;
  bool has_one_customer_key;
  double index_write_units;  // of a write that enters GSI1
  double index_read_units;   // of a query of GSI1
};

// What one pattern of the example does.
struct PatternRow {
  std::string name;
  std::string operation;
  std::string index;  // that it reads
  std::string text;
  std::uint64_t calls;
  double table_read;  // units a call
  double index_read;
  double table_write;
  double index_write;
  double examined;
  double returned;
};

std::vector<PatternRow> RowsOf(const Layout& layout) {
  const std::string customers = layout.has_one_customer_key ? "CUSTOMER" : "CUSTOMER#{digits}";
  const double entry = layout.index_write_units;
  return {
      {"place an order", "TransactWriteItems", "",
       "TransactWriteItems: Put PK=ORDER#{order_id} SK=METADATA; Put SK=ITEM#{sku} x 3; Update "
       "PK=PRODUCT#{sku} if stock >= ?",
       3'800, 0, 0, 10, 4 * entry, 0, 0},
      {"orders of a customer", "Query", "GSI1",
       "Query GSI1: GSI1PK = CUST#{customer_id} AND GSI1SK begins_with ORDER#, newest first, Limit "
       "20",
       21'400, 0, layout.index_read_units, 0, 0, 20, 20},
      {"order with its items", "Query", "", "Query: PK = ORDER#{order_id}", 15'200, 1, 0, 0, 0, 4,
       4},
      {"customer by id", "GetItem", "", "GetItem: PK = CUST#{customer_id} AND SK = METADATA",
       32'600, 0.5, 0, 0, 0, 1, 1},
      {"product by SKU", "GetItem", "", "GetItem: PK = PRODUCT#{sku} AND SK = METADATA, consistent",
       18'900, 1, 0, 0, 0, 1, 1},
      {"orders that contain a product", "Query", "GSI1",
       "Query GSI1: GSI1PK = PRODUCT#{sku} AND GSI1SK begins_with ORDER#", 940, 0,
       4 * layout.index_read_units, 0, 0, 120, 120},
      {"all customers by date", "Query", "GSI1",
       "Query GSI1: GSI1PK = " + customers + ", filter #active = ?", 120, 0,
       40 * layout.index_read_units, 0, 0, 1'200, 40},
      {"sign up", "PutItem", "",
       "PutItem: PK = CUST#{customer_id}, SK = METADATA if attribute_not_exists(PK)", 2'600, 0, 0,
       1, entry, 0, 0},
      {"", "Scan", "", "Scan, filter #type = ?", 6, 5'120, 0, 0, 0, 88'000, 1'050},
      {"change a price", "UpdateItem", "",
       "UpdateItem: PK = PRODUCT#{sku}, SK = METADATA, SET price = ?", 310, 0, 0, 1, 0, 0, 0},
  };
}

void AddSizes(const PatternRow& row, CallSizes& sizes) {
  // A tenth of the calls take half as much again.
  const std::uint64_t more = row.calls / 10;
  const std::uint64_t usual = row.calls - more;
  const auto add = [&](Distribution& distribution, double value) {
    distribution.Add(value, usual);
    distribution.Add(value * 1.5, more);
  };
  add(sizes.read_units, row.table_read + row.index_read);
  add(sizes.write_units, row.table_write + row.index_write);
  add(sizes.items_examined, row.examined);
  add(sizes.items_returned, row.returned);
}

PatternMeasure PatternOf(const PatternRow& row, std::size_t number) {
  PatternMeasure pattern{.id = "00000000000" + std::to_string(number),
                         .name = row.name,
                         .text = row.text,
                         .operation = row.operation};
  pattern.members = {
      {.kind = row.operation == "Query" ? "query" : "get", .table = "shop", .index = row.index}};
  pattern.calls = row.calls;
  pattern.requests = row.calls;
  const auto calls = static_cast<double>(row.calls);
  if (row.table_read + row.table_write > 0) {
    pattern.units.push_back({"shop", "", row.table_read * calls, row.table_write * calls});
  }
  if (row.index_read + row.index_write > 0) {
    pattern.units.push_back({"shop", "GSI1", row.index_read * calls, row.index_write * calls});
  }
  AddSizes(row, pattern.call);
  return pattern;
}

PatternPrice CostOf(const PatternMeasure& pattern) {
  PatternPrice cost{.id = pattern.id};
  const auto calls = static_cast<double>(pattern.calls);
  for (const ResourceUnits& units : pattern.units) {
    cost.resources.push_back({.table = units.table,
                              .index = units.index,
                              .read_usd_per_million = units.read_units / calls * kReadUsd,
                              .write_usd_per_million = units.write_units / calls * kWriteUsd});
    cost.usd_per_million +=
        cost.resources.back().read_usd_per_million + cost.resources.back().write_usd_per_million;
  }
  return cost;
}

// Numbers from 0 to 1 that look random and are the same everywhere.
double Noise(std::uint32_t number) {
  std::uint32_t mixed = number * 2'654'435'761U;
  mixed ^= mixed >> 15;
  mixed *= 2'246'822'519U;
  mixed ^= mixed >> 13;
  return static_cast<double>(mixed % 10'000) / 10'000;
}

// How busy the shop is: it rises to noon and falls.
double Busyness(std::size_t bucket) {
  const double place = static_cast<double>(bucket) / kBuckets;
  return 0.25 + 3 * place * (1 - place);
}

void AddHeat(ResourceMeasure& resource, std::size_t hot_row, double hot_share, std::uint32_t seed) {
  constexpr std::uint32_t kRanges = 4096;
  for (std::uint32_t range = 0; range < kRanges; ++range) {
    const double noise = Noise(range + seed);
    const bool is_hot = range == hot_row * kRanges / kRows + 40;
    const double share = (1 - hot_share) * 2 * noise * noise / kRanges + (is_hot ? hot_share : 0);
    resource.heat.push_back({range, resource.read_units * (noise < 0.7 ? 1.0 : 0.2) / kRanges,
                             resource.write_units * share});
  }
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    HeatSlice slice{.begin_epoch_ms = kBegin + static_cast<std::int64_t>(bucket) * kBucketMs};
    const double busy = Busyness(bucket) / kBuckets / 0.75;
    for (std::size_t row = 0; row < kRows; ++row) {
      const double noise = Noise(static_cast<std::uint32_t>(bucket * kRows + row) + seed);
      const double even = (1 - hot_share) / kRows * (0.5 + noise);
      slice.write_units.push_back(resource.write_units * busy *
                                  (even + (row == hot_row ? hot_share : 0)));
      slice.read_units.push_back(resource.read_units * busy * (0.5 + noise) / kRows);
    }
    resource.heat_over_time.push_back(std::move(slice));
  }
}

HotWindow WindowOf(std::string key, std::string direction, double units, double error,
                   double total) {
  return {.begin_epoch_ms = kBegin + 7'200'000,
          .length_ms = 60'000,
          .direction = std::move(direction),
          .key = {std::move(key), {}, units, error},
          .total_units = total,
          .calls = 620};
}

void AddCollections(CollectionMeasure& collections, std::uint64_t count, double median_bytes) {
  collections.count = count;
  double size = median_bytes / 8;
  for (const double share : {0.08, 0.2, 0.3, 0.22, 0.12, 0.06, 0.015, 0.005}) {
    const auto times = static_cast<std::uint64_t>(static_cast<double>(count) * share);
    collections.size_bytes.Add(size, times);
    collections.items.Add(std::max(1.0, size / 400), times);
    size *= 2.5;
  }
}

ResourceMeasure TableResource() {
  ResourceMeasure resource{.table = "shop", .distinct_partition_keys = 41'200};
  AddCollections(resource.collections, 43'000, 1'800);
  resource.collections.largest = {{"PK=ORDER#81733", "PK=ORDER#{order_id}", 171'000, 0},
                                  {"PK=ORDER#10277", "PK=ORDER#{order_id}", 122'500, 0}};
  resource.hot_windows = {WindowOf("PK=PRODUCT#4711", "write", 214, 6, 2'480),
                          WindowOf("PK=PRODUCT#0815", "write", 96, 6, 2'480),
                          WindowOf("PK=PRODUCT#4711", "read", 1'330, 40, 9'140),
                          WindowOf("PK=PRODUCT#2000", "read", 480, 40, 9'140)};
  resource.written_keys = {41'600,
                           210,
                           {{"PK=PRODUCT#4711", "PK=PRODUCT#{sku}", 4'120, 210},
                            {"PK=PRODUCT#0815", "PK=PRODUCT#{sku}", 1'730, 210}}};
  resource.read_keys = {81'000, 320, {{"PK=PRODUCT#4711", "PK=PRODUCT#{sku}", 9'400, 320}}};
  return resource;
}

ResourceMeasure IndexResource(const Layout& layout) {
  ResourceMeasure resource{.table = "shop", .index = "GSI1", .distinct_partition_keys = 39'000};
  AddCollections(resource.collections, 38'000, 2'400);
  const std::string hot = layout.has_one_customer_key ? "GSI1PK=CUSTOMER" : "GSI1PK=CUSTOMER#3";
  const double units = layout.has_one_customer_key ? 61'500 : 3'100;
  resource.collections.largest = {{hot, {}, units * 190, 0}};
  if (layout.has_one_customer_key) {
    resource.collections.size_bytes.Add(units * 190);
    resource.throttled = 148;
    resource.throttled_keys = {148, 0, {{hot, hot, 148, 0}}};
  }
  resource.hot_windows = {WindowOf(hot, "write", units, 900, 74'000),
                          WindowOf("GSI1PK=CUST#7", "write", 310, 120, 74'000),
                          WindowOf("GSI1PK=PRODUCT#4711", "read", 2'900, 160, 18'800)};
  resource.written_keys = {18'000,
                           90,
                           {{hot, hot, layout.has_one_customer_key ? 2'600.0 : 290.0, 0},
                            {"GSI1PK=PRODUCT#4711", "GSI1PK=PRODUCT#{sku}", 410, 90}}};
  return resource;
}

void SumUnits(Measurement& measurement) {
  for (const PatternMeasure& pattern : measurement.patterns) {
    for (const ResourceUnits& units : pattern.units) {
      ResourceMeasure& resource = measurement.resources[units.index.empty() ? 0 : 1];
      resource.read_units += units.read_units;
      resource.write_units += units.write_units;
    }
  }
}

void AddTime(const Layout& layout, Measurement& measurement) {
  measurement.time.bucket_ms = kBucketMs;
  double read = 0;
  double write = 0;
  for (const ResourceMeasure& resource : measurement.resources) {
    read += resource.read_units;
    write += resource.write_units;
  }
  for (std::size_t at = 0; at < kBuckets; ++at) {
    const double busy = Busyness(at) / kBuckets / 0.75;
    const double noise = 0.85 + 0.3 * Noise(static_cast<std::uint32_t>(at) + 99);
    TimeBucket bucket{.begin_epoch_ms = kBegin + static_cast<std::int64_t>(at) * kBucketMs};
    bucket.calls = static_cast<std::uint64_t>(95'876 * busy * noise);
    bucket.read_units = read * busy * noise;
    bucket.write_units = write * busy * noise;
    bucket.peak_second_read_units = bucket.read_units / 40;
    bucket.peak_second_write_units = bucket.write_units / 40;
    if (layout.has_one_customer_key && at > 50 && at < 70) {
      bucket.throttles = {{"IndexWriteKeyRangeThroughputExceeded", at % 7 + 3}};
      if (at % 3 == 0) bucket.throttles.push_back({"TableWriteProvisionedThroughputExceeded", 4});
    }
    measurement.time.buckets.push_back(std::move(bucket));
  }
}

TableMeasure TableOf(const Layout& layout) {
  TableMeasure table{.account = "000000000000", .region = "us-east-1", .name = "shop"};
  table.hash = {"PK"};
  table.range = {"SK"};
  table.on_demand = true;
  table.indexes = {{.name = "GSI1",
                    .hash = {"GSI1PK"},
                    .range = {"GSI1SK"},
                    .projection = layout.has_one_customer_key ? "ALL" : "KEYS_ONLY",
                    .items = 79'400,
                    .size_bytes = layout.has_one_customer_key ? 31'900'000 : 8'100'000},
                   {.name = "GSI2",
                    .hash = {"GSI2PK"},
                    .range = {"SK"},
                    .projection = "KEYS_ONLY",
                    .items = 1'250,
                    .size_bytes = 110'000}};
  table.items = 88'000;
  table.size_bytes = 38'400'000;
  table.walked_share = 1;
  table.type_attribute = "type";
  return table;
}

EntityMeasure EntityOf(std::string type, std::string partition_key, std::string sort_key,
                       std::uint64_t items, double bytes) {
  EntityMeasure entity{.table = "shop",
                       .type = std::move(type),
                       .partition_key = std::move(partition_key),
                       .sort_key = std::move(sort_key),
                       .items = items};
  entity.size_bytes.Add(bytes, items - 1);
  entity.size_bytes.Add(bytes * 3);
  return entity;
}

void AddEntities(Measurement& measurement) {
  EntityMeasure line = EntityOf("OrderItem", "ORDER#{order_id}", "ITEM#{sku}", 55'400, 310);
  line.indexes = {{.index = "GSI1", .items = 55'400}};
  line.inserted = 11'400;
  line.units = {{"shop", "", 0, 11'400}, {"shop", "GSI1", 0, 11'400}};
  EntityMeasure order = EntityOf("Order", "ORDER#{order_id}", "METADATA", 18'700, 420);
  order.indexes = {{.index = "GSI1", .items = 18'700}, {.index = "GSI2", .items = 1'250}};
  order.inserted = 3'800;
  order.units = {{"shop", "", 0, 3'800}, {"shop", "GSI1", 0, 3'800}};
  EntityMeasure customer = EntityOf("Customer", "CUST#{customer_id}", "METADATA", 12'100, 640);
  customer.indexes = {{.index = "GSI1", .items = 5'300}};
  customer.inserted = 2'600;
  customer.removed = 12;
  customer.units = {{"shop", "", 0, 2'600}, {"shop", "GSI1", 0, 2'600}};
  EntityMeasure product = EntityOf("Product", "PRODUCT#{sku}", "METADATA", 1'800, 2'900);
  product.changed = 4'110;
  product.units = {{"shop", "", 0, 4'110}};
  measurement.entities = {line, order, customer, product};
}

Measurement MeasurementOf(const Layout& layout) {
  Measurement measurement{.name = layout.name, .began_epoch_ms = kBegin};
  measurement.ended_epoch_ms = kBegin + static_cast<std::int64_t>(kBuckets) * kBucketMs;
  measurement.tables = {TableOf(layout)};
  std::size_t number = 0;
  for (const PatternRow& row : RowsOf(layout)) {
    measurement.patterns.push_back(PatternOf(row, number++));
  }
  measurement.patterns[0].errors = {{"TransactionCanceledException", 37}};
  if (layout.has_one_customer_key) {
    measurement.patterns[7].throttles = {{"IndexWriteKeyRangeThroughputExceeded", 148}};
    measurement.patterns[7].failed_write_units = 148;
  }
  measurement.resources = {TableResource(), IndexResource(layout)};
  SumUnits(measurement);
  AddHeat(measurement.resources[0], 11, 0.02, 7);
  AddHeat(measurement.resources[1], 20, layout.has_one_customer_key ? 0.3 : 0.02, 1'000);
  AddTime(layout, measurement);
  AddEntities(measurement);
  return measurement;
}

std::vector<ReportedFinding> FindingsOfFirstLayout() {
  return {
      {.rule = "constant-partition-key",
       .severity = "severe",
       .what = "All items of an index have one partition key.",
       .where = "shop / GSI1, GSI1PK=CUSTOMER",
       .evidence = "5,300 customers are in the index under the key CUSTOMER, which took 83 % of "
                   "the index's writes in its busiest minute.",
       .cost = {},
       .advice = "Add a shard number to the key, such as CUSTOMER#7, and read the shards side by "
                 "side.",
       .method = "measured"},
      {.rule = "scan",
       .severity = "severe",
       .what = "An application's path scans a table.",
       .where = "shop, Scan with the filter #type = ?",
       .evidence = "6 scans examined 88,000 items each to return 1,050: 83.8 for one.",
       .cost = "US$ 640.00 per million calls",
       .advice = "Give the pattern a key: a sparse index of the type that it looks for.",
       .method = "measured"},
      {.rule = "examined-per-returned",
       .severity = "warning",
       .what = "A query examines many items for each that it returns.",
       .where = "shop / GSI1, all customers by date",
       .evidence = "It examined 1,200 items to return 40: 30 for one.",
       .cost = "US$ 7.25 per million calls, read and dropped by the filter",
       .advice = "Put what the filter asks for into the sort key, or into the key of a sparse "
                 "index.",
       .method = "measured"},
      {.rule = "unread-index",
       .severity = "warning",
       .what = "An index is written and never read.",
       .where = "shop / GSI2",
       .evidence = "1,250 entries are stored; no call read them in 4 h.",
       .cost = "US$ 0.01 a month of storage",
       .advice = "Drop the index.",
       .method = "measured"},
      {.rule = "strong-reads",
       .severity = "hint",
       .what = "Strongly consistent reads make up much of the bill.",
       .where = "shop, product by SKU",
       .evidence = "18,900 consistent reads, 14 % of the read units.",
       .cost = "US$ 0.06 per million calls",
       .advice = "Read without ConsistentRead where a second of age does no harm.",
       .method = "modelled"}};
}

ReportInput ReportOf(const Layout& layout) {
  ReportInput input{.title = layout.name, .measurement = MeasurementOf(layout)};
  for (const PatternMeasure& pattern : input.measurement.patterns) {
    input.pattern_costs.push_back(CostOf(pattern));
  }
  input.month.basis = "extrapolated from 4 hours";
  input.month.plans = {{"on demand", 7.11},
                       {"provisioned with autoscaling", 1.42, true, 1200},
                       {"as the tables are now", 7.11}};
  input.month.lines = {
      {"write units", "shop", "", "on demand", 8.4, "million", 5.25, "extrapolated"},
      {"read units", "shop", "", "on demand", 14.9, "million", 1.86, "extrapolated"},
      {"storage", "shop", "", "on demand", 0.036, "GB", 0, "measured"}};
  input.not_assessed = {{"declared-peak", "No rates were declared."},
                        {"time-to-live", "No table has a time to live."}};
  input.clean_rules = 24;
  input.assumptions = {
      {"Prices of us-east-1 in US$, published on 2026-08-31; a table of the class Standard.",
       "modelled"},
      {"A month has 730 hours, a GB 1,073,741,824 bytes.", "modelled"},
      {"Reserved capacity, savings plans, DAX, backups and data transfer are left out.",
       "modelled"}};
  return input;
}

}  // namespace

ReportInput ShopWithOneCustomerKey() {
  ReportInput input = ReportOf({"one customer key", true, 1, 1.5});
  input.findings = FindingsOfFirstLayout();
  input.first_limits = {
      {.least_calls_per_second = 598,
       .greatest_calls_per_second = 607,
       .table = "shop",
       .index = "GSI1",
       .key = "GSI1PK=CUSTOMER",
       .direction = "write",
       .limit = 1'000,
       .sentence = "at 598 to 607 calls/s of this mix: GSI1, key CUSTOMER, writes"},
      {.least_calls_per_second = 81'200,
       .greatest_calls_per_second = 81'200,
       .table = "shop",
       .direction = "write",
       .limit = 40'000,
       .sentence = "at 81,200 calls/s of this mix: shop, the quota of a table, writes"}};
  return input;
}

ReportInput ShopWithTenCustomerKeys() {
  ReportInput input = ReportOf({"ten customer keys", false, 1, 0.5});
  input.findings = {FindingsOfFirstLayout()[1], FindingsOfFirstLayout()[3]};
  input.first_limits = {
      {.least_calls_per_second = 12'000,
       .greatest_calls_per_second = 12'300,
       .table = "shop",
       .index = "GSI1",
       .key = "GSI1PK=CUSTOMER#3",
       .direction = "write",
       .limit = 1'000,
       .sentence = "at 12,000 calls/s of this mix: GSI1, key CUSTOMER#3, writes"}};
  // This layout asks for something that the first does not.
  input.measurement.patterns[9].id = "000000000099";
  input.measurement.patterns[9].name = "customers of one shard";
  input.pattern_costs[9].id = "000000000099";
  return input;
}

ReportInput ShopWithOneOfEach() {
  ReportInput input;
  PatternMeasure get{.id = "g", .text = "GetItem shop", .operation = "GetItem"};
  get.calls = get.requests = 1;
  get.errors = {{"ValidationException", 1}};
  input.measurement.patterns = {get};
  input.measurement.limits = {.other_patterns = 1, .other_resources = 1, .open_pages = 1};
  input.measurement.tables = {{.name = "shop", .items = 1, .size_bytes = 100}};
  ResourceMeasure table{.table = "shop", .read_units = 1};
  table.collections.count = 1;
  table.collections.items.Add(1);
  table.collections.size_bytes.Add(100);
  input.measurement.resources = {table};
  input.findings = {{.rule = "scan", .severity = "warning"}};
  input.not_assessed = {{"a", "A."}, {"b", "B."}, {"c", "C."}, {"d", "D."}};
  input.clean_rules = 1;
  return input;
}

ReportInput HostileShop() {
  const std::string tag = "\"><script>alert('1')</script><img src=x onerror=\"alert(1)\">";
  const std::string turned =
      "\xE2\x80\xAE"
      "abc\xD7\x90\xD7\x91";  // an override, then Hebrew
  const std::string broken =
      "a\xFF\xC0\xAF\xED\xA0\x80"
      "b";
  const std::string controls = std::string("\x1B[31mred\x07\n\t\0end", 15);
  ReportInput input = ShopWithOneCustomerKey();
  input.title = tag;
  Measurement& measurement = input.measurement;
  measurement.patterns[0].name = turned + tag;
  measurement.patterns[1].name = std::string(5'000, 'x') + "end";
  measurement.patterns[2].text = controls + broken;
  measurement.patterns[2].name.clear();
  ResourceMeasure& resource = measurement.resources[0];
  resource.hot_windows[0].key.key = tag;
  resource.hot_windows[1].key.key = broken;
  resource.hot_windows[2].key.key = std::string(2'048, '\xE2');
  resource.written_keys.keys[0] = {controls, turned, 10, 1};
  resource.collections.largest[0].key = turned;
  measurement.entities[0].type = tag;
  measurement.entities[1].partition_key = controls;
  measurement.time.buckets[55].throttles = {{tag, 3}};
  input.findings[0].evidence = tag;
  input.findings[0].severity = "x\" onclick=\"alert(1)";
  input.assumptions[0].sentence = broken;
  return input;
}

}  // namespace hashrange
