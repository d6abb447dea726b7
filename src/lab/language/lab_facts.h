// What follows from a lab file: the entities by their numbers, what identifies an instance, which
// attributes a name may stand for, where a layout stores an entity, the keys of a table, and how
// many, how large and how great values are without a draw. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/language/lab_file.h"

namespace hashrange {

inline const LabEntity& EntityAt(const LabFile& file, int entity) {
  return file.entities[static_cast<std::size_t>(entity)];
}

inline const LabAttribute& LabAttributeAt(const LabFile& file, LabAttributeRef ref) {
  return EntityAt(file, ref.entity).attributes[static_cast<std::size_t>(ref.attribute)];
}

// Returns a pattern by its number, or one of the other forms, whose numbers follow.
inline const LabPattern& PatternForm(const LabFile& file, int number) {
  const auto place = static_cast<std::size_t>(number);
  const std::size_t patterns = file.patterns.size();
  return place < patterns ? file.patterns[place] : file.other_forms[place - patterns];
}

// Returns whether a read cannot be served where the entity is not stored.
bool IsNeededByReads(const LabFile& file, int entity);

// Returns whether the values are copies of another entity's attribute, `other`.
inline bool IsCopy(const LabGenerator& generator) {
  return generator.kind == LabGenerator::Kind::kRef ||
         generator.kind == LabGenerator::Kind::kOfRef ||
         generator.kind == LabGenerator::Kind::kOfAncestor;
}

// Returns whether the values of `copy` are copies of the attribute's `original`, directly.
inline bool IsCopyOf(const LabFile& file, LabAttributeRef copy, LabAttributeRef original) {
  const LabGenerator& generator = LabAttributeAt(file, copy).generator;
  return IsCopy(generator) && generator.other == original;
}

// Returns the attribute, of the same entity, that refers to the instance whose values a copy has: a
// `ref` itself, or the one that `with` names. kLabNone: that instance is an ancestor, or the
// attribute is no copy.
inline int ReferenceOfCopy(const LabFile& file, LabAttributeRef copy) {
  const LabGenerator& generator = LabAttributeAt(file, copy).generator;
  return generator.kind == LabGenerator::Kind::kRef ? copy.attribute : generator.with;
}

// Returns the entity to which one of an entity's attributes refers; kLabNone: it is no `ref`.
inline int ReferredEntity(const LabFile& file, LabAttributeRef attribute) {
  const LabGenerator& generator = LabAttributeAt(file, attribute).generator;
  return generator.kind == LabGenerator::Kind::kRef ? generator.other.entity : kLabNone;
}

// Returns the attribute of which the values are copies, over as many references as there are;
// itself where they are none. The reader of lab files refuses circles.
inline LabAttributeRef RootOf(const LabFile& file, LabAttributeRef attribute) {
  while (IsCopy(LabAttributeAt(file, attribute).generator)) {
    attribute = LabAttributeAt(file, attribute).generator.other;
  }
  return attribute;
}

// Returns the attribute of an ancestor of which this one is a copy; itself where it is none.
inline LabAttributeRef OriginalOf(const LabFile& file, LabAttributeRef attribute) {
  while (LabAttributeAt(file, attribute).generator.kind == LabGenerator::Kind::kOfAncestor) {
    attribute = LabAttributeAt(file, attribute).generator.other;
  }
  return attribute;
}

// Returns how many dimensions the vectors of the attribute have; 0: it has no vectors.
inline int DimensionsOf(const LabFile& file, LabAttributeRef attribute) {
  const LabGenerator& root = LabAttributeAt(file, RootOf(file, attribute)).generator;
  return root.kind == LabGenerator::Kind::kVector ? root.width : 0;
}

// Returns whether `ancestor` is the entity itself, its parent, the parent's parent, …
inline bool IsAncestorOrSelf(const LabFile& file, int ancestor, int entity) {
  while (entity != kLabNone && entity != ancestor) entity = EntityAt(file, entity).parent;
  return entity != kLabNone;
}

// Returns the attribute by which an instance of the entity, or its ancestor, has the value that a
// caller knows as `known`: the same attribute, or the one of which its values are copies. Entity
// kLabNone: an instance does not say it.
LabAttributeRef AttributeFor(const LabFile& file, int entity, LabAttributeRef known);

// Returns the instant of a value of the attribute, in milliseconds since 1970: a number in the form
// of its times, or an instant in ISO 8601, of which the value may be the beginning, as "2026-03".
// Nothing: the attribute has no times, or the value is no such time.
std::optional<std::int64_t> InstantOfValue(const LabFile& file, LabAttributeRef attribute,
                                           std::string_view value);

// Which attributes a name may stand for: the entity's own, also the identity of its parent, which
// its items store, or also the identities of all ancestors.
enum class LabReach : std::uint8_t { kOwn, kStored, kKnown };

// Returns the attribute of that name; entity kLabNone: there is none in reach.
LabAttributeRef AttributeInReach(const LabFile& file, int entity, std::string_view name,
                                 LabReach reach);
inline LabAttributeRef StoredAttribute(const LabFile& file, int entity, std::string_view name) {
  return AttributeInReach(file, entity, name, LabReach::kStored);
}
inline LabAttributeRef KnownAttribute(const LabFile& file, int entity, std::string_view name) {
  return AttributeInReach(file, entity, name, LabReach::kKnown);
}
// Returns the names of all attributes in reach.
std::vector<std::string> NamesInReach(const LabFile& file, int entity, LabReach reach);

// Returns the attributes that say which instance it is: the identities of the entity and, unless it
// is global, of its ancestors up to the nearest global one.
std::vector<LabAttributeRef> IdentityOf(const LabFile& file, int entity);
// Returns "order_id and sku".
std::string IdentityText(const LabFile& file, int entity);

// Returns whether the attributes say which instance of the entity it is: they contain its identity,
// or make it known: a template that has it, an attribute that a pattern creates as `unique`. Of an
// entity that has a single instance, nothing has to be known.
bool IdentifiesInstance(const LabFile& file, int entity, const std::vector<LabAttributeRef>& known);

// Returns the attribute, and those that its values are made of: `event_id` and `seat` of a
// `booking` that is "{event_id}#{seat}". Of values with the identity that only the instance has, as
// an e-mail address "user{user_id}@example.com", only the attribute: so the file makes another one
// for each instance, which the application does not know.
std::vector<LabAttributeRef> WithParts(const LabFile& file, LabAttributeRef attribute);

// Returns whether the attribute is among the known ones, or is the identity of an ancestor of the
// entity that follows from the identity of a nearer one: an event is known by its shift.
bool IsSaidBy(const LabFile& file, int entity, const std::vector<LabAttributeRef>& known,
              LabAttributeRef attribute);

// Returns whether a pattern creates the attribute as `unique`.
bool IsUnique(const LabFile& file, LabAttributeRef attribute);

// Returns whether the generator gives another value to each instance: a sequence, a ulid, a uuid,
// or a template that has one of them.
bool IsAlwaysAnother(const LabFile& file, LabAttributeRef attribute);

// Returns the attribute whose time an ULID has, so that who knows the one knows the other; entity
// kLabNone: the attribute is no ULID, or a pattern sets that time later.
LabAttributeRef TimeOfUlid(const LabFile& file, LabAttributeRef attribute);

// Returns which generators give another value to each of so many instances of the entity: "a
// sequence, as {sequence: 5}, …".
std::string EnoughValuesText(const LabFile& file, int entity, double instances);

// Returns whether the table's key of the item says which instance it is, so that no two instances
// have the same: by the identity, or by that of the parent and what is `distinct` among its
// children.
bool KeyIdentifiesInstance(const LabFile& file, const LabTable& table, const LabItem& item);

// Where a layout stores an entity: in items of its own, or inside the items of its parent.
//
//   Line: {embed: Order.lines}   host of Line: Order; host of an entity that is embedded in Line:
//   Order

// Returns the embedding of an entity in its parent; null when there is none.
const LabEmbedding* EmbeddingOf(const LabLayout& layout, int entity);

// Returns the entity whose items the entity is inside of, by as many embeddings as there are; the
// entity itself where it is not embedded.
int HostOf(const LabLayout& layout, int entity);

// Returns whether the layout stores the entity: its host has items.
bool IsStored(const LabLayout& layout, int entity);

// Return the key attributes of the table, in their order; AllKeysOf has the keys of its indexes
// behind them, and the attributes of the search schemas of its vector indexes.
std::vector<std::string> TableKeyOf(const LabTable& table);
std::vector<std::string> AllKeysOf(const LabTable& table);
// Returns the attributes of the search schema: the HASH element, if there is one, and the filters.
std::vector<std::string> SearchSchemaOf(const LabVectorIndex& index);

// The most bytes of the values of keys (docs/service/02-types-and-sizes.md, section 6).
inline constexpr std::size_t kMostHashKeyBytes = 2048;
inline constexpr std::size_t kMostRangeKeyBytes = 1024;

// Return what is drawn on average, the least that is drawn (0 where that is not easily known), and
// the greatest number that is at all likely.
double MeanOf(const LabDistribution& distribution);
double LeastOf(const LabDistribution& distribution);
double GreatestOf(const LabDistribution& distribution);

// Returns how many instances of the entity the file asks for, on average.
double InstancesOf(const LabFile& file, int entity);

// Returns how long the traffic is.
std::int64_t TrafficMs(const LabFile& file);

// What is known of the values of an attribute, as items have them: rounded to its decimals.
struct LabNumberBounds {
  // Of all values that the generators and the `set` of patterns give to the attribute.
  double least = 0;
  double greatest = 0;
  bool has_decimals = false;  // also by what is added
  // A pattern adds to the attribute. What is added does not count in `least` and `greatest`: the
  // attribute may leave them in time, and then a key may sort otherwise.
  bool is_added_to = false;
};

// Returns the least and the greatest number that is drawn from the distribution, but for numbers
// whose probability is less than 2e-16; infinite where there is no such bound.
LabNumberBounds BoundsOfDraws(const LabDistribution& distribution);

// Returns the bounds of an attribute whose type is a number. All patterns were read.
LabNumberBounds BoundsOfNumber(const LabFile& file, LabAttributeRef attribute);

// Returns why keys with the attribute in this form do not sort by it: it has decimals, values below
// 0, or more digits than the form; null: they do, as long as the attribute is within its bounds.
const char* WhyFormDoesNotSort(const LabNumberBounds& bounds, LabTemplatePart::Form form,
                               int width);

}  // namespace hashrange
