#include "measure/cost/result_json.h"

#include <cmath>
#include <string_view>

namespace hashrange {
namespace {

void NumberMember(std::string_view name, double value, JsonWriter& writer) {
  writer.Name(name);
  if (std::isfinite(value)) {
    writer.Double(value);
  } else {
    writer.Raw("null");
  }
}

void BoolMember(std::string_view name, bool value, JsonWriter& writer) {
  writer.Name(name);
  writer.Bool(value);
}

template <typename List, typename Write>
void WriteList(std::string_view name, const List& list, JsonWriter& writer, Write&& write) {
  writer.Name(name);
  writer.BeginArray();
  for (const auto& element : list) {
    writer.BeginObject();
    write(element);
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteSide(const PatternSide& side, JsonWriter& writer) {
  BoolMember("is_present", side.is_present, writer);
  if (!side.is_present) return;
  NumberMember("calls", side.calls, writer);
  NumberMember("read_units_a_call", side.read_units_a_call, writer);
  NumberMember("write_units_a_call", side.write_units_a_call, writer);
  NumberMember("p99_read_units", side.p99_read_units, writer);
  NumberMember("p99_write_units", side.p99_write_units, writer);
  NumberMember("examined_per_returned", side.examined_per_returned, writer);
  NumberMember("usd_per_million", side.usd_per_million, writer);
}

}  // namespace

void WriteViolations(std::span<const BudgetViolation> violations, JsonWriter& writer) {
  writer.BeginObject();
  BoolMember("passed", violations.empty(), writer);
  WriteList("violations", violations, writer, [&](const BudgetViolation& violation) {
    writer.StringMember("what", violation.what);
    writer.StringMember("where", violation.where);
    NumberMember("is", violation.is, writer);
    NumberMember("allowed", violation.allowed, writer);
    writer.StringMember("sentence", violation.sentence);
  });
  writer.EndObject();
}

void WriteComparison(const Comparison& comparison, JsonWriter& writer) {
  writer.BeginObject();
  BoolMember("passed", comparison.regressions.empty(), writer);
  WriteList("regressions", comparison.regressions, writer, [&](const Regression& regression) {
    writer.IntegerMember("measurement", static_cast<std::int64_t>(regression.side));
    writer.StringMember("what", regression.what);
    writer.StringMember("where", regression.where);
    NumberMember("before", regression.before, writer);
    NumberMember("now", regression.now, writer);
    writer.StringMember("sentence", regression.sentence);
  });
  WriteList("measurements", comparison.sides, writer, [&](const MeasurementSide& side) {
    writer.StringMember("name", side.name);
    NumberMember("calls", side.calls, writer);
    NumberMember("usd_per_million", side.usd_per_million, writer);
    NumberMember("storage_usd", side.storage_usd, writer);
    const LimitRow* const limit = FirstReproducibleLimit(side.limits);
    if (limit) writer.StringMember("first_limit", limit->sentence);
  });
  WriteList("patterns", comparison.patterns, writer, [&](const PatternRow& row) {
    writer.StringMember("title", row.title);
    WriteList("sides", row.sides, writer,
              [&](const PatternSide& side) { WriteSide(side, writer); });
  });
  WriteList("storage", comparison.storage, writer, [&](const StorageRow& row) {
    writer.StringMember("table", row.table);
    writer.StringMember("index", row.index);
    WriteList("sides", row.sides, writer, [&](const StorageSide& side) {
      BoolMember("is_present", side.is_present, writer);
      if (!side.is_present) return;
      writer.IntegerMember("items", side.items);
      NumberMember("billed_bytes", side.billed_bytes, writer);
    });
  });
  writer.EndObject();
}

}  // namespace hashrange
