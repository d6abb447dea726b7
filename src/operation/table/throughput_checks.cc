#include "operation/table/throughput_checks.h"

#include <string>

#include "operation/call/error_texts.h"

namespace hashrange {
namespace {

constexpr std::int64_t kMaxUnits = 1'000'000'000'000;
constexpr WarmThroughput kOnDemandStart{12000, 4000};
constexpr std::string_view kOnDemandPage =
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
    "on-demand-capacity-mode.html#on-demand-capacity-mode-initial";

std::optional<PartialUnits> ReadPartialUnits(const RequestObject& request, std::string_view member,
                                             std::string_view read, std::string_view write) {
  const auto units = request.Object(member);
  if (!units) return std::nullopt;
  return PartialUnits{units->Integer(read), units->Integer(write)};
}

// Returns "table" or "index" with its name. The service has three separators: "index: I",
// "index : I" and "index I".
std::string TableOrIndex(std::string_view separator, std::string_view index) {
  return index.empty() ? "table" : std::string("index").append(separator).append(index);
}

Error OutOfBounds(std::int64_t units, std::string_view member) {
  return ValidationError(
      Concatenated({"Given value ", std::to_string(units), " for ", member, " is out of bounds"}));
}

// Returns "MaxReadRequestUnits for OnDemandThroughput", or with MaxWriteRequestUnits if the request
// gives only these.
std::string OnDemandMember(const PartialUnits& units) {
  return std::string(units.read ? "MaxReadRequestUnits" : "MaxWriteRequestUnits") +
         " for OnDemandThroughput";
}

Status CheckOnDemandRange(const PartialUnits& units, bool may_remove, std::string_view index) {
  const auto is_valid = [&](const std::optional<std::int64_t>& value) {
    return !value || *value >= 1 || (may_remove && *value == -1);
  };
  if (is_valid(units.read) && is_valid(units.write)) return {};
  const char* member = is_valid(units.read) ? "MaxWriteRequestUnits" : "MaxReadRequestUnits";
  return InvalidParameters(std::string("Requested ") + member + " for OnDemandThroughput for " +
                           TableOrIndex(" : ", index) + " is outside of valid range");
}

// Returns "Read" or "Write", the first of the units that is lower than `bound`; empty: none is.
std::string_view LoweredKind(const PartialUnits& units, const WarmThroughput& bound) {
  if (units.read && *units.read < bound.read_units_per_second) return "Read";
  return units.write && *units.write < bound.write_units_per_second ? "Write" : "";
}

std::string RequestedWarmIsLowerThan(std::string_view kind, std::string_view index) {
  return Concatenated({"Requested ", kind, "UnitsPerSecond for WarmThroughput for ",
                       TableOrIndex(" ", index), " is lower than "});
}

}  // namespace

std::optional<PartialUnits> ReadProvisionedUnits(const RequestObject& request) {
  return ReadPartialUnits(request, "ProvisionedThroughput", "ReadCapacityUnits",
                          "WriteCapacityUnits");
}

std::optional<PartialUnits> ReadOnDemandUnits(const RequestObject& request) {
  return ReadPartialUnits(request, "OnDemandThroughput", "MaxReadRequestUnits",
                          "MaxWriteRequestUnits");
}

std::optional<PartialUnits> ReadWarmUnits(const RequestObject& request) {
  return ReadPartialUnits(request, "WarmThroughput", "ReadUnitsPerSecond", "WriteUnitsPerSecond");
}

Status CheckUnitsInBounds(const ProvisionedThroughput& throughput) {
  if (throughput.read_units > kMaxUnits) {
    return OutOfBounds(throughput.read_units, "ReadCapacityUnits");
  }
  if (throughput.write_units > kMaxUnits) {
    return OutOfBounds(throughput.write_units, "WriteCapacityUnits");
  }
  return {};
}

Status CheckOnDemandOfNew(const PartialUnits& units, bool on_demand, std::string_view index) {
  if (!on_demand && !units.empty()) {
    const std::string of = index.empty() ? "" : " for " + TableOrIndex(": ", index);
    return InvalidParameters(OnDemandMember(units) + of +
                             " cannot be specified when table BillingMode is PROVISIONED.");
  }
  return CheckOnDemandRange(units, false, index);
}

Status CheckOnDemandOfExisting(const PartialUnits& units, bool on_demand, std::string_view index) {
  if (!on_demand && !units.empty()) {
    const std::string of = index.empty() ? "" : " for " + TableOrIndex(" : ", index);
    return InvalidParameters(OnDemandMember(units) + of +
                             " cannot be specified when the table BillingMode is PROVISIONED");
  }
  return CheckOnDemandRange(units, true, index);
}

WarmThroughput InitialWarmThroughput(bool on_demand, const ProvisionedThroughput& throughput) {
  return on_demand ? kOnDemandStart : WarmThroughput{throughput.read_units, throughput.write_units};
}

Status CheckWarmOfNew(const PartialUnits& units, bool on_demand, const WarmThroughput& start,
                      std::string_view index) {
  const std::string_view lower = LoweredKind(units, start);
  if (lower.empty()) return {};
  std::string text = RequestedWarmIsLowerThan(lower, index);
  if (on_demand) {
    text.append("initial throughput for OnDemand. See: ").append(kOnDemandPage);
  } else {
    text.append(lower).append("CapacityUnits of ProvisionedThroughput");
  }
  return InvalidParameters(std::move(text));
}

Status CheckWarmOfExisting(const PartialUnits& units, const WarmThroughput& current,
                           std::string_view index) {
  const std::string_view lower = LoweredKind(units, current);
  if (lower.empty()) return {};
  return InvalidParameters(RequestedWarmIsLowerThan(lower, index) +
                           "current WarmThroughput, decreasing WarmThroughput is not supported");
}

std::optional<OnDemandThroughput> NewOnDemandThroughput(const std::optional<PartialUnits>& units) {
  if (!units || units->empty()) return std::nullopt;
  return OnDemandThroughput{units->read, units->write};
}

WarmThroughput NewWarmThroughput(const std::optional<PartialUnits>& units,
                                 const WarmThroughput& start) {
  if (!units) return start;
  return {units->read.value_or(start.read_units_per_second),
          units->write.value_or(start.write_units_per_second)};
}

}  // namespace hashrange
