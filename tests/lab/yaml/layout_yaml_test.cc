#include "lab/yaml/layout_yaml.h"

#include <gtest/gtest.h>

#include "lab/language/lab_document.h"

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

TEST(WithLayouts, RefusesJson) {
  constexpr const char* kText = R"({"lab": 1, "entities": {}})";
  const auto document = ReadLabDocument(kText, "x");
  ASSERT_TRUE(document.ok());
  EXPECT_FALSE(WithLayouts(kText, *document, {}).ok());
}

}  // namespace
}  // namespace hashrange
