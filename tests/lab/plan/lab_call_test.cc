#include "lab/plan/request/lab_call.h"

#include <gtest/gtest.h>

#include "plan_text.h"

namespace hashrange {
namespace {

constexpr const char* kEntities = R"(
lab: 1
entities:
  Customer: {count: 10, attributes: {customer_id: {sequence: 4}, vip: {flag: 0.1}}}
  Order: {of: Customer, count: 5, attributes: {order_id: {uuid: true}, status: {choice: [OPEN, PAID]}}}
  Line: {of: Order, count: 3, distinct: sku, attributes: {sku: {ref: Product.sku}, quantity: {number: [1, 5]}}}
  Product: {count: 20, attributes: {sku: {sequence: 3}, stock: {number: [0, 9]}}}
  Event: {of: Customer, count: 1, attributes: {event_id: {uuid: true}}}
  Note: {of: Product, count: 1, attributes: {note_id: {uuid: true}}}
layouts: {one: {tables: {tab: {key: [pk], items: {Customer: {pk: "{customer_id}"}}}}}}
access_patterns:
  it: )";

// Returns the roles: "picked Customer; created Order of 0"; and behind a bar the roles of the
// writes.
std::string ShapeText(const std::string& pattern) {
  const LabFile file = FileOf(kEntities + pattern + "\n");
  if (file.patterns.empty()) return "";
  const CallShape shape = ShapeOfCalls(file, file.patterns.front());
  constexpr const char* kSources[] = {"picked",   "created",  "created children",
                                      "children", "referred", "ancestor"};
  std::string text;
  for (const CallRole& role : shape.roles) {
    if (!text.empty()) text += "; ";
    text += kSources[static_cast<std::size_t>(role.source)];
    text += " " + file.entities[static_cast<std::size_t>(role.entity)].name;
    if (role.of_role != kLabNone) text += " of " + std::to_string(role.of_role);
    if (role.via != kLabNone) text += " via " + std::to_string(role.via);
    if (role.count != 1) text += " x" + std::to_string(role.count);
  }
  for (const CallShape::WriteRoles& write : shape.writes) {
    text += " | " + std::to_string(write.role);
    for (const int role : write.with) text += " with " + std::to_string(role);
  }
  return text;
}

TEST(CallShape, AReadPicksTheEntityThatAllOfByComesFrom) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{get: Order, by: [order_id]}", "picked Order"},
      {"{get: Order, by: [order_id], batch: 20}", "picked Order x20"},
      {"{query: Order, by: [customer_id]}", "picked Customer"},
      {"{query: Order, by: [customer_id, order_id]}", "picked Order"},
      {"{query: Line, by: [customer_id]}", "picked Customer"},
      {"{query: Line, by: [sku]}", "picked Product"},
      {"{query: Line, by: [order_id, sku]}", "picked Line"},
      {"{query: [Order, Line], by: [order_id]}", "picked Order"},
      {"{query: Order}", "picked Order"},
      {"{query: Order, by: [customer_id], range: {order_id: {prefix: 2}}}", "picked Order"},
      {"{query: Order, by: [customer_id], pick: {where: {status: OPEN}}}", "picked Order"},
  };
  for (const auto& [pattern, shape] : cases) EXPECT_EQ(ShapeText(pattern), shape) << pattern;
}

TEST(CallShape, AWriteHasARoleForEachPartOfIt) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{create: Customer, batch: 25}", "created Customer x25 | 0"},
      {"{create: Order, with: [Line]}",
       "picked Customer; created Order of 0; created children Line of 1 | 1 with 2"},
      {"{create: Order, with: [Line], also: [{update: Product, each: Line, by: [sku], "
       "add: {stock: -1}}]}",
       "picked Customer; created Order of 0; created children Line of 1; referred Product of 2 via "
       "0 "
       "| 1 with 2 | 3"},
      {"{update: Order, by: [order_id], set: {status: PAID}, also: [{update: Customer, "
       "by: [customer_id], set: {vip: true}}]}",
       "picked Order; ancestor Customer of 0 | 0 | 1"},
      {"{delete: Order, by: [order_id], with: [Line]}",
       "picked Order; children Line of 0 | 0 with 1"},
      {"{update: Order, by: [order_id], set: {status: PAID}, also: [{create: Event}]}",
       "picked Order; created Event of 0 | 0 | 1"},
      {"{create: Line, also: [{create: Note, each: Product, by: [sku]}]}",
       "picked Order; created Line of 0; referred Product of 1 via 0; created Note of 2 | 1 | 3"},
  };
  for (const auto& [pattern, shape] : cases) EXPECT_EQ(ShapeText(pattern), shape) << pattern;
}

}  // namespace
}  // namespace hashrange
