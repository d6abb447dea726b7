#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "lab/language/drawn_sizes.h"
#include "lab/language/lab_checks.h"
#include "lab/language/lab_names.h"

namespace hashrange {
namespace {

using Kind = LabGenerator::Kind;

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
double ValuesOf(const LabFile& file, const LabAttribute& attribute) {
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
      return (numbers.second - numbers.first) * std::pow(10, generator.decimals) + 1;
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
  const double values = ValuesOf(file, attribute);
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
  const LabGenerator& identity = described.attributes.front().generator;
  const auto is_always_another = [&](const LabTemplatePart& part) {
    if (part.attribute.entity != entity) return false;
    const Kind kind = LabAttributeAt(file, part.attribute).generator.kind;
    return kind == Kind::kSequence || kind == Kind::kUlid || kind == Kind::kUuid;
  };
  return std::ranges::none_of(identity.text_template.parts, is_always_another);
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

void CheckEntities(LabReading& reading) {
  const int count = static_cast<int>(reading.file.entities.size());
  for (int entity = 0; entity < count; ++entity) CheckCount(entity, reading);
  for (int entity = 0; entity < count; ++entity) {
    CheckDistinct(entity, reading);
    WarnOfIdentity(entity, reading);
  }
}

}  // namespace hashrange
