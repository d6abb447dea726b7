#include "lab/file/lab_picks.h"

#include <algorithm>
#include <string>
#include <vector>

#include "lab/file/lab_conditions.h"
#include "lab/file/lab_names.h"
#include "lab/file/lab_scalars.h"
#include "lab/file/node_reader.h"

namespace hashrange {
namespace {

using Kind = LabPick::Kind;

constexpr std::string_view kPickForms =
    "uniform, zipf, latest, {zipf: 1.1}, {latest: 1.1}, {hot: {share: 0.2, traffic: 0.8}} or "
    "{where: {status: OPEN}, of: zipf}";

void ReadHot(const LabNode& node, LabPick& pick, LabReading& reading) {
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
       candidate = EntityOf(file, candidate).parent) {
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

void ReadPickMap(const LabNode& node, int entity, LabPick& pick, LabReading& reading) {
  NodeReader map(node, "`pick`", reading);
  const int found = map.OneOf({"zipf", "latest", "hot", "where"});
  if (found < 0) return;
  if (found == 0 || found == 1) {
    pick.kind = found == 0 ? Kind::kZipf : Kind::kLatest;
    const LabNode& exponent = *node.Find(found == 0 ? "zipf" : "latest");
    pick.exponent = ReadLabNumber(exponent, "the exponent of `pick`", kLabNotNegative, reading);
  } else if (found == 2) {
    ReadHot(*node.Find("hot"), pick, reading);
  } else {
    ReadWhere(*node.Find("where"), map, entity, pick);
  }
  map.Finish();
}

}  // namespace

LabPick ReadPick(const LabNode& node, int entity, LabReading& reading) {
  LabPick pick;
  if (node.kind == LabNode::Kind::kMap) {
    ReadPickMap(node, entity, pick, reading);
    return pick;
  }
  const std::vector<std::string> names = {"uniform", "zipf", "latest"};
  const auto found = std::ranges::find(names, node.text);
  if (found == names.end()) {
    reading.Fail(node.place, "`pick` has to be " + std::string(kPickForms) + ", and this is \"" +
                                 node.text + "\"");
    return pick;
  }
  pick.kind = static_cast<Kind>(found - names.begin());
  return pick;
}

}  // namespace hashrange
