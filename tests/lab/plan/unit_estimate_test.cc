// The computed units of gets and writes are held against those that a database charges, over many
// calls of the files writes/NAME.yaml. What it charges for a call that a condition refuses is in no
// answer, but a measurement has it.
#include "lab/plan/unit_estimate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/arena.h"
#include "hashrange/database.h"
#include "lab/run/lab_call_maker.h"
#include "measure/measurement_json.h"
#include "plan_text.h"
#include "support/source_root.h"
#include "wire/json.h"

namespace hashrange {
namespace {

constexpr int kCalls = 60;  // of each pattern

double NumberOf(const JsonValue& json) {
  return json.type == JsonValue::Type::kInteger ? static_cast<double>(json.integer) : json.decimal;
}

// Returns the units that an answer says.
double UnitsIn(std::string body) {
  Arena arena;
  const auto json = ParseJson(std::span<char>(body.data(), body.size()), arena);
  if (!json.ok()) return -1;
  const JsonValue* const consumed = (*json)->Find("ConsumedCapacity");
  if (consumed == nullptr) return -1;
  if (consumed->type == JsonValue::Type::kObject) return NumberOf(*consumed->Find("CapacityUnits"));
  double units = 0;
  for (const JsonValue& table : consumed->elements())
    units += NumberOf(*table.Find("CapacityUnits"));
  return units;
}

bool IsRead(const std::string& operation) {
  return operation.find("Get") != std::string::npos || operation == "Query" || operation == "Scan";
}

// One layout of a file, in a database with all its items.
class FilledLayout {
 public:
  FilledLayout(const LabFile& file, int layout)
      : file_(file),
        input_{file, file.layouts[static_cast<std::size_t>(layout)]},
        plan_(LayoutPlanOf(file, layout)),
        population_(file, 1),
        maker_(file, population_) {
    for (const std::string& table : plan_.create_tables) Ok("CreateTable", table);
    for (const StoredItem& stored : plan_.items) {
      for (std::uint64_t i = 0; i < population_.InitialCount(stored.entity); ++i) Put(stored, i);
    }
    EXPECT_EQ(database_.Control("POST", "measurements", R"({"name":"test"})").status, 200);
  }

  // Makes calls of all patterns in turn; returns how many were compared, by pattern.
  std::map<std::string, int> CompareCalls() {
    std::map<std::string, int> compared;
    for (int number = 0; number < kCalls; ++number) {
      for (const PatternPlan& plan : plan_.patterns) {
        if (CompareCall(plan, static_cast<std::uint64_t>(number))) ++compared[NameOf(plan)];
      }
    }
    return compared;
  }
  // Compares what was computed for calls that the file's conditions refused with what a measurement
  // says that they took. Returns the names of their patterns.
  std::set<std::string> CompareRefused() {
    Answer answer = database_.Control("GET", "measurements/test");
    const auto measurement = ReadMeasurementText({answer.body.data(), answer.body.size()});
    EXPECT_TRUE(measurement.ok()) << answer.body;
    std::map<std::string, double> measured;
    for (const PatternMeasure& pattern : measurement->patterns) {
      measured[pattern.name] += pattern.failed_write_units;
    }
    std::set<std::string> names;
    for (const auto& [name, units] : refused_units_) {
      EXPECT_EQ(units, measured[name]) << name;
      names.insert(name);
    }
    return names;
  }

 private:
  const std::string& NameOf(const PatternPlan& plan) const {
    return file_.patterns[static_cast<std::size_t>(plan.pattern)].name;
  }

  std::string Ok(const std::string& operation, const std::string& json) {
    const Answer answer = database_.Call(operation, json);
    EXPECT_TRUE(answer.ok()) << operation << " " << json << "\n" << answer.body;
    return answer.body;
  }

  void Put(const StoredItem& stored, std::uint64_t number) {
    LabCall call = {.roles = {{{stored.entity, number}}}};
    for (const int entity : stored.embedded) {
      call.roles.emplace_back();
      population_.AppendChildren({stored.entity, number}, entity, call.roles.back());
    }
    std::string item;
    RenderRequest(stored.item, population_, call, item);
    if (item.empty()) return;
    Ok("PutItem", "{\"TableName\":\"" + stored.table + "\",\"Item\":" + item + "}");
  }

  bool HasConditions(const PatternPlan& plan) const {
    const auto& writes = file_.patterns[static_cast<std::size_t>(plan.pattern)].writes;
    return std::ranges::any_of(writes,
                               [](const LabWrite& write) { return !write.conditions.empty(); });
  }

  // Returns whether the call was done and its units are known.
  bool CompareCall(const PatternPlan& plan, std::uint64_t number) {
    const CallShape& shape = plan_.shapes[static_cast<std::size_t>(plan.pattern)];
    MadeCall made;
    const std::int64_t now = file_.start_epoch_ms + static_cast<std::int64_t>(number) * 1000;
    if (!maker_.Make({plan.pattern, shape, number, now, no_hot_}, made)) return false;
    const auto computed = UnitsOfCall(input_, plan_, plan, population_, made.call);
    CallUnits charged;
    const bool is_written = Send(plan, made.call, charged);
    maker_.Apply(plan.pattern, shape, made);
    maker_.Close(is_written, made);
    if (!computed.has_value()) return false;
    if (!is_written) {
      if (HasConditions(plan)) refused_units_[NameOf(plan)] += computed->write_units;
      return false;
    }
    EXPECT_EQ(computed->read_units, charged.read_units) << NameOf(plan) << " call " << number;
    EXPECT_EQ(computed->write_units, charged.write_units) << NameOf(plan) << " call " << number;
    return true;
  }

  bool Send(const PatternPlan& plan, LabCall call, CallUnits& charged) {
    for (const PlanStep& step : plan.steps) {
      // What a fetch returns changes nothing of the writes behind it.
      if (step.kind == PlanStep::Kind::kFetch) continue;
      const std::size_t requests = CountRequests(step, call);
      for (std::size_t i = 0; i < requests; ++i) {
        SelectRequest(step, i, call);
        std::string json;
        RenderRequest(step.request, population_, call, json);
        if (json.empty()) continue;
        Answer answer;
        answer.status = database_.Call(step.request.operation, json, answer.body, {}, NameOf(plan));
        if (!answer.ok()) {
          // Only a condition may refuse a call.
          EXPECT_NE(answer.body.find("ConditionalCheckFailed"), std::string::npos)
              << NameOf(plan) << ": " << json << "\n"
              << answer.body;
          return false;
        }
        (IsRead(step.request.operation) ? charged.read_units : charged.write_units) +=
            UnitsIn(answer.body);
      }
    }
    return true;
  }

  const LabFile& file_;
  PlannerInput input_;
  LayoutPlan plan_;
  Population population_;
  LabCallMaker maker_;
  Database database_;
  std::map<std::string, double> refused_units_ = {};
  const std::map<int, double> no_hot_ = {};
};

class UnitEstimate : public testing::TestWithParam<const char*> {};

TEST_P(UnitEstimate, IsWhatADatabaseCharges) {
  std::ifstream text(SourceRoot() / "tests/lab/plan/writes" / (GetParam() + std::string(".yaml")));
  std::ostringstream yaml;
  yaml << text.rdbuf();
  const LabFile file = LabFileOf(yaml.str());
  std::set<std::string> refused;
  for (std::size_t i = 0; i < file.layouts.size(); ++i) {
    SCOPED_TRACE(file.layouts[i].name);
    FilledLayout layout(file, static_cast<int>(i));
    const std::map<std::string, int> compared = layout.CompareCalls();
    refused.merge(layout.CompareRefused());
    // What is served by keys alone is compared; the others need a query.
    const LayoutPlan plan = LayoutPlanOf(file, static_cast<int>(i));
    for (const PatternPlan& one : plan.patterns) {
      if (one.service != PlanService::kKey) continue;
      const std::string& name = file.patterns[static_cast<std::size_t>(one.pattern)].name;
      EXPECT_GT(compared.count(name) == 0 ? 0 : compared.at(name), 0) << name;
    }
  }
  for (const LabPattern& pattern : file.patterns) {
    if (pattern.name.starts_with("try ")) {
      EXPECT_TRUE(refused.contains(pattern.name)) << pattern.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, UnitEstimate, testing::Values("updates", "embedded", "together"),
                         [](const auto& test) { return std::string(test.param); });

TEST(ItemSizes, OfNumbersCountDigits) {
  const std::pair<const char*, std::size_t> kSizes[] = {
      {"0", 1},     {"1", 2},       {"12", 2},    {"123", 3},       {"123456", 4},
      {"100", 2},   {"1010", 3},    {"0.15", 2},  {"0.0000001", 2}, {"1.5", 3},
      {"1.234", 4}, {"3.14159", 5}, {"100.5", 4}, {"-42", 3}};
  for (const auto& [number, bytes] : kSizes) {
    EXPECT_EQ(SizeOfNumberText(number), bytes) << number;
  }
}

}  // namespace
}  // namespace hashrange
