// A small lab file, a way to read others, and their plans and filled tables, for tests of runs.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "lab/language/data/population.h"
#include "lab/language/lab_reader.h"
#include "lab/plan/layout_plan.h"
#include "lab/run/layout_database.h"
#include "lab/run/table_fill.h"

namespace hashrange {

// A shop with two layouts: lines as items, and lines inside their orders.
inline constexpr const char* kSmallShop = R"(
lab: 1
seed: 7
entities:
  Customer: {count: 200, attributes: {customer_id: {sequence: 8}, email: "{customer_id}@example.com", created_at: {time: {past: 730d}}}}
  Order: {of: Customer, count: {poisson: 4, max: 40}, attributes: {order_id: {ulid: created_at}, created_at: {time: {past: 365d}}, status: {choice: {OPEN: 1, PAID: 3}}}}
  Line: {of: Order, count: {poisson: 3, min: 1, max: 9}, distinct: sku, attributes: {sku: {ref: Product.sku, pick: zipf}, quantity: {number: [1, 5]}, note: {text: [40, 160]}}}
  Product: {count: 100, attributes: {sku: {sequence: 5}, stock: {number: [100, 999]}}}
access_patterns:
  customer: {get: Customer, by: [customer_id], rate: 40/s, pick: zipf}
  orders of a customer: {query: Order, by: [customer_id], order: -created_at, limit: 3, rate: 20/s, pick: zipf}
  order with lines: {query: [Order, Line], by: [order_id], rate: 20/s, pick: latest}
  orders of a product: {query: Line, by: [sku], rate: 2/s}
  sign up: {create: Customer, unique: [email], rate: 5/s}
  place an order: {create: Order, with: [Line], set: {status: OPEN}, also: [{update: Product, each: Line, by: [sku], add: {stock: "-{quantity}"}}], rate: 5/s}
  pay: {update: Order, by: [order_id], set: {status: PAID}, if: {status: OPEN}, rate: 5/s, pick: {where: {status: OPEN}}}
layouts:
  items:
    tables:
      shop:
        key: [PK, SK]
        billing: on_demand
        indexes: {GSI1: {key: [GSI1PK, GSI1SK], projection: all}}
        items:
          Customer: [{PK: "CUST#{customer_id}", SK: METADATA}, {PK: "EMAIL#{email}", SK: EMAIL, attributes: [customer_id]}]
          Order: {PK: "ORDER#{order_id}", SK: METADATA, GSI1PK: "CUST#{customer_id}", GSI1SK: "ORDER#{created_at}#{order_id}"}
          Line: {PK: "ORDER#{order_id}", SK: "ITEM#{sku}", GSI1PK: "PRODUCT#{sku}", GSI1SK: "ORDER#{order_id}"}
          Product: {PK: "PRODUCT#{sku}", SK: METADATA}
  lines inside:
    like: items
    tables: {shop: {items: {Line: {embed: Order.lines, map_by: sku}}}}
traffic: [{for: 20s, rate: 1}, {for: 10s, ramp: [1, 4]}]
)";

// Returns the file of a text, which has to be right.
inline LabFile FileOf(std::string_view yaml) {
  auto file = ReadLabFile(yaml, "test.yaml");
  if (!file.ok()) {
    ADD_FAILURE() << file.error().message;
    return {};
  }
  return std::move(*file);
}

// Returns the plan of a layout, which has to be right.
inline LayoutPlan PlanOf(const LabFile& file, int layout = 0) {
  if (file.layouts.empty()) return {};
  auto plan = PlanLayout(file, layout);
  if (!plan.ok()) {
    ADD_FAILURE() << plan.error().message;
    return {};
  }
  return std::move(*plan);
}

// Returns the JSON of the item that is stored for the instance; empty: there is none.
inline std::string StoredJson(const StoredItem& stored, InstanceId id,
                              const Population& population) {
  LabCall call = {.roles = {{id}}};
  for (const int entity : stored.embedded) {
    population.AppendChildren(id, entity, call.roles.emplace_back());
  }
  std::string item;
  RenderRequest(stored.item, population, call, item);
  return item;
}

// Returns the plan of a layout, after the tables of the layout were made and filled in its
// database.
inline LayoutPlan FilledPlan(const LabFile& file, int layout, const Population& population,
                             LayoutDatabase& database) {
  LayoutPlan plan = PlanOf(file, layout);
  EXPECT_TRUE(database.MakeTables(plan, 1).ok());
  TableFill fill(database, plan, population);
  EXPECT_TRUE(fill.Run(nullptr, [](double) {}).ok());
  return plan;
}

}  // namespace hashrange
