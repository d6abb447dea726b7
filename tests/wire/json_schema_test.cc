#include "wire/json_schema.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

constexpr std::string_view kSchema = R"({
  "type": "object", "required": ["a"], "additionalProperties": false,
  "properties": {
    "a": {"$ref": "#/definitions/size"},
    "b": {"type": "array", "items": {"type": "string", "pattern": "^x[0-9]+$"}},
    "c": {"anyOf": [{"type": "string"}, {"$ref": "#/definitions/pair"}]}
  },
  "definitions": {
    "size": {"type": "integer", "minimum": 1},
    "pair": {"type": "object", "properties": {"d/e": {"type": "boolean"}}}
  }
})";

// Returns "document pointer, keyword, schema pointer" of the first violation, "ok", or the error.
std::string Violation(std::string_view schema, std::string_view json, std::string_view at = "") {
  const Result<JsonSchema> read = JsonSchema::Read(schema, at);
  if (!read.ok()) return read.error().message;
  const Result<std::optional<SchemaViolation>> first = read->FirstViolation(json);
  if (!first.ok()) return first.error().message;
  if (!*first) return "ok";
  const SchemaViolation& violation = **first;
  return violation.document_pointer + ", " + violation.keyword + ", " + violation.schema_pointer;
}

TEST(JsonSchema, FirstViolationHasItsPlaces) {
  EXPECT_EQ(Violation(kSchema, R"({"a": 1, "b": ["x1"], "c": {"d/e": true}})"), "ok");
  EXPECT_EQ(Violation(kSchema, R"({"b": []})"), ", required, ");
  EXPECT_EQ(Violation(kSchema, R"({"a": 0})"), "/a, minimum, /definitions/size");
  EXPECT_EQ(Violation(kSchema, R"({"a": 1, "f~/": 2})"), "/f~0~1, additionalProperties, ");
  EXPECT_EQ(Violation(kSchema, R"({"a": 1, "b": ["x1", "y"]})"),
            "/b/1, pattern, /properties/b/items");
  EXPECT_EQ(Violation(kSchema, R"({"a": 1, "c": 2})"), "/c, anyOf, /properties/c");
}

TEST(JsonSchema, APartOfASchemaIsASchema) {
  EXPECT_EQ(Violation(kSchema, R"({"d/e": 1})", "/properties/c/anyOf/1"),
            "/d~1e, type, /definitions/pair/properties/d~1e");
  EXPECT_EQ(Violation(kSchema, "[5]", "/properties/b"), "/0, type, /properties/b/items");
  EXPECT_EQ(Violation(kSchema, "1", "/nowhere"), "no schema at /nowhere");
}

TEST(JsonSchema, WhatTheValidatorWouldIgnoreIsRefused) {
  EXPECT_EQ(Violation(R"({"$ref": "#/definitions/none"})", "1"),
            "the reference #/definitions/none leads to no schema");
  EXPECT_EQ(Violation(R"({"properties": {"a": {"items": [{"$ref": "#/none"}]}}})", "1"),
            "the reference #/none leads to no schema");
  EXPECT_EQ(Violation(R"({"$ref": "other.json#/a"})", "1"),
            "the reference other.json#/a leads to no schema");
  EXPECT_EQ(Violation(R"({"pattern": "[x"})", "1"), "the pattern [x cannot be read");
  EXPECT_EQ(Violation("[]", "1"), "the schema is not a JSON object");
  EXPECT_EQ(Violation("{}", "{"), "this is not JSON");
}

}  // namespace
}  // namespace hashrange
