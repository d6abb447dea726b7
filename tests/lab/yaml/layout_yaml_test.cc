#include "lab/yaml/layout_yaml.h"

#include <gtest/gtest.h>

#include <string>

#include "lab/language/lab_document.h"
#include "lab/language/lab_reader.h"

namespace hashrange {
namespace {

TEST(WithLayouts, ReplacesTheLayoutsOfAFile) {
  constexpr const char* kText = R"(lab: 1
entities: {A: {count: 1, attributes: {a: {sequence: 3}}}}
layouts:
  old:
    tables: {t: {key: [a], items: {A: {}}}}
access_patterns:
  get: {get: A, by: [a], rate: 1/s} # stays
limits:
  "*": {headroom: 3}
  old: {month_usd: 4})";
  const auto document = ReadLabDocument(kText, "x");
  ASSERT_TRUE(document.ok());
  const auto whole = WithLayouts(kText, *document, {"  new:\n    tables: {}\n"});
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(*whole, R"(lab: 1
entities: {A: {count: 1, attributes: {a: {sequence: 3}}}}
access_patterns:
  get: {get: A, by: [a], rate: 1/s} # stays
limits:
  "*": {headroom: 3}
layouts:
  new:
    tables: {}
)");
}

TEST(LayoutYaml, SaysWhatExpiresAndWhatIsInsideAnotherItem) {
  constexpr const char* kText = R"(lab: 1
entities:
  Order: {count: 1, attributes: {order_id: {sequence: 3}, ends_at: {time: {ahead: 9d}, form: seconds}}}
  Line: {of: Order, count: 2, attributes: {line_id: {sequence: 3}}}
access_patterns:
  order: {query: [Order, Line], by: [order_id], rate: 1/s}
layouts:
  inside:
    tables:
      orders:
        key: [order_id]
        billing: on_demand
        ttl: ends_at
        items:
          Order: {}
          Line: {embed: "Order.lines", map_by: line_id}
)";
  const auto lab = LoadLab(kText, "x.yaml");
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  const std::string yaml = LayoutYaml(lab->file, lab->file.layouts.front());
  EXPECT_EQ("layouts:\n" + yaml, std::string(kText).substr(std::string(kText).find("layouts:")));
}

// A key of a grandparent's identity, which the item does not store, has to be written.
TEST(LayoutYaml, LeavesOutOnlyKeysThatTheItemStores) {
  constexpr const char* kText = R"(lab: 1
entities:
  Order: {count: 1, attributes: {order_id: {sequence: 3}}}
  Line: {of: Order, count: 2, attributes: {line_id: {sequence: 3}}}
  Part: {of: Line, count: 2, attributes: {part_id: {sequence: 3}}}
access_patterns:
  parts: {query: Part, by: [order_id], rate: 1/s}
layouts:
  apart:
    tables:
      parts:
        key: [line_id, part_id]
        billing: on_demand
        indexes:
          GSI1: {key: [order_id, part_id], projection: all}
        items:
          Part: {order_id: "{order_id}"}
)";
  const auto lab = LoadLab(kText, "x.yaml");
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  const std::string yaml = LayoutYaml(lab->file, lab->file.layouts.front());
  EXPECT_EQ("layouts:\n" + yaml, std::string(kText).substr(std::string(kText).find("layouts:")));
}

TEST(WithLayouts, RefusesJson) {
  constexpr const char* kText = R"({"lab": 1, "entities": {}})";
  const auto document = ReadLabDocument(kText, "x");
  ASSERT_TRUE(document.ok());
  EXPECT_FALSE(WithLayouts(kText, *document, {}).ok());
}

}  // namespace
}  // namespace hashrange
