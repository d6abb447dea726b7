#include "remote/copy/copy_plan.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/text/nearest_name.h"
#include "control/files/dump_folder.h"
#include "measure/number_text.h"
#include "remote/copy/table_stages.h"
#include "value/capacity.h"
#include "value/vector.h"

namespace hashrange {
namespace {

double WriteUnitsOf(const PlannedTable& table) {
  const EndpointTable& source = table.source;
  if (source.items == 0) return 0;
  const auto average = static_cast<std::size_t>(source.size_bytes / source.items);
  return static_cast<double>(source.items) * WriteUnitsOfSize(average) *
         static_cast<double>(1 + table.destination.indexes) * table.share_left;
}

double VectorBytesOf(const PlannedTable& table) {
  const EndpointTable& source = table.source;
  if (source.items == 0) return 0;
  const double average = static_cast<double>(source.size_bytes) / static_cast<double>(source.items);
  return static_cast<double>(source.items * table.destination.vector_indexes) *
         std::max(kLeastVectorRequestBytes, average) * table.share_left;
}

std::string UnitsText(double units, std::string_view kind) {
  return NumberText(units) + " " + std::string(kind) + (units == 1 ? " unit" : " units");
}

}  // namespace

CopyUnitPrices CopyUnitPricesOf(const EndpointTable& table, const PriceList& prices) {
  if (!table.is_on_demand) return {};
  const bool is_rare = table.is_infrequent_access;
  return {UnitUsd(prices, UsageTypeOf(Charge::kReadRequest, is_rare)),
          UnitUsd(prices, UsageTypeOf(Charge::kWriteRequest, is_rare)),
          UnitUsd(prices, UsageTypeOf(Charge::kVectorWrite, is_rare)) / prices.gigabyte_bytes};
}

CopyCost EstimateCopy(std::span<const PlannedTable> tables, const CopyCostTerms& terms) {
  CopyCost cost;
  for (const PlannedTable& table : tables) {
    const CopyUnitPrices there = CopyUnitPricesOf(table.destination, terms.prices);
    const double units = std::ceil(static_cast<double>(table.source.size_bytes) / kReadUnitBytes);
    const double reads = std::ceil(units * table.share_left);
    const double writes = std::ceil(WriteUnitsOf(table));
    const double vector_bytes = VectorBytesOf(table);
    const double verifying = terms.verifies ? units : 0;
    cost.read_units += reads;
    cost.write_units += writes;
    cost.verifying_units += verifying;
    cost.vector_bytes += vector_bytes;
    if (terms.pays_source) {
      cost.usd += reads * CopyUnitPricesOf(table.source, terms.prices).read_usd;
    }
    if (terms.pays_destination) {
      cost.usd += writes * there.write_usd + verifying * there.read_usd +
                  vector_bytes * there.vector_write_usd;
    }
  }
  return cost;
}

std::string CopyCostText(const CopyCost& cost, const CopyCostTerms& terms, const std::string& from,
                         const std::string& to) {
  std::string text = "the copy takes about ";
  if (terms.pays_source) text += UnitsText(cost.read_units, "read") + " at " + from;
  if (terms.pays_destination) {
    if (terms.pays_source) text += ", ";
    text += UnitsText(cost.write_units, "write");
    if (cost.vector_bytes > 0) text += " and " + BytesText(cost.vector_bytes) + " of vectors";
    if (terms.verifies) {
      text += " and, to verify it, " + UnitsText(cost.verifying_units, "read");
    }
    text += " at " + to;
  }
  return text + ": " + UsdText(cost.usd) + " at the prices of " + terms.prices.region;
}

namespace {

constexpr std::size_t kLongestTableName = 255;

std::string TargetOf(const CopyRequest& request, const std::string& name) {
  const auto rename = request.renames.find(name);
  return rename == request.renames.end() ? request.prefix + name : rename->second;
}

Error NoTable(const CopyRequest& request, const std::string& name) {
  return ValidationError("there is no table " + name + " at " + request.from->name());
}

// Returns the names of the tables to copy.
Result<std::vector<std::string>> NamesToCopy(const CopyRequest& request,
                                             const PatientCaller& from) {
  std::vector<std::string> names = request.tables;
  if (names.empty()) {
    HR_ASSIGN(names, ListAllTables(from));
    if (names.empty()) return ValidationError("there are no tables at " + request.from->name());
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  for (const auto& [name, target] : request.renames) {
    if (std::ranges::find(names, name) == names.end()) {
      return ValidationError("--rename names the table " + name + ", which is not copied");
    }
  }
  return names;
}

Status CheckTargets(const std::vector<TableState>& tables) {
  std::set<std::string_view> targets;
  for (const TableState& table : tables) {
    if (!IsTableName(table.target) || table.target.size() > kLongestTableName) {
      return ValidationError("\"" + table.target +
                             "\" is no name of a table: it has 3 to 255 letters, digits, \"_\", "
                             "\"-\" and \".\"");
    }
    if (!targets.insert(table.target).second) {
      return ValidationError("two tables would get the name " + table.target);
    }
  }
  return {};
}

Result<EndpointTable> FindSource(const CopyRequest& request, const PatientCaller& from,
                                 const std::string& name) {
  HR_ASSIGN(std::optional<EndpointTable> found, FindWholeTable(from, name));
  if (!found) return NoTable(request, name);
  if (found->status != "ACTIVE" && found->status != "UPDATING") {
    return ValidationError("the table " + name + " at " + from.name() + " has the status " +
                           found->status);
  }
  return *std::move(found);
}

// Returns whether the source and the destination are the same table: its ARN and TableId tell, also
// where an endpoint has two addresses, or else the endpoint and the name.
bool IsOneTable(const CopyRequest& request, const EndpointTable& source,
                const EndpointTable& existing, const TableState& table) {
  if (request.from->name() == request.to->name() && table.name == table.target) {
    return source.identity == existing.identity;
  }
  return source.has_id && source.identity == existing.identity;
}

// Checks a table at the destination before it is created, or written to. Returns what it is, or
// will be.
Result<EndpointTable> CheckTarget(const CopyRequest& request, const EndpointTable& source,
                                  const PatientCaller& to, TableState* table) {
  HR_ASSIGN(std::optional<EndpointTable> existing, FindEndpointTable(to, table->target));
  if (!existing) return source;
  const std::string subject = "the table " + table->target + " at " + to.name() + " ";
  if (!request.into_existing) {
    return ValidationError(subject + "exists already: choose another name with --rename " +
                           table->name + "=NAME, or say --into-existing to put the items into it");
  }
  if (existing->key != source.key) {
    return ValidationError(subject + "has the key " + existing->key + ", and the source has " +
                           source.key);
  }
  if (IsOneTable(request, source, *existing, *table)) {
    return ValidationError("the table " + table->name + " at " + to.name() +
                           " would be copied into itself: choose another name with --rename " +
                           table->name + "=NAME, or another endpoint");
  }
  table->existed = true;
  table->target_id = existing->identity;
  HR_ASSIGN(table->had_items, HasItems(to, table->target));
  return *std::move(existing);
}

void TellNotes(const CopyRequest& request, const EndpointTable& source, const std::string& name) {
  if (!request.note) return;
  for (const std::string& note : source.notes) request.note(note);
  if (request.to && HasOwnKey(source.definition)) {
    request.note("the encryption key of " + name +
                 " is not copied, as it belongs to one account and Region");
  }
}

// Returns which share of the items is still to be copied, by what DescribeTable counts.
double ShareLeft(const TableState& table, const EndpointTable& source) {
  if (std::ranges::all_of(table.segments, &SegmentState::is_done) && !table.segments.empty()) {
    return 0;
  }
  const auto copied = static_cast<double>(table.digest.items());
  const auto all = static_cast<double>(source.items);
  return all > 0 ? std::clamp(1 - copied / all, 0.0, 1.0) : 1;
}

// An endpoint that does not keep identities has none, which equals any.
bool IsSame(const std::string& noted, const std::string& now) {
  return noted.empty() || now.empty() || noted == now;
}

Error AnotherTable(const CopyRequest& request, const PatientCaller& caller, const std::string& name,
                   const std::string& noted, const std::string& now) {
  return ValidationError("the table " + name + " at " + caller.name() +
                         " is another one than when the copy began, by its ARN and id " + now +
                         ", which were " + noted +
                         ": continue with the same credentials, or remove " +
                         request.state_file.string() + " to begin anew");
}

// Checks that a table of a copy that is continued is at the destination, or not there, as the state
// says. Returns it.
Result<std::optional<EndpointTable>> CheckTargetAgain(const CopyRequest& request,
                                                      const TableState& table,
                                                      const PatientCaller& to) {
  if (table.stage == CopyStage::kWaiting && !table.existed) {
    HR_RETURN_IF_ERROR(CheckIsFree(to, table.target));
    return std::optional<EndpointTable>();
  }
  HR_ASSIGN(std::optional<EndpointTable> there, FindEndpointTable(to, table.target));
  if (there && !IsSame(table.target_id, there->identity)) {
    return AnotherTable(request, to, table.target, table.target_id, there->identity);
  }
  if (there || table.stage == CopyStage::kCreating) return there;
  const char* const what = table.stage == CopyStage::kDone      ? "was copied"
                           : table.stage == CopyStage::kWaiting ? "existed"
                                                                : "was half copied";
  return ValidationError("the table " + table.target + ", which " + what + ", is no longer at " +
                         to.name() + ": remove " + request.state_file.string() + " to begin anew");
}

}  // namespace

std::string DestinationName(const CopyRequest& request) {
  return request.to ? request.to->name() : request.folder.string();
}

Result<CopyPlan> PlanCopy(const CopyRequest& request, const PatientCaller& from,
                          const PatientCaller* to) {
  CopyPlan plan;
  plan.state.from = from.name();
  plan.state.to = DestinationName(request);
  plan.state.compresses = request.compresses;
  HR_ASSIGN(const std::vector<std::string> names, NamesToCopy(request, from));
  for (const std::string& name : names) {
    plan.state.tables.push_back({.name = name, .target = TargetOf(request, name)});
  }
  HR_RETURN_IF_ERROR(CheckTargets(plan.state.tables));
  for (TableState& table : plan.state.tables) {
    PlannedTable planned;
    HR_ASSIGN(planned.source, FindSource(request, from, table.name));
    if (to) {
      HR_ASSIGN(planned.destination, CheckTarget(request, planned.source, *to, &table));
    }
    table.source_id = planned.source.identity;
    TellNotes(request, planned.source, table.name);
    plan.tables.push_back(std::move(planned));
  }
  return plan;
}

namespace {

// Names that are given again have to be the names of the copy that is continued.
Status CheckNamesAgain(const CopyRequest& request, const CopyState& state) {
  const std::string file = request.state_file.string();
  for (const std::string& name : request.tables) {
    if (std::ranges::find(state.tables, name, &TableState::name) == state.tables.end()) {
      return ValidationError(file + " is of a copy without the table " + name +
                             ": continue it without --tables, or with the same");
    }
  }
  if (request.prefix.empty() && request.renames.empty()) return {};
  for (const TableState& table : state.tables) {
    const std::string target = TargetOf(request, table.name);
    if (target == table.target) continue;
    return ValidationError(file + " is of a copy of " + table.name + " as " + table.target +
                           ", not as " + target +
                           ": continue it without --prefix and --rename, or with the same");
  }
  return {};
}

}  // namespace

Result<CopyPlan> PlanContinuation(const CopyRequest& request, CopyState state,
                                  const PatientCaller& from, const PatientCaller* to) {
  const std::string to_name = DestinationName(request);
  if (state.from != from.name() || state.to != to_name) {
    return ValidationError(request.state_file.string() + " is of a copy from " + state.from +
                           " to " + state.to + ", not from " + from.name() + " to " + to_name +
                           ": continue it with the same --from and --to");
  }
  HR_RETURN_IF_ERROR(CheckNamesAgain(request, state));
  CopyPlan plan{.state = std::move(state), .tables = {}};
  for (const TableState& table : plan.state.tables) {
    std::optional<EndpointTable> there;
    if (to) {
      HR_ASSIGN(there, CheckTargetAgain(request, table, *to));
    }
    PlannedTable& planned = plan.tables.emplace_back();
    if (table.stage == CopyStage::kDone) continue;
    HR_ASSIGN(planned.source, FindSource(request, from, table.name));
    if (!IsSame(table.source_id, planned.source.identity)) {
      return AnotherTable(request, from, table.name, table.source_id, planned.source.identity);
    }
    planned.destination = there ? *std::move(there) : planned.source;
    planned.share_left = ShareLeft(table, planned.source);
  }
  return plan;
}

Status CheckCost(const CopyRequest& request, const CopyPlan& plan) {
  if (!request.pays_source && !request.pays_destination) return {};
  const CopyCostTerms terms{.pays_source = request.pays_source,
                            .pays_destination = request.pays_destination,
                            .verifies = request.verifies,
                            .prices = request.prices};
  const CopyCost cost = EstimateCopy(plan.tables, terms);
  const std::string text =
      CopyCostText(cost, terms, request.from->name(), DestinationName(request));
  if (!request.spend_usd) {
    return ValidationError(text + "; say how much it may cost: --spend USD");
  }
  const double spent = plan.state.usd;
  if (spent + cost.usd > *request.spend_usd) {
    const std::string earlier =
        spent > 0 ? ", earlier runs have cost " + UsdText(spent) : std::string();
    return ValidationError(text + earlier + ", and --spend allows " + UsdText(*request.spend_usd));
  }
  if (request.note) request.note(text);
  return {};
}

}  // namespace hashrange
