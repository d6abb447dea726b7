// What a test of a design rule needs: a small shop to change, and what a rule says of it as text.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/measurement.h"
#include "measure/number_text.h"
#include "measure/rules/design_rules.h"
#include "measure/rules/findings.h"

namespace hashrange {

inline std::string PlaceText(const FindingPlace& place) {
  std::string text = place.table;
  if (!place.index.empty()) text += "/" + place.index;
  if (!place.pattern.empty()) text += " pattern " + place.pattern;
  if (!place.entity.empty()) text += " entity " + place.entity;
  if (!place.key.empty()) text += " key " + place.key;
  return text;
}

// Returns a whole finding: "warning [shop pattern p]: 2 calls … (measured); US$ 1.50 per month for
// the scan (modelled)".
inline std::string FindingText(const Finding& finding) {
  std::string text = std::string(SeverityName(finding.severity)) + " [" + PlaceText(finding.place) +
                     "]: " + finding.evidence + " (" + std::string(BasisName(finding.basis)) + ")";
  if (finding.cost) {
    text += "; " + UsdText(finding.cost->usd) + " per " + finding.cost->per + " for " +
            finding.cost->of + " (" + std::string(BasisName(finding.cost->basis)) + ")";
  }
  return text;
}

// Returns what the rule says: "clean", "not assessed: …", or its findings, each followed by a line
// end if there are several.
inline std::string Judge(std::string_view slug, const Measurement& measurement,
                         const RuleInput& input = {}) {
  for (const DesignRule& rule : DesignRules()) {
    if (rule.slug != slug) continue;
    const RuleOutcome outcome = rule.assess(measurement, input);
    if (!outcome.has_evidence) return "not assessed: " + outcome.missing;
    if (outcome.findings.empty()) return "clean";
    std::string text;
    for (const Finding& finding : outcome.findings) {
      text += (text.empty() ? "" : "\n") + FindingText(finding);
    }
    return text;
  }
  return "there is no such rule";
}

// A measurement, and what one rule says of it.
struct JudgedRow {
  const char* name;
  Measurement measurement;
  std::string says;
  RuleInput input = {};
};

// Expects of the rule what each row says.
inline void ExpectJudged(std::string_view slug, std::span<const JudgedRow> rows) {
  for (const JudgedRow& row : rows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Judge(slug, row.measurement, row.input), row.says);
  }
}

// Returns the measurement after `change(Measurement&)`.
template <typename Change>
Measurement Changed(Measurement measurement, const Change& change) {
  change(measurement);
  return measurement;
}

// Returns a table "shop" with the keys PK and SK and an index "GSI1" with GSI1PK and GSI1SK.
inline TableMeasure JudgedTable() {
  TableMeasure table{.name = "shop", .hash = {"PK"}, .range = {"SK"}, .on_demand = true};
  table.indexes = {{.name = "GSI1", .hash = {"GSI1PK"}, .range = {"GSI1SK"}, .projection = "ALL"}};
  return table;
}

inline Measurement ShopMeasurement() {
  Measurement measurement;
  measurement.tables = {JudgedTable()};
  return measurement;
}

inline Measurement ShopWith(std::vector<PatternMeasure> patterns) {
  Measurement measurement = ShopMeasurement();
  measurement.patterns = std::move(patterns);
  return measurement;
}

// Returns a pattern "p" with one member; each call took the units given on the table "shop".
inline PatternMeasure OnePattern(std::string operation, std::string kind, std::uint64_t calls) {
  PatternMeasure pattern{.id = "p", .operation = std::move(operation)};
  pattern.members = {{.kind = std::move(kind), .table = "shop"}};
  pattern.calls = calls;
  pattern.requests = calls;
  return pattern;
}

// Returns a Query of one partition of "shop" by its partition key, `key`.
inline PatternMeasure QueryPattern(std::uint64_t calls, std::string key = "CUST#{id}") {
  PatternMeasure pattern = OnePattern("Query", "query", calls);
  pattern.members[0].key = {{"PK", "=", std::move(key), ""}};
  return pattern;
}

// Returns items of "shop".
inline EntityMeasure EntityOf(std::string type, std::string partition_key, std::string sort_key,
                              std::uint64_t items) {
  EntityMeasure entity{.table = "shop", .type = std::move(type)};
  entity.partition_key = std::move(partition_key);
  entity.sort_key = std::move(sort_key);
  entity.items = items;
  return entity;
}

inline void AddTemplate(Measurement* measurement, const EntityIndex& part, std::string attribute,
                        std::string text) {
  KeyTemplateMeasure& made = measurement->key_templates.emplace_back();
  made.table = "shop";
  made.index = part.index;
  made.attribute = std::move(attribute);
  made.text = std::move(text);
  made.items = part.items;
}

// Adds the templates of the keys of the first index, each with its items, as the meter does.
inline void AddIndexTemplates(Measurement* measurement) {
  const IndexMeasure index = measurement->tables[0].indexes[0];
  for (const EntityMeasure& entity : measurement->entities) {
    for (const EntityIndex& part : entity.indexes) {
      AddTemplate(measurement, part, index.hash[0], part.partition_key);
      AddTemplate(measurement, part, index.range[0], part.sort_key);
    }
  }
}

}  // namespace hashrange
