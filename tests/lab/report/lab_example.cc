#include "lab/report/lab_example.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "lab/plan/request/request_template.h"

namespace hashrange {
namespace {

constexpr std::int64_t kStart = 1'767'225'600'000;  // 2026-01-01
constexpr std::int64_t kLengthMs = 600'000;

// What one pattern does in one layout.
struct ExamplePattern {
  std::string name;
  double rate;
  std::uint64_t calls;
  double read_units;   // of a call, of the table or, for a query of the index, of that
  double table_write;  // units of a call
  double index_write;
  bool reads_index = false;
  double requests = 1;  // of a call
};

struct LayoutRows {
  std::string name;
  std::vector<ExamplePattern> patterns;
  double hot_share;  // of the index's writes that its hottest key has
  std::string hot_key;
  std::int64_t index_bytes;
};

LayoutRows OneKey() {
  return {"one key",
          {{"customer", 400, 240'000, 0.5, 0, 0},
           {"newest customers", 5, 3'000, 4, 0, 0, true},
           {"orders of a product", 20, 12'000, 3.5, 0, 0, true},
           {"sign up", 20, 12'000, 0, 4, 1},
           {"rename", -1, 0, 0, 0, 0}},
          0.9,
          "GSI1PK=CUSTOMER",
          300'000'000};
}

LayoutRows Sharded() {
  return {"sharded, lines inside",
          {{"customer", 400, 240'000, 0.5, 0, 0},
           {"newest customers", 5, 3'000, 8, 0, 0, true, 8},
           {"orders of a product", 20, 120, 5'200, 0, 0, false, 41},
           {"sign up", 20, 12'000, 0, 4, 1},
           {"rename", -1, 0, 0, 0, 0}},
          0.15,
          "GSI1PK=CUSTOMER#3",
          80'000'000};
}

// --- The measurement ---

PatternMeasure MeasureOf(const ExamplePattern& row, std::size_t number) {
  PatternMeasure pattern{.id = "00000000000" + std::to_string(number), .name = row.name};
  const bool is_write = row.table_write > 0;
  pattern.operation = is_write ? "TransactWriteItems" : "Query";
  pattern.text = pattern.operation + " shop";
  const std::string index = row.reads_index ? "GSI1" : "";
  PatternMember member{.kind = is_write ? "put" : "query", .table = "shop", .index = index};
  if (row.reads_index) {
    member.key = {{.attribute = "GSI1PK", .op = "=", .value = "CUSTOMER"}};
  } else {
    member.key = {{.attribute = "PK", .op = "=", .value = "CUST#{digits}"}};
  }
  pattern.members = {member};
  // For the meter, each request is a call.
  pattern.calls = static_cast<std::uint64_t>(static_cast<double>(row.calls) * row.requests);
  pattern.requests = pattern.calls;
  const auto calls = static_cast<double>(row.calls);
  if (row.read_units + row.table_write > 0) {
    pattern.units.push_back({"shop", index, row.read_units * calls, row.table_write * calls});
  }
  if (row.index_write > 0) pattern.units.push_back({"shop", "GSI1", 0, row.index_write * calls});
  pattern.call.read_units.Add(row.read_units / row.requests, pattern.calls);
  pattern.call.write_units.Add(row.table_write + row.index_write, pattern.calls);
  return pattern;
}

ResourceMeasure TableResource() {
  ResourceMeasure table{.table = "shop"};
  table.read_keys = {120'000, 10, {{"PK=CUST#7", "PK=CUST#{digits}", 2'400, 10}}};
  table.written_keys = {48'000, 10, {{"PK=CUST#7", "PK=CUST#{digits}", 480, 10}}};
  table.collections.count = 40'000;
  table.collections.items.Add(2, 40'000);
  table.collections.size_bytes.Add(900, 40'000);
  table.collections.largest = {{"PK=ORDER#81733", "PK=ORDER#{digits}", 171'000, 0}};
  return table;
}

ResourceMeasure IndexResource(const LayoutRows& layout) {
  ResourceMeasure index{.table = "shop", .index = "GSI1"};
  index.written_keys = {
      12'000, 0, {{layout.hot_key, layout.hot_key, 12'000 * layout.hot_share, 0}}};
  index.collections.count = 8;
  index.collections.items.Add(2'500, 8);
  const double largest = static_cast<double>(layout.index_bytes) * layout.hot_share;
  index.collections.size_bytes.Add(largest, 8);
  index.collections.largest = {{layout.hot_key, layout.hot_key, largest, 0}};
  return index;
}

TableMeasure TableOf(const LayoutRows& layout) {
  TableMeasure table{.account = "000000000000", .region = "us-east-1", .name = "shop"};
  table.hash = {"PK"};
  table.range = {"SK"};
  table.on_demand = true;
  table.table_class = "STANDARD";
  table.items = 200'000;
  table.size_bytes = 400'000'000;
  table.walked_share = 1;
  table.indexes = {{.name = "GSI1",
                    .hash = {"GSI1PK"},
                    .range = {"GSI1SK"},
                    .projection = "ALL",
                    .items = 20'000,
                    .size_bytes = layout.index_bytes}};
  return table;
}

Measurement MeasurementOf(const LayoutRows& layout) {
  Measurement measurement{.name = layout.name, .began_epoch_ms = kStart};
  measurement.ended_epoch_ms = kStart + kLengthMs;
  measurement.tables = {TableOf(layout)};
  measurement.resources = {TableResource(), IndexResource(layout)};
  for (std::size_t at = 0; at < layout.patterns.size(); ++at) {
    const ExamplePattern& row = layout.patterns[at];
    if (row.calls == 0) continue;
    measurement.patterns.push_back(MeasureOf(row, at));
    for (const ResourceUnits& units : measurement.patterns.back().units) {
      ResourceMeasure& resource = measurement.resources[units.index.empty() ? 0 : 1];
      resource.read_units += units.read_units;
      resource.write_units += units.write_units;
    }
  }
  return measurement;
}

// --- The plan ---

RequestNode Slot(int attribute) { return {RequestSlot{.part = {.attribute = {0, attribute}}}}; }

PlanStep StepOf(std::string operation, std::string index, std::string before, std::string after) {
  PlanStep step;
  step.request.operation = std::move(operation);
  step.request.table = "shop";
  step.request.index = std::move(index);
  AppendText(before, step.request.nodes);
  step.request.nodes.push_back(Slot(0));
  AppendText(after, step.request.nodes);
  return step;
}

PatternPlan PlanOfGet() {
  PatternPlan plan{.pattern = 0, .service = PlanService::kKey};
  plan.steps = {StepOf("GetItem", "", R"({"TableName":"shop","Key":{"PK":{"S":"CUST#)",
                       R"("},"SK":{"S":"METADATA"}},"ReturnConsumedCapacity":"TOTAL"})")};
  plan.reasons = {"The caller knows the whole key of the item."};
  return plan;
}

PatternPlan PlanOfNewest(bool is_sharded) {
  PatternPlan plan{.pattern = 1};
  plan.service = is_sharded ? PlanService::kFannedOut : PlanService::kKey;
  plan.steps = {StepOf("Query", "GSI1",
                       R"({"TableName":"shop","IndexName":"GSI1","KeyConditionExpression":)"
                       R"("#n0 = :v0","ExpressionAttributeNames":{"#n0":"GSI1PK"},)"
                       R"("ExpressionAttributeValues":{":v0":{"S":"CUSTOMER#)",
                       R"("}},"ScanIndexForward":false,"Limit":50,)"
                       R"("ReturnConsumedCapacity":"TOTAL"})")};
  plan.steps[0].is_paged = true;
  plan.steps[0].items = 50;
  plan.steps[0].shards = is_sharded ? 8 : 1;
  plan.sorts_at_client = is_sharded;
  plan.reasons = {"The partition key is the same for all customers, and created_at orders them."};
  plan.rejected = {"shop: its partition key needs {customer_id}, which the caller does not know."};
  return plan;
}

PatternPlan PlanOfProduct(bool is_embedded) {
  PatternPlan plan{.pattern = 2};
  plan.service = is_embedded ? PlanService::kScanned : PlanService::kKey;
  plan.steps = {is_embedded
                    ? StepOf("Scan", "", R"({"TableName":"shop","FilterExpression":")", R"("})")
                    : StepOf("Query", "GSI1",
                             R"({"TableName":"shop","IndexName":"GSI1","KeyConditionExpression":)"
                             R"("#n0 = :v0","ExpressionAttributeValues":{":v0":{"S":"PRODUCT#)",
                             R"("}}})")};
  plan.steps[0].is_paged = true;
  plan.reasons = {is_embedded ? "No key begins with {sku}: lines are inside of their order."
                              : "GSI1PK is all that the caller knows."};
  return plan;
}

PatternPlan PlanOfSignUp() {
  PatternPlan plan{.pattern = 3, .service = PlanService::kKey};
  plan.steps = {StepOf("TransactWriteItems", "",
                       R"({"TransactItems":[{"Put":{"TableName":"shop","Item":{"PK":{"S":"CUST#)",
                       R"--("},"SK":{"S":"METADATA"}},"ConditionExpression":)--"
                       R"--("attribute_not_exists(#n0)"}}],"ReturnConsumedCapacity":"TOTAL"})--")};
  plan.steps[0].request.table.clear();
  plan.reasons = {"Two items have to agree, so the call is one transaction."};
  return plan;
}

PatternPlan PlanOfRename(bool is_possible) {
  PatternPlan plan{.pattern = 4, .service = PlanService::kKey};
  if (!is_possible) {
    plan.impossible = "Line is inside of Order, which the caller does not know.";
    return plan;
  }
  plan.steps = {
      StepOf("UpdateItem", "", R"({"TableName":"shop","Key":{"PK":{"S":"CUST#)", R"("}}})")};
  plan.reasons = {"The caller knows the whole key of the item."};
  return plan;
}

LayoutPlan LayoutPlanOf(bool is_sharded) {
  LayoutPlan plan;
  plan.patterns = {PlanOfGet(), PlanOfNewest(is_sharded), PlanOfProduct(is_sharded), PlanOfSignUp(),
                   PlanOfRename(!is_sharded)};
  plan.findings = {{.rule = "pattern-without-rate",
                    .severity = "warning",
                    .what = "A pattern has no rate.",
                    .where = "pattern rename",
                    .advice = "Declare how often it is called."}};
  if (is_sharded) {
    plan.findings.push_back({.rule = "unserved-pattern",
                             .severity = "severe",
                             .what = "No key serves a pattern.",
                             .where = "shop, pattern orders of a product",
                             .evidence = "It is a Scan, 20 times a second.",
                             .advice = "Store the lines as items of their own."});
  }
  return plan;
}

// --- Runs ---

PatternRun RunOf(const ExamplePattern& row, double thinned_calls) {
  PatternRun run{.name = row.name, .declared_calls_per_second = row.rate};
  run.calls = row.calls;
  run.requests = static_cast<std::uint64_t>(static_cast<double>(row.calls) * row.requests);
  if (row.calls > 0 && thinned_calls > 0) {
    run.weight = row.rate * thinned_calls / static_cast<double>(row.calls);
  }
  const std::uint64_t more = row.calls / 50;  // half as much again
  for (const auto& [units, distribution] :
       {std::pair(row.read_units, &run.read_units),
        std::pair(row.table_write + row.index_write, &run.write_units)}) {
    distribution->Add(units, row.calls - more);
    distribution->Add(units * 1.5, more);
  }
  run.call_requests.Add(row.requests, row.calls);
  return run;
}

LayoutRun LayoutRunOf(const LayoutRows& layout, bool is_sharded) {
  LayoutRun run{.layout = layout.name};
  run.plan = LayoutPlanOf(is_sharded);
  run.measurement = MeasurementOf(layout);
  for (const ExamplePattern& row : layout.patterns) {
    run.patterns.push_back(RunOf(row, static_cast<double>(kLengthMs) / 1000));
  }
  if (is_sharded) run.patterns.pop_back();  // it is not possible, so it has no run
  run.items_loaded = 190'000;
  run.bytes_loaded = 390'000'000;
  run.simulated_ms = kLengthMs;
  run.load_seconds = 1.25;
  run.run_seconds = 3.5;
  return run;
}

LabAttribute AttributeOf(std::string name) {
  LabAttribute attribute;
  attribute.name = std::move(name);
  return attribute;
}

}  // namespace

LabFile ShopLab() {
  LabFile file;
  file.seed = 7;
  file.start_epoch_ms = kStart;
  LabEntity customer;
  customer.name = "Customer";
  customer.attributes = {AttributeOf("customer_id"), AttributeOf("name")};
  file.entities = {customer};
  for (const ExamplePattern& row : OneKey().patterns) {
    LabPattern pattern;
    pattern.name = row.name;
    pattern.calls_per_second = row.rate;
    file.patterns.push_back(pattern);
  }
  file.layouts.resize(2);
  file.layouts[0].name = OneKey().name;
  file.layouts[1].name = Sharded().name;
  for (LabLayout& layout : file.layouts) {
    layout.tables = {{.name = "shop", .indexes = {{.name = "GSI1"}}}};
  }
  file.traffic = {{.length_ms = kLengthMs}};
  return file;
}

LabResult ShopLabResult() {
  LabResult result;
  result.runs = {LayoutRunOf(OneKey(), false), LayoutRunOf(Sharded(), true)};
  PatternRun& sign_up = result.runs[0].patterns[3];
  sign_up.calls += 12;  // these were given up
  sign_up.requests += 600;
  sign_up.throttled = 600;
  sign_up.failed = 12;
  sign_up.conditions = 3;
  sign_up.skipped = 1;
  result.runs[0].measurement.resources[1].throttled = 600;
  result.runs[0].measurement.resources[1].throttled_keys = {
      600, 0, {{"GSI1PK=CUSTOMER", "GSI1PK=CUSTOMER", 600, 0}}};
  const ThrottlePlace place = {
      "sign up", 1, "shop", "GSI1", "GSI1PK=CUSTOMER", "IndexWriteKeyRangeThroughputExceeded"};
  result.runs[0].trials = {{.multiple = 53, .throttled = 0.0001, .place = place},
                           {.multiple = 58, .throttled = 0.12, .place = place}};
  result.runs[1].trials = {{.multiple = 0.4, .throttled = 0, .is_thinned = true}};
  return result;
}

LabResult ShopLabAtTwoScales() {
  LabResult result = ShopLabResult();
  for (const std::size_t at : {1, 3}) {
    LayoutRun run = result.runs[at - 1];
    run.scale = 10;
    if (at == 3) {
      run.patterns[2].read_units = {};
      run.patterns[2].read_units.Add(52'000, 120);
    }
    result.runs.insert(result.runs.begin() + static_cast<std::ptrdiff_t>(at), std::move(run));
  }
  return result;
}

LabResult ShopLabAtEndpoint() {
  LabResult result = ShopLabResult();
  result.endpoint = {.url = "http://127.0.0.1:8000", .prefix = "try-", .rate = 0.1};
  for (const LayoutRun& modelled : result.runs) {
    EndpointLayoutRun& run = result.endpoint->runs.emplace_back();
    run.layout = modelled.layout;
    run.items_filled = 190'000;
    run.fill_s = 12.5;
    run.traffic_s = run.elapsed_s = 600;
    run.lateness_us.Add(200, 990);
    run.lateness_us.Add(9'000, 20);
    for (std::size_t at = 0; at < modelled.patterns.size(); ++at) {
      EndpointPatternRun& pattern = run.patterns.emplace_back();
      const PatternRun& of_model = modelled.patterns[at];
      pattern.run = {.name = of_model.name, .calls = of_model.calls / 10};
      if (pattern.run.calls == 0) continue;
      pattern.run.requests = pattern.run.calls;
      pattern.run.read_units.Add(of_model.read_units.Percentile(0.5), pattern.run.calls);
      pattern.run.write_units.Add(of_model.write_units.Percentile(0.5), pattern.run.calls);
      pattern.latency_us.Add(500 * static_cast<double>(at + 1), pattern.run.calls);
      pattern.latency_us.Add(70'000, pattern.run.calls / 20);
      pattern.units = {.compared = pattern.run.calls};
      pattern.units.reported_units = pattern.units.twin_units =
          pattern.run.read_units.sum() + pattern.run.write_units.sum();
    }
  }
  EndpointPatternRun& sign_up = result.endpoint->runs[0].patterns[3];
  sign_up.run.throttled = 40;
  sign_up.run.failed = 4;
  sign_up.units.different = 3;
  sign_up.units.uncertain = 1;
  sign_up.units.reported_units += 3;
  sign_up.units.first_difference = "PutItem {}: the endpoint reported 3, the twin took 2";
  EndpointLayoutRun& given_up = result.endpoint->runs[1];
  given_up.elapsed_s = 90;
  given_up.ended_early_because = "The endpoint answered nothing for 30 s: no answer in time.";
  given_up.left_behind = "The table try-2-shop is left behind, as nobody answers";
  EndpointPatternRun& asked = given_up.patterns[2];
  asked.not_made = 7;
  asked.unfinished = 1;
  asked.run.broken = 2;
  asked.run.error = "Scan was not answered: no answer in time";
  asked.units = {.not_comparable = 5, .unreported = 6, .twin_refused = 1};
  return result;
}

LabFile HostileLab() {
  const std::string tag = "\"><script>alert('1')</script>";
  LabFile file = ShopLab();
  file.layouts[0].name = tag;
  file.layouts[1].name = "\x1B[31mred\xE2\x80\xAE";
  file.patterns[0].name = tag + std::string(3'000, 'x');
  file.patterns[1].name = "a\xFF\xC0\xAF\nb";
  file.patterns[2].name = "\xE2\x80\xAE\xD7\x90\xD7\x91";
  file.entities[0].attributes[0].name = tag;
  return file;
}

LabResult HostileLabResult() {
  const LabFile file = HostileLab();
  LabResult result = ShopLabResult();
  for (std::size_t at = 0; at < result.runs.size(); ++at) {
    LayoutRun& run = result.runs[at];
    run.layout = file.layouts[at].name;
    for (std::size_t pattern = 0; pattern < run.patterns.size(); ++pattern) {
      run.patterns[pattern].name = file.patterns[pattern].name;
    }
    for (PatternMeasure& pattern : run.measurement.patterns) {
      pattern.name = file.patterns[static_cast<std::size_t>(pattern.id.back() - '0')].name;
    }
    run.plan.patterns[0].reasons = {run.layout};
    run.plan.patterns[4].impossible = run.layout;
    run.plan.findings[0].what = run.layout;
    run.measurement.resources[1].written_keys.keys[0].key = run.layout;
    run.is_partial = true;
  }
  result.endpoint = {.url = "http://127.0.0.1:8000"};
  EndpointLayoutRun& run = result.endpoint->runs.emplace_back();
  run.layout = run.ended_early_because = run.left_behind = file.layouts[0].name;
  for (const LabPattern& pattern : file.patterns) {
    EndpointPatternRun& at_endpoint = run.patterns.emplace_back();
    at_endpoint.run = {.name = pattern.name, .calls = 1, .error = file.layouts[1].name};
    at_endpoint.units.first_difference = file.layouts[1].name;
  }
  return result;
}

std::vector<ExplainedLayout> ShopExplanation() {
  std::vector<ExplainedLayout> layouts;
  for (const LayoutRun& run : ShopLabResult().runs) {
    ExplainedLayout layout{.name = run.layout, .findings = run.plan.findings};
    for (std::size_t at = 0; at < run.plan.patterns.size(); ++at) {
      ExplainedPattern pattern{.name = ShopLab().patterns[at].name, .plan = run.plan.patterns[at]};
      layout.patterns.push_back(std::move(pattern));
    }
    layout.patterns[0].read_units = {true, 1, 0.5, 0.5, 0.5};
    layout.patterns[1].read_units = {false, 100, 2, 3.1, 7.5};
    layout.patterns[2].read_units = {false, 1, 5'200, 5'200, 5'200};
    layout.patterns[1].plan.cost = {
        .keys = {{.key = {.table = 0, .index = 0}, .units = 3.1, .hottest_share = 1}},
        .requests = 1};
    layout.patterns[3].plan.cost = {
        .keys = {{.key = {.table = 0}, .is_write = true, .units = 4, .hottest_share = 0.00012},
                 {.key = {.table = 0, .index = 0}, .is_write = true, .units = 1.2}},
        .requests = 1};
    layout.patterns[3].read_units = {true, 20, 0, 0, 0};
    layout.patterns[3].write_units = {true, 20, 5, 5.2, 6};
    layouts.push_back(std::move(layout));
  }
  return layouts;
}

}  // namespace hashrange
