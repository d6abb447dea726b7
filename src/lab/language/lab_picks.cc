#include "lab/language/lab_picks.h"

#include <algorithm>
#include <string>
#include <vector>

#include "lab/language/lab_conditions.h"
#include "lab/language/lab_names.h"
#include "lab/language/lab_scalars.h"
#include "lab/language/node_reader.h"

namespace hashrange {
namespace {

using Kind = LabPick::Kind;

constexpr std::string_view kPickForms =
    "uniform, zipf, latest, {zipf: 1.1}, {latest: 1.1}, {hot: {share: 0.2, traffic: 0.8}} or "
    "{where: {status: OPEN}, of: zipf}";

void ReadExponent(const LabNode& node, NodeReader& map, LabPick& pick) {
  pick.exponent = ReadLabNumber(node, "the exponent of `pick`", kLabNotNegative, map.reading());
}

void ReadZipf(const LabNode& node, NodeReader& map, int, LabPick& pick) {
  pick.kind = Kind::kZipf;
  ReadExponent(node, map, pick);
}

void ReadLatest(const LabNode& node, NodeReader& map, int, LabPick& pick) {
  pick.kind = Kind::kLatest;
  ReadExponent(node, map, pick);
}

void ReadHot(const LabNode& node, NodeReader& pick_map, int, LabPick& pick) {
  LabReading& reading = pick_map.reading();
  pick.kind = Kind::kHot;
  NodeReader map(node, "`hot`", reading);
  if (const LabNode* const share = map.Require("share")) {
    pick.hot_share = ReadLabNumber(*share, "`share`", kLabShare, reading);
  }
  if (const LabNode* const traffic = map.Require("traffic")) {
    pick.hot_traffic = ReadLabNumber(*traffic, "`traffic`", kLabShare, reading);
  }
  map.Finish();
}

// Returns the entity itself, or the nearest ancestor, that has all attributes of the conditions.
int EntityOfConditions(const LabNode& where, int entity, const LabFile& file) {
  for (int candidate = entity; candidate != kLabNone;
       candidate = EntityAt(file, candidate).parent) {
    const bool has_all = std::ranges::all_of(where.members, [&](const LabNode::Member& member) {
      return StoredAttribute(file, candidate, member.name).entity != kLabNone;
    });
    if (has_all) return candidate;
  }
  return entity;
}

void ReadWhere(const LabNode& where, NodeReader& map, int entity, LabPick& pick) {
  LabReading& reading = map.reading();
  if (const LabNode* const of = map.Member("of")) pick = ReadPick(*of, entity, reading);
  if (!pick.where.empty()) reading.Fail(where.place, "`of` has conditions of its own");
  const int about = EntityOfConditions(where, entity, reading.file);
  pick.where = ReadConditions(where, about, "`where`", reading);
}

struct PickRow {
  const char* name;
  void (*read)(const LabNode& value, NodeReader& map, int entity, LabPick& pick);
};
constexpr PickRow kPickMaps[] = {
    {"zipf", ReadZipf}, {"latest", ReadLatest}, {"hot", ReadHot}, {"where", ReadWhere}};

struct PickName {
  const char* name;
  Kind kind;
};
constexpr PickName kPickNames[] = {
    {"uniform", Kind::kUniform}, {"zipf", Kind::kZipf}, {"latest", Kind::kLatest}};

}  // namespace

LabPick ReadPick(const LabNode& node, int entity, LabReading& reading) {
  LabPick pick;
  if (node.kind == LabNode::Kind::kMap) {
    NodeReader map(node, "`pick`", reading);
    const PickRow* const row = map.OneOf(kPickMaps);
    if (!row) return pick;
    row->read(*node.Find(row->name), map, entity, pick);
    map.Finish();
    return pick;
  }
  for (const PickName& row : kPickNames) {
    if (node.text != row.name) continue;
    pick.kind = row.kind;
    return pick;
  }
  reading.Fail(node.place, "`pick` has to be " + std::string(kPickForms) + ", and this is \"" +
                               node.text + "\"");
  return pick;
}

}  // namespace hashrange
