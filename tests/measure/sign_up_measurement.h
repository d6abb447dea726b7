// A small measurement, for tests that compute figures by hand: an hour of a shop with one table and
// one index.
//
//   600 × "sign up"               PutItem: 1 write unit of the table, 1 of GSI1
//   400 × "orders of a customer"  Query of GSI1: 0.5 read units, 5 items examined for 2.5 returned
#pragma once

#include <cstdint>

#include "measure/measurement.h"

namespace hashrange {

inline constexpr std::int64_t kHourMs = 3'600'000;

inline TableMeasure ShopTable() {
  TableMeasure table{.name = "shop", .hash = {"PK"}, .range = {"SK"}, .on_demand = true};
  table.table_class = "STANDARD";
  table.items = 1000;
  table.size_bytes = 1'000'000;
  IndexMeasure index{.name = "GSI1", .hash = {"GSI1PK"}, .range = {"GSI1SK"}};
  index.projection = "ALL";
  index.items = 500;
  index.size_bytes = 400'000;
  table.indexes = {index};
  return table;
}

inline PatternMeasure SignUpPattern() {
  PatternMeasure pattern{.id = "aaa", .name = "sign up", .text = "PutItem shop CUST#{id}"};
  pattern.operation = "PutItem";
  pattern.members = {{.kind = "put", .table = "shop"}};
  pattern.members[0].key = {{"PK", "=", "CUST#{id}", ""}, {"SK", "=", "PROFILE", ""}};
  pattern.calls = pattern.requests = pattern.inserted = 600;
  pattern.units = {{"shop", "", 0, 600}, {"shop", "GSI1", 0, 600}};
  pattern.call.write_units.Add(2, 600);
  return pattern;
}

inline PatternMeasure OrdersPattern() {
  PatternMeasure pattern{.id = "bbb", .text = "Query shop.GSI1 CUST#{id}"};
  pattern.operation = "Query";
  pattern.members = {{.kind = "query", .table = "shop", .index = "GSI1"}};
  pattern.members[0].key = {{"GSI1PK", "=", "CUST#{id}", ""},
                            {"GSI1SK", "begins_with", "ORDER#", ""}};
  pattern.calls = pattern.requests = 400;
  pattern.units = {{"shop", "GSI1", 200, 0}};
  pattern.call.read_units.Add(0.5, 400);
  pattern.call.items_examined.Add(5, 400);
  pattern.call.items_returned.Add(2, 200);
  pattern.call.items_returned.Add(3, 200);
  pattern.callers = {{"checkout", 400}};
  return pattern;
}

inline Measurement SignUpMeasurement() {
  Measurement measurement;
  measurement.name = "shop";
  measurement.began_epoch_ms = 1'700'000'000'000;
  measurement.ended_epoch_ms = measurement.began_epoch_ms + kHourMs;
  measurement.tables = {ShopTable()};
  measurement.patterns = {SignUpPattern(), OrdersPattern()};
  ResourceMeasure table{.table = "shop", .write_units = 600};
  ResourceMeasure index{.table = "shop", .index = "GSI1", .read_units = 200, .write_units = 600};
  measurement.resources = {table, index};
  return measurement;
}

}  // namespace hashrange
