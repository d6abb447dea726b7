// The part `entities` of a lab file: its reading, the types of attributes that copy others, and the
// check of counts and identities.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/portable_math.h"
#include "lab/language/lab_parts.h"
#include "lab/language/lab_templates.h"

namespace hashrange {

// Reading.

namespace {

using Kind = LabGenerator::Kind;

LabEntity& EditedEntity(LabReading& reading, int entity) {
  return reading.file.entities[static_cast<std::size_t>(entity)];
}

// Reads the names of entities and attributes, which everything else may refer to.
void ReadNamesOfEntities(const LabNode& node, LabReading& reading) {
  for (const LabNode::Member& member : node.members) {
    LabEntity entity;
    entity.name = member.name;
    entity.place = member.place;
    if (member.name.empty() || member.name.find_first_of(".{} ") != std::string::npos) {
      reading.Fail(member.place,
                   "the name of an entity must not have blanks, dots or braces, and this is \"" +
                       member.name + "\"");
    }
    for (const LabNode::Member& attribute : member.value.Find("attributes")->members) {
      entity.attributes.push_back({.name = attribute.name, .place = attribute.place});
    }
    reading.file.entities.push_back(std::move(entity));
  }
}

void ReadParent(const LabNode& node, int entity, LabReading& reading) {
  const int parent = FindEntity(NameIn(node), reading);
  EditedEntity(reading, entity).parent = parent;
  for (int ancestor = parent; ancestor != kLabNone;
       ancestor = EntityAt(reading.file, ancestor).parent) {
    if (ancestor != entity) continue;
    EditedEntity(reading, entity).parent = kLabNone;
    return reading.Fail(node.place, EntityAt(reading.file, entity).name +
                                        " would be an ancestor of itself by this `of`");
  }
}

// An attribute that has the name of an ancestor's identity would hide it.
void CheckInheritedName(int entity, LabReading& reading) {
  const LabEntity& described = EntityAt(reading.file, entity);
  for (int ancestor = described.parent; ancestor != kLabNone;
       ancestor = EntityAt(reading.file, ancestor).parent) {
    const LabEntity& above = EntityAt(reading.file, ancestor);
    for (const LabAttribute& attribute : described.attributes) {
      const bool is_own_copy =
          ancestor != described.parent && &attribute != &described.attributes.front();
      if (attribute.name != above.attributes.front().name || is_own_copy) continue;
      reading.Fail(attribute.place, described.name + " inherits \"" + attribute.name +
                                        "\", the identity of " + above.name +
                                        "; give this attribute another name");
    }
  }
}

void ReadAttributes(const LabNode& node, int entity, LabReading& reading) {
  for (std::size_t i = 0; i < node.members.size(); ++i) {
    DescribedGenerator made = ReadGenerator(node.members[i].value, entity, reading);
    LabAttribute& attribute = EditedEntity(reading, entity).attributes[i];
    attribute.generator = std::move(made.generator);
    attribute.present = made.present;
    if (made.type) attribute.type = *made.type;
    reading.EndPart();
  }
  LabEntity& described = EditedEntity(reading, entity);
  const LabAttribute& identity = described.attributes.front();
  const Kind kind = identity.generator.kind;
  described.identity_is_global =
      kind == Kind::kSequence || kind == Kind::kUlid || kind == Kind::kUuid;
  if (identity.present < 1) {
    reading.Fail(identity.place, "\"" + identity.name + "\" is the identity of " + described.name +
                                     ", the first attribute, so it may not be absent");
  }
}

void ReadEntity(const LabNode& map, int entity, LabReading& reading) {
  ReadAttributes(*map.Find("attributes"), entity, reading);
  EditedEntity(reading, entity).count = ReadDistribution(*map.Find("count"), "`count`", 0, reading);
  if (const LabNode* const distinct = map.Find("distinct")) {
    EditedEntity(reading, entity).distinct = FindOwnAttribute(entity, NameIn(*distinct), reading);
  }
}

// The types of attributes.

// Returns the attributes that the generator takes its value from.
std::vector<LabAttributeRef> SourcesOf(const LabGenerator& generator, int entity) {
  std::vector<LabAttributeRef> sources;
  if (generator.other.entity != kLabNone) sources.push_back(generator.other);
  if (generator.with != kLabNone) sources.push_back({entity, generator.with});
  for (const LabTemplatePart& part : generator.text_template.parts) {
    if (part.attribute.entity != kLabNone) sources.push_back(part.attribute);
  }
  return sources;
}

// Visits each attribute after its sources.
class TypeResolver {
 public:
  explicit TypeResolver(LabReading& reading) : reading_(reading) {}

  void Visit(LabAttributeRef attribute);

 private:
  enum class State : std::uint8_t { kUnseen, kOpen, kDone };

  void SetType(LabAttributeRef attribute);

  LabReading& reading_;
  std::map<std::pair<int, int>, State> states_;
};

void TypeResolver::Visit(LabAttributeRef attribute) {
  State& state = states_[{attribute.entity, attribute.attribute}];
  if (state == State::kDone || !reading_.ok()) return;
  const LabAttribute& described = LabAttributeAt(reading_.file, attribute);
  if (state == State::kOpen) {
    return reading_.Fail(described.place, "the value of \"" +
                                              EntityAt(reading_.file, attribute.entity).name + "." +
                                              described.name + "\" would depend on itself");
  }
  state = State::kOpen;
  for (const LabAttributeRef source : SourcesOf(described.generator, attribute.entity))
    Visit(source);
  if (reading_.ok()) SetType(attribute);
  states_[{attribute.entity, attribute.attribute}] = State::kDone;
}

void TypeResolver::SetType(LabAttributeRef attribute) {
  LabAttribute& described = EditedEntity(reading_, attribute.entity)
                                .attributes[static_cast<std::size_t>(attribute.attribute)];
  const LabGenerator& generator = described.generator;
  if (IsCopy(generator)) described.type = LabAttributeAt(reading_.file, generator.other).type;
  CheckTemplateForms(generator.text_template, reading_);
}

void CheckSources(const LabAttribute& attribute, int entity, LabReading& reading) {
  const LabFile& file = reading.file;
  const LabGenerator& generator = attribute.generator;
  const bool needs_time = generator.other.entity != kLabNone &&
                          (generator.kind == Kind::kUlid || generator.kind == Kind::kTime);
  if (needs_time) {
    const LabAttribute& time = LabAttributeAt(file, generator.other);
    if (time.generator.kind == Kind::kTime) return;
    reading.Fail(attribute.place, "\"" + attribute.name + "\" takes its time from \"" + time.name +
                                      "\", which is no `time`");
  }
  if (generator.kind != Kind::kOfRef) return;
  const LabAttribute& with = LabAttributeAt(file, {entity, generator.with});
  const bool is_ref =
      with.generator.kind == Kind::kRef && with.generator.other.entity == generator.other.entity;
  if (is_ref) return;
  reading.Fail(attribute.place, "`with: " + with.name +
                                    "` has to name an attribute that is a `ref` to " +
                                    EntityAt(file, generator.other.entity).name);
}

// Sets the types of attributes that copy others, and checks the forms of their templates. Reports
// values that would depend on themselves, and generators whose sources are of the wrong kind. All
// entities were read.
void ResolveAttributeTypes(LabReading& reading) {
  TypeResolver resolver(reading);
  for (std::size_t entity = 0; entity < reading.file.entities.size(); ++entity) {
    const int number = static_cast<int>(entity);
    const std::vector<LabAttribute>& attributes = reading.file.entities[entity].attributes;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      resolver.Visit({number, static_cast<int>(i)});
    }
    for (const LabAttribute& attribute : attributes) {
      if (reading.ok()) CheckSources(attribute, number, reading);
    }
  }
}

// Checks of what the entities mean.

constexpr double kEndless = std::numeric_limits<double>::infinity();

std::string WholeText(double number) {
  return std::to_string(static_cast<std::uint64_t>(std::min(number, 1e18)));
}

void CheckCount(int entity, LabReading& reading) {
  const LabEntity& described = EntityAt(reading.file, entity);
  const LabDistribution& count = described.count;
  const bool is_whole = count.kind == LabDistribution::Kind::kFixed && count.first >= 1 &&
                        count.first == std::floor(count.first);
  if (described.parent == kLabNone && !is_whole) {
    reading.Fail(described.place, "`count` of " + described.name +
                                      " has to be a whole number of 1 or more, since it is `of` no "
                                      "other entity");
  }
  const bool is_zipf = count.kind == LabDistribution::Kind::kZipf;
  if (is_zipf && (count.second > count.greatest || count.second < count.least)) {
    reading.Fail(described.place,
                 "`mean` of the `count` of " + described.name + " lies outside of `min` and `max`");
  }
  const double instances = InstancesOf(reading.file, entity);
  if (instances <= static_cast<double>(kMostInstances)) return;
  reading.Fail(described.place, "there would be about " + WholeText(instances) + " instances of " +
                                    described.name + ", and the most that are possible are " +
                                    std::to_string(kMostInstances));
}

// Returns how many values the attribute may have.
double CountOfValues(const LabFile& file, const LabAttribute& attribute) {
  const LabGenerator& generator = attribute.generator;
  const LabDistribution& numbers = generator.distribution;
  switch (generator.kind) {
    case Kind::kConstant:
    case Kind::kOfAncestor:
      return 1;
    case Kind::kFlag:
      return 2;
    case Kind::kChoice:
      return static_cast<double>(generator.choices.size());
    case Kind::kRef:
      return InstancesOf(file, generator.other.entity);
    case Kind::kNumber:
      if (numbers.kind == LabDistribution::Kind::kFixed) return 1;
      if (numbers.kind != LabDistribution::Kind::kUniform) return kEndless;
      return (numbers.second - numbers.first) * PortablePow(10, generator.decimals) + 1;
    case Kind::kTime:
      if (generator.other.entity != kLabNone) return kEndless;
      return static_cast<double>(generator.latest_ms - generator.earliest_ms) /
                 (generator.time_form == LabGenerator::TimeForm::kSeconds ? 1000 : 1) +
             1;
    default:
      return kEndless;
  }
}

// Returns the most children that one parent can have.
double MostOfOneParent(const LabFile& file, int entity) {
  return std::min(GreatestOf(EntityAt(file, entity).count), InstancesOf(file, entity));
}

void CheckDistinct(int entity, LabReading& reading) {
  const LabFile& file = reading.file;
  const LabEntity& described = EntityAt(file, entity);
  if (described.distinct == kLabNone) return;
  const LabAttribute& attribute = LabAttributeAt(file, {entity, described.distinct});
  if (described.parent == kLabNone) {
    return reading.Fail(described.place, "`distinct` is about the children of one parent, and " +
                                             described.name + " is `of` no other entity");
  }
  const double values = CountOfValues(file, attribute);
  const double most = MostOfOneParent(file, entity);
  if (most <= values) return;
  reading.Fail(described.place, "`distinct: " + attribute.name + "` cannot hold: one " +
                                    EntityAt(file, described.parent).name + " may have " +
                                    WholeText(most) + " of " + described.name + ", and there are " +
                                    WholeText(values) + " values; a `max` in `count` limits them");
}

bool MayRepeatIdentity(const LabFile& file, int entity) {
  const LabEntity& described = EntityAt(file, entity);
  if (described.identity_is_global || described.distinct == 0) return false;
  if (described.parent == kLabNone ? described.count.first == 1
                                   : GreatestOf(described.count) <= 1) {
    return false;
  }
  return !IsAlwaysAnother(file, {entity, 0});
}

void WarnOfIdentity(int entity, LabReading& reading) {
  const LabFile& file = reading.file;
  if (!MayRepeatIdentity(file, entity)) return;
  const LabEntity& described = EntityAt(file, entity);
  const LabAttribute& identity = described.attributes.front();
  const bool has_parent = described.parent != kLabNone;
  reading.Warn(identity.place,
               "two of " + described.name +
                   (has_parent ? " of one " + EntityAt(file, described.parent).name : "") +
                   " may have the same \"" + identity.name +
                   "\", the first attribute, which is to identify them; " +
                   (has_parent ? "`distinct: " + identity.name + "` prevents that"
                               : "a sequence, a ulid or a uuid is always different"));
}

}  // namespace

void ReadEntities(const LabNode& node, LabReading& reading) {
  ReadNamesOfEntities(node, reading);
  if (!reading.ok()) return;
  const int count = static_cast<int>(reading.file.entities.size());
  const auto map_of = [&](int entity) -> const LabNode& {
    return node.members[static_cast<std::size_t>(entity)].value;
  };
  for (int entity = 0; entity < count; ++entity) {
    if (const LabNode* const of = map_of(entity).Find("of")) ReadParent(*of, entity, reading);
  }
  for (int entity = 0; entity < count; ++entity) CheckInheritedName(entity, reading);
  for (int entity = 0; entity < count; ++entity) ReadEntity(map_of(entity), entity, reading);
  reading.EndParts();
  if (reading.ok()) ResolveAttributeTypes(reading);
  for (int entity = 0; entity < count; ++entity) {
    RefuseVector({entity, 0}, EntityAt(reading.file, entity).attributes.front().place, reading);
  }
}

// Numbers that are wider than their width do not sort as texts.
void WarnOfNarrowSequences(int entity, LabReading& reading) {
  const LabFile& file = reading.file;
  const double instances = InstancesOf(file, entity);
  for (const LabAttribute& attribute : EntityAt(file, entity).attributes) {
    const LabGenerator& generator = attribute.generator;
    if (generator.kind != Kind::kSequence) continue;
    const double last = static_cast<double>(generator.first_number) + instances - 1;
    if (last < PortablePow(10, generator.width)) continue;
    reading.Warn(attribute.place, "\"" + attribute.name + "\" goes to " + WholeText(last) +
                                      ", which has more than " + std::to_string(generator.width) +
                                      (generator.width == 1 ? " digit" : " digits") +
                                      ", so its texts do not sort by number; {sequence: " +
                                      std::to_string(WholeText(last).size()) + "} does");
  }
}

void CheckUniqueAttributes(LabReading& reading) {
  const LabFile& file = reading.file;
  for (int entity = 0; entity < static_cast<int>(file.entities.size()); ++entity) {
    const std::vector<LabAttribute>& attributes = EntityAt(file, entity).attributes;
    for (int i = 0; i < static_cast<int>(attributes.size()); ++i) {
      const LabAttribute& attribute = attributes[static_cast<std::size_t>(i)];
      if (!IsUnique(file, {entity, i})) continue;
      const double values = CountOfValues(file, attribute);
      const double instances = std::floor(InstancesOf(file, entity) * attribute.present);
      if (instances <= values) continue;
      reading.Fail(attribute.place, "\"" + attribute.name + "\" is to be `unique`, and has " +
                                        WholeText(values) + (values < 2 ? " value" : " values") +
                                        " at most for " + WholeText(instances) + " instances of " +
                                        EntityAt(file, entity).name + "; " +
                                        EnoughValuesText(file, entity, instances));
    }
  }
}

void CheckEntities(LabReading& reading) {
  const int count = static_cast<int>(reading.file.entities.size());
  for (int entity = 0; entity < count; ++entity) CheckCount(entity, reading);
  for (int entity = 0; entity < count; ++entity) {
    CheckDistinct(entity, reading);
    WarnOfIdentity(entity, reading);
    WarnOfNarrowSequences(entity, reading);
  }
}

}  // namespace hashrange
