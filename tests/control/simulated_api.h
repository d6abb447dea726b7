// SimulatedApi: a database without sockets, with its control API. Calls pass the real dispatcher
// and the real routes. The clock stands still.
//
//   SimulatedApi api;
//   api.Rule(R"({"match":{"operation":"GetItem"},"do":{"status":500}})");
//   api.Fails("GetItem", …);
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/clock.h"
#include "control/content/change_tails.h"
#include "control/content/collection_directory.h"
#include "control/control.h"
#include "control/running_measurements.h"
#include "control/snapshots.h"
#include "engine/backfill/backfiller.h"
#include "engine/stream/stream_set.h"
#include "measure/meter/meter.h"
#include "simulation/consistency.h"
#include "simulation/fault_plan.h"
#include "simulation/gate_chain.h"
#include "simulation/holds.h"
#include "simulation/recorder.h"
#include "simulation/throughput.h"
#include "support/api.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {

// The gates of the dispatcher, and what outlives its tables.
struct Simulation {
  ChangeTails change_tails;
  GateChain gates;
  FaultPlan faults{gates};
};

class SimulatedApi : private Simulation, public Api {
 public:
  SimulatedApi() : Api({.gate = &gates.slot()}) {}

  using Simulation::faults;

  ControlAnswer Control(std::string method, std::string path, std::string body = {},
                        FileRights files = {}) {
    return control_.Answer({std::move(method), std::move(path), {}, std::move(body), files});
  }
  // A call without a body by a program of another user.
  ControlAnswer ControlOfOtherUser(std::string method, std::string path) {
    return control_.Answer({.method = std::move(method),
                            .path = std::move(path),
                            .query = {},
                            .body = {},
                            .files = {.may_name_any_file = false},
                            .is_of_other_user = true});
  }
  // A control call that must succeed with exactly this answer.
  void Controls(std::string method, std::string path, std::string body, std::string_view answer) {
    const ControlAnswer given = Control(method, path, body);
    EXPECT_EQ(given.http_status, 200) << body << "\n" << given.body;
    EXPECT_TRUE(SameJson(given.body, answer))
        << method << " " << path << " " << body << "\n  answered " << given.body;
  }
  // A control call that must fail with exactly this sentence.
  void Refuses(std::string method, std::string path, std::string body, int http_status,
               std::string_view sentence) {
    const ControlAnswer given = Control(method, path, body);
    EXPECT_EQ(given.http_status, http_status) << body << "\n" << given.body;
    const std::string expected =
        JsonObjectText([&](JsonWriter& writer) { writer.StringMember("error", sentence); });
    EXPECT_EQ(given.body, expected) << body;
  }

  // Replaces all fault rules by this rule.
  void Rule(std::string_view rule) {
    Control("DELETE", "faults");
    const ControlAnswer given =
        Control("POST", "faults", std::string(R"({"rules":[)").append(rule).append("]}"));
    EXPECT_EQ(given.http_status, 200) << rule << "\n" << given.body;
  }
  void Rule(std::string_view match, std::string_view action) {
    Rule(std::string(R"({"match":)").append(match).append(R"(,"do":)").append(action).append("}"));
  }

 private:
  AdjustableClock unused_clock_;
  Backfiller backfiller_{engine()};
  Snapshots snapshots_{engine().catalog()};
  Holds holds_{engine().catalog(), clock(), gates};
  Consistency consistency_{engine()};
  Throughput throughput_{engine(), gates};
  Recorder recorder_{gates, clock()};
  Meter meter_{gates, engine()};
  RunningMeasurements running_measurements_{engine(), throughput_, meter_};
  CollectionDirectories directories_;
  hashrange::Control control_{{.engine = engine(),
                               .clock = unused_clock_,
                               .streams = streams(),
                               .time_to_live = time_to_live(),
                               .backfiller = backfiller_,
                               .gates = gates,
                               .faults = faults,
                               .holds = holds_,
                               .consistency = consistency_,
                               .throughput = throughput_,
                               .snapshots = snapshots_,
                               .recorder = recorder_,
                               .meter = meter_,
                               .running_measurements = running_measurements_,
                               .directories = directories_,
                               .change_tails = change_tails}};
};

// A table with the keys PK (S) and SK (N), and with a local and a global index.
inline constexpr char kIndexedTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},
    {"AttributeName":"SK","AttributeType":"N"},{"AttributeName":"G","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],
  "GlobalSecondaryIndexes":[{"IndexName":"GSI1","KeySchema":[
    {"AttributeName":"G","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],
  "LocalSecondaryIndexes":[{"IndexName":"LSI1","KeySchema":[
    {"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"G","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"ALL"}}]})";

}  // namespace hashrange
