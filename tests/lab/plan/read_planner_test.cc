#include <gtest/gtest.h>

#include "plan_text.h"

namespace hashrange {
namespace {

constexpr const char* kShop = R"(
lab: 1
entities:
  Customer: {count: 20000, attributes: {customer_id: {sequence: 8}, email: {template: "{customer_id}@example.com"},
             created_at: {time: {past: 730d}}, name: {text: [8, 24]}}}
  Order:    {of: Customer, count: {zipf: 0.9, mean: 10, max: 2000}, attributes: {order_id: {ulid: created_at}, created_at: {time: {past: 365d}},
             status: {choice: {OPEN: 3, PAID: 7, SHIPPED: 90}}, total: {number: {lognormal: [4, 1], decimals: 2}}}}
  Line:     {of: Order, count: {poisson: 3, min: 1}, distinct: sku, attributes: {sku: {ref: Product.sku, pick: zipf}, quantity: {number: [1, 5]}, note: {text: [40, 160]}}}
  Product:  {count: 2000, attributes: {sku: {sequence: 5}, title: {text: [20, 60]}, stock: {number: [0, 999]}}}
access_patterns:
  customer:             {get: Customer, by: [customer_id], rate: 400/s, pick: zipf}
  orders of a customer: {query: Order, by: [customer_id], order: -created_at, limit: 20, returns: [order_id, created_at, status, total], rate: 200/s, pick: zipf}
  order with lines:     {query: [Order, Line], by: [order_id], rate: 200/s, pick: latest}
  orders of a product:  {query: Line, by: [sku], limit: 50, returns: [order_id, quantity], rate: 20/s, pick: zipf}
  newest customers:     {query: Customer, order: -created_at, limit: 50, rate: 5/s}
layouts:
  overloaded:
    tables:
      shop:
        key: [PK, SK]
        billing: on_demand
        indexes: {GSI1: {key: [GSI1PK, GSI1SK], projection: all}}
        items:
          Customer: [{PK: "CUST#{customer_id}", SK: METADATA, GSI1PK: CUSTOMER, GSI1SK: "{created_at}"}, {PK: "EMAIL#{email}", SK: EMAIL, attributes: [customer_id]}]
          Order:    {PK: "ORDER#{order_id}", SK: METADATA, GSI1PK: "CUST#{customer_id}", GSI1SK: "ORDER#{created_at}#{order_id}"}
          Line:     {PK: "ORDER#{order_id}", SK: "ITEM#{sku}", GSI1PK: "PRODUCT#{sku}", GSI1SK: "ORDER#{order_id}"}
          Product:  {PK: "PRODUCT#{sku}", SK: METADATA}
  sharded, lines inside:
    like: overloaded
    tables: {shop: {indexes: {GSI1: {projection: [order_id, status, total, created_at, customer_id, name, email]}}, items: {
      Customer: [{PK: "CUST#{customer_id}", SK: METADATA, GSI1PK: "CUSTOMER#{shard(customer_id, 8)}", GSI1SK: "{created_at}"}, {PK: "EMAIL#{email}", SK: EMAIL, attributes: [customer_id]}],
      Line: {embed: Order.lines, map_by: sku}}}}
)";

std::string AllPlans(const LabFile& file, int layout) {
  const LayoutPlan plan = LayoutPlanOf(file, layout);
  std::string text;
  for (const PatternPlan& one : plan.patterns) {
    text += "== " + file.patterns[static_cast<std::size_t>(one.pattern)].name + ": ";
    text += PlanText(file, one);
  }
  return text;
}

TEST(ReadPlanner, TheShopsOverloadedKeysServeEachPattern) {
  EXPECT_EQ(AllPlans(LabFileOf(kShop), 0), R"()");
}

TEST(ReadPlanner, TheShopWithLinesInsideScansForAProduct) {
  EXPECT_EQ(AllPlans(LabFileOf(kShop), 1), R"()");
}

}  // namespace
}  // namespace hashrange
