// What the design rules share: the form of a rule, how much evidence is enough, and look-ups in a
// Measurement. The rules themselves, findings.cc and what lists the rules need it. Pure functions;
// any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/measured_tables.h"
#include "measure/measurement.h"
#include "measure/partition_load.h"
#include "measure/rules/findings.h"

namespace hashrange {

// What one rule saw. The rule's number, slug and advice are put in by AssessDesign.
struct RuleOutcome {
  // Why there is nothing to judge: a sentence. It holds while has_evidence is false.
  std::string missing = {};
  bool has_evidence = false;
  std::vector<Finding> findings = {};

  // Adds a finding; who found something had evidence.
  Finding& Add(FindingSeverity severity, FindingPlace place, std::string evidence);
};

// A row of design_rules.def.
struct DesignRule {
  std::int64_t number;      // in docs/service/21-layout-lab.md, section 5
  std::string_view slug;    // by which budgets name the rule; no two rows have the same
  unsigned profiles;        // bits of RuleProfile
  std::string_view what;    // a sentence, which may have placeholders
  std::string_view advice;  // a sentence
  RuleOutcome (*assess)(const Measurement& measurement, const RuleInput& input);

  bool IsIn(RuleProfile profile) const { return (profiles & static_cast<unsigned>(profile)) != 0; }
};

// Returns all rows, in the order of the table.
std::span<const DesignRule> DesignRules();

// Each returns what its rule sees in the measurement.
#define HR_DESIGN_RULE(number, slug, profiles, function, what, advice) \
  RuleOutcome function(const Measurement& measurement, const RuleInput& input);
#include "measure/rules/design_rules.def"

// --- How much evidence is enough ---

// A test of a feature makes a handful of calls; ten are a habit of the program.
inline constexpr std::uint64_t kLeastCalls = 10;
// A share of 5 % or 10 % of fewer calls is a handful, which tests make on purpose.
inline constexpr std::uint64_t kLeastCallsForShares = 100;
// Ratios of fewer items change with one item more or less.
inline constexpr double kLeastItemsRead = 100;
// Sizes and membership of fewer items are an example's, and cost nothing.
inline constexpr std::uint64_t kLeastItems = 100;
// The share of a key of fewer units is chance.
inline constexpr double kLeastUnitsOfShares = 100;
// A part of the bill from which it is called dominant (docs/service/21-layout-lab.md, section 2).
inline constexpr double kDominantShare = 0.2;
inline constexpr double kBytesPerGigabyte = 1024.0 * 1024 * 1024;
inline constexpr double kMillisecondsPerSecond = 1000;

// --- Units and what they cost ---

struct UnitSums {
  double read_units = 0;
  double write_units = 0;

  // Adds the units of a ResourceUnits or of other sums.
  void Add(const auto& units) {
    read_units += units.read_units;
    write_units += units.write_units;
  }
};

// Returns the units that the pattern or the entity took of one table or index.
UnitSums UnitsOn(std::span<const ResourceUnits> units, std::string_view table,
                 std::string_view index);
UnitSums AllUnits(std::span<const ResourceUnits> units);
// Returns the units of all patterns' successful calls.
UnitSums UnitsOfMeasurement(const Measurement& measurement);
double UsdOf(const UnitSums& units, const UnitPrices& prices);

// Returns what the units cost in a million calls of the measured mix of all patterns.
FindingCost MixCost(const Measurement& measurement, const UnitPrices& prices, const UnitSums& units,
                    std::string of);
// Returns what storing so many bytes costs in a month. A GB is 2^30 bytes here.
FindingCost StorageCost(const UnitPrices& prices, double size_bytes, std::string of);
// Returns the cost as one that another design would not have.
FindingCost Modelled(FindingCost cost);

// --- Look-ups in a measurement ---

// Each returns null when there is none.
const PatternMeasure* FindPattern(const Measurement& measurement, std::string_view id);
const EntityIndex* FindEntityIndex(const EntityMeasure& entity, std::string_view index);

// The attributes of the keys of a table, or of one of its indexes.
struct KeyAttributes {
  std::span<const std::string> hash;
  std::span<const std::string> range;
};
// Returns nothing when the table or the index is unknown.
KeyAttributes KeyAttributesOf(const Measurement& measurement, std::string_view table,
                              std::string_view index);

// The templates of the keys of an entity in its table, or in an index. Both are empty where the
// entity is not in the index.
struct EntityKeys {
  std::string_view partition_key;
  std::string_view sort_key;
};
EntityKeys EntityKeysIn(const EntityMeasure& entity, std::string_view index);

bool IsRangeRead(const PatternMember& member);  // a query or a scan
bool IsRead(const PatternMember& member);
bool IsWrite(const PatternMember& member);
bool IsTransaction(const PatternMeasure& pattern);

// Returns the term of the key condition for the sort key, or null.
const KeyTerm* SortKeyTerm(const Measurement& measurement, const PatternMember& member);
// Returns the template of the partition key that the member asks for; empty for a scan and for a
// key of several attributes, whose templates are not compared.
std::string_view PartitionKeyTemplate(const Measurement& measurement, const PatternMember& member);

// Returns whether an access of the member can meet items of the entity.
bool MayMeet(const Measurement& measurement, const PatternMember& member,
             const EntityMeasure& entity);

// Returns what kind of item the entity is: its type, or for items without a type the templates of
// their keys. Entities of one kind differ in values that were too few to be a placeholder:
// ADDRESS#home and ADDRESS#work.
std::string KindOf(const Measurement& measurement, const EntityMeasure& entity);
// Returns an entity of each kind that an access of the member can meet.
std::vector<const EntityMeasure*> KindsMetBy(const Measurement& measurement,
                                             const PatternMember& member);

// Returns whether a key attribute of the table has a template of this text with a part that nobody
// makes twice: a UUID or ULID.
bool HasUniquePart(const Measurement& measurement, std::string_view table, std::string_view text);

// These call `visit(pattern, member)` for each member of each pattern, and `visit(table, index)`
// for each index of each table.
template <typename Visit>
void ForEachMember(const Measurement& measurement, const Visit& visit) {
  for (const PatternMeasure& pattern : measurement.patterns) {
    for (const PatternMember& member : pattern.members) visit(pattern, member);
  }
}

template <typename Visit>
void ForEachIndex(const Measurement& measurement, const Visit& visit) {
  for (const TableMeasure& table : measurement.tables) {
    for (const IndexMeasure& index : table.indexes) visit(table, index);
  }
}

// Returns the members of patterns that were called and read the index.
std::vector<const PatternMember*> ReadersOf(const Measurement& measurement, std::string_view table,
                                            std::string_view index);

bool HoldsName(const std::vector<std::string>& names, std::string_view name);

// Returns whether a condition holds only where no item is stored.
bool ForbidsItem(std::string_view condition);

// Returns whether the part is in the text.
bool Mentions(std::string_view text, std::string_view part);

// Returns the place of a pattern, of one of its members, and of an entity in its table or in an
// index.
FindingPlace PlaceOf(const PatternMeasure& pattern);
FindingPlace PlaceOf(const PatternMeasure& pattern, const PatternMember& member);
FindingPlace PlaceOf(const EntityMeasure& entity, std::string_view index = {});
// Returns "Order (ORDER#{id}, META)", or "ORDER#{id}, META" for items without a type.
std::string EntityText(const EntityMeasure& entity);

// --- Words of sentences, beside the figures of number_text.h ---

// Returns a size of DynamoDB, by units of 1,024: "812 bytes", "1.5 KB", "10 GB".
std::string StoredSizeText(double size_bytes);

// Returns the text in backquotes, as templates and names stand in sentences.
std::string InBackticks(std::string_view text);

}  // namespace hashrange
