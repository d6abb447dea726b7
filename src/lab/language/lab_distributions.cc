#include "lab/language/lab_distributions.h"

#include <limits>
#include <string>
#include <vector>

#include "lab/language/lab_scalars.h"
#include "lab/language/node_reader.h"

namespace hashrange {
namespace {

using Kind = LabDistribution::Kind;

struct DistributionRow {
  std::string_view name;
  Kind kind;
  bool has_pair;  // two parameters, as a list
};
constexpr DistributionRow kDistributions[] = {
    {"fixed", Kind::kFixed, false},        {"uniform", Kind::kUniform, true},
    {"zipf", Kind::kZipf, false},          {"poisson", Kind::kPoisson, false},
    {"lognormal", Kind::kLognormal, true}, {"normal", Kind::kNormal, true},
};

void ReadPair(const LabNode& node, const LabDistributionForm& form, LabDistribution& target,
              LabReading& reading) {
  if (node.kind != LabNode::Kind::kList || node.elements.size() != 2) {
    return reading.Fail(node.place, std::string(form.what) + " has two numbers, such as [1, 5]");
  }
  target.first = ReadLabNumber(node.elements[0], form.what, {}, reading);
  target.second = ReadLabNumber(node.elements[1], form.what, {}, reading);
  if (target.kind == Kind::kUniform && target.first > target.second) {
    reading.Fail(node.place, std::string(form.what) +
                                 " has a first number that is more than its "
                                 "second one");
  }
  if (target.kind != Kind::kUniform && target.second < 0) {
    reading.Fail(node.elements[1].place, "a deviation has to be a number of 0 or more");
  }
}

void ReadBounds(NodeReader& map, const LabDistributionForm& form, LabDistribution& target) {
  const LabBounds bounds = form.may_be_negative ? LabBounds{} : kLabNotNegative;
  if (const LabNode* const least = map.Member("min")) {
    target.least = ReadLabNumber(*least, "`min`", bounds, map.reading());
  }
  const LabNode* const greatest = map.Member("max");
  if (!greatest) return;
  target.greatest = ReadLabNumber(*greatest, "`max`", bounds, map.reading());
  if (target.greatest < target.least) {
    map.reading().Fail(greatest->place, "`max` is less than `min`");
  }
}

void ReadMap(const LabNode& node, const LabDistributionForm& form, LabDistribution& target,
             LabReading& reading) {
  NodeReader map(node, form.what, reading);
  const DistributionRow* const found = map.OneOf(kDistributions);
  if (!found) return;
  const DistributionRow& row = *found;
  target.kind = row.kind;
  const LabNode& value = *node.Find(row.name);
  if (row.has_pair) {
    ReadPair(value, form, target, reading);
  } else {
    const LabBounds bounds =
        form.may_be_negative && row.kind == Kind::kFixed ? LabBounds{} : kLabNotNegative;
    target.first = ReadLabNumber(value, "`" + std::string(row.name) + "`", bounds, reading);
  }
  ReadBounds(map, form, target);
  if (row.kind == Kind::kZipf) {
    if (const LabNode* const mean = map.Require("mean")) {
      target.second = ReadLabNumber(*mean, "`mean`", kLabPositive, reading);
    }
  }
  if (form.decimals) {
    if (const LabNode* const decimals = map.Member("decimals")) {
      *form.decimals =
          static_cast<int>(ReadLabWhole(*decimals, "`decimals`", 0, kMostDecimals, reading));
    }
  }
  map.Finish();
}

}  // namespace

LabDistribution ReadDistribution(const LabNode& node, const LabDistributionForm& form,
                                 LabReading& reading) {
  LabDistribution result;
  if (form.may_be_negative) result.least = -std::numeric_limits<double>::infinity();
  switch (node.kind) {
    case LabNode::Kind::kScalar:
      result.first = ReadLabNumber(node, form.what,
                                   form.may_be_negative ? LabBounds{} : kLabNotNegative, reading);
      break;
    case LabNode::Kind::kList:
      result.kind = Kind::kUniform;
      ReadPair(node, form, result, reading);
      break;
    case LabNode::Kind::kMap:
      ReadMap(node, form, result, reading);
      break;
  }
  const bool is_range = result.kind == Kind::kUniform;
  if (is_range && !form.may_be_negative && result.first < 0) {
    reading.Fail(node.place, std::string(form.what) + " may not be negative");
  }
  return result;
}

}  // namespace hashrange
