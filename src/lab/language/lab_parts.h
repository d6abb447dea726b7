// The parts of a lab file, and what they share: the functions by which the reader (lab_reader.cc)
// makes a LabFile of a tree whose forms were checked (lab_form_check.h). Each reports to `reading`
// what is wrong, and is a pure function but for that.
//
//   lab_entities.cc ── lab_generators.cc ─┬─ lab_conditions.cc
//   lab_patterns.cc ── lab_writes.cc ─────┤
//   lab_layouts.cc ── lab_layout_checks.cc └─ lab_templates.h
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/language/lab_document.h"
#include "lab/language/lab_file.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// These read a part into `reading.file`, in which the parts before it are. What a part means is
// checked when it was read: what contradicts itself is reported as an error, and what was hardly
// meant as a warning.
void ReadEntities(const LabNode& node, LabReading& reading);
void CheckEntities(LabReading& reading);
// Checks that attributes which patterns create as `unique` have enough values.
void CheckUniqueAttributes(LabReading& reading);
void ReadPatterns(const LabNode& node, LabReading& reading);
void CheckPatterns(LabReading& reading);
void ReadLayouts(const LabNode& node, LabReading& reading);
void CheckLayouts(LabReading& reading);

// Returns the layouts of the map, each whole and without `like`: a layout that is another layout
// but for what it says itself. Maps are merged member by member; a list, a text, and an item's spec
// with `embed` replace what was there; null removes it. Reports a name that is no layout, and
// layouts that are like themselves.
std::vector<LabNode::Member> ResolveLikes(const LabNode& layouts, LabReading& reading);

// Sets the types of the key attributes of the layout's tables: a number where each template of an
// attribute is one placeholder of a number, else a text. Reports templates that disagree, an
// attribute that no item has, and true or false as a key.
void SetKeyTypes(LabLayout& layout, LabReading& reading);

// Sets the dimensions of vector indexes that do not say them, to those of the vectors of their
// items.
void SetDimensions(LabLayout& layout, const LabFile& file);

// How the values of an attribute come about: `{sequence: 8}`, `{choice: {OPEN: 3, PAID: 7}}`.
struct DescribedGenerator {
  LabGenerator generator = {};
  // The type of the values. Without one, it is the type of the attribute `generator.other`, which
  // is copied.
  std::optional<LabType> type = LabType::kString;
  double present = 1;  // the share of instances that have the attribute
};
// Returns the generator of an attribute of the entity. The names of all attributes have to be
// known, their types need not.
DescribedGenerator ReadGenerator(const LabNode& node, int entity, LabReading& reading);
// Returns the generator by which a pattern sets the attribute, whose type is known. Reports one
// that gives another type.
LabGenerator ReadGeneratorFor(const LabNode& node, LabAttributeRef attribute, LabReading& reading);
// Returns a number that is drawn: `5`, `[1, 5]`, `{zipf: 0.9, mean: 10, max: 2000}`. `what` is the
// subject of sentences; what is drawn is `least` or more.
LabDistribution ReadDistribution(const LabNode& node, const std::string& what, double least,
                                 LabReading& reading);

// Returns a value as the attribute writes it. Reports one that the attribute cannot have: a text
// for a number, something else than true and false for a flag.
std::string ReadValueOf(const LabNode& node, LabAttributeRef attribute, LabReading& reading);
// Returns conditions, `{status: OPEN, stock: {at_least: 1}}`, about attributes that an item of the
// entity stores.
std::vector<LabCondition> ReadConditions(const LabNode& node, int entity, LabReading& reading);
// Reports an attribute that is a vector, which has no text and no order.
void RefuseVector(LabAttributeRef attribute, LabPlace place, LabReading& reading);
// Warns of conditions that ask for a value which the attribute's `choice` does not have and no
// pattern sets. All patterns were read.
void WarnOfMissingValues(const std::vector<LabCondition>& conditions, LabReading& reading);
// Warns of values that a write sets and the attribute's `choice` does not have.
void WarnOfOtherValues(const LabWrite& write, LabReading& reading);

// What a caller knows: `by: [customer_id, {status: OPEN}]`.
struct LabKnown {
  std::vector<LabAttributeRef> attributes = {};
  std::vector<LabCondition> constants = {};
};
LabKnown ReadBy(const LabNode& node, int entity, LabReading& reading);

// A value of an instance by which instances of another entity are found, and the attribute of these
// that has it. Each is an attribute of its entity or the identity of an ancestor.
struct HandedValue {
  LabAttributeRef from = {};
  LabAttributeRef to = {};
};
struct HandedEntities {
  int from = kLabNone;
  int to = kLabNone;
  std::vector<LabAttributeRef> except = {};  // values of `from` that are not meant
  bool is_get = false;                       // the value identifies an instance of `to`
};
// Returns what a name means that is of the one entity or of the other; reports one that does not
// say a single value of both.
HandedValue ReadHandedValue(LabName name, const HandedEntities& entities, LabReading& reading);

// Reads the members of a pattern that say what is written, into `pattern.writes`: the pattern's own
// write, and the writes of `also`. The pattern's verb gives `kind` and `entity`.
void ReadWrites(const LabNode& map, LabWrite::Kind kind, int entity, LabPattern& pattern,
                LabReading& reading);

}  // namespace hashrange
