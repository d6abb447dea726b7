// Measures whole operations through the dispatcher, without a socket: JSON in, JSON out. Also
// measures which part of a PutItem is validation.
#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/stream/stream_set.h"
#include "engine/ttl/time_to_live.h"
#include "operation/dispatch.h"
#include "operation/parameter/expression_parameters.h"
#include "operation/parameter/item_key.h"
#include "wire/attribute_json.h"
#include "wire/binder.h"
#include "wire/json.h"

namespace hashrange {
namespace {

constexpr std::string_view kCreateTable =
    R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
    R"({"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"}],)"
    R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)"
    R"({"AttributeName":"SK","KeyType":"RANGE"}]})";

const std::string kCreateStreamedTable =
    std::string(kCreateTable.substr(0, kCreateTable.size() - 1)) +
    R"(,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}})";

// An item of about 500 bytes as DynamoDB counts them, with ten attributes of several types.
std::string Item500(int number) {
  std::string json =
      R"({"PK":{"S":"USER#)" + std::to_string(number) + R"("},"SK":{"S":"PROFILE"},)";
  for (const char* name : {"name", "street", "city", "country"}) {
    json += std::string("\"") + name + R"(":{"S":")" + std::string(95, 'x') + "\"},";
  }
  return json + R"("logins":{"N":"1987"},"balance":{"N":"12.99"},"active":{"BOOL":true},)"
                R"("roles":{"SS":["admin","editor","reader"]}})";
}

std::string PutRequest(int number) {
  return R"({"TableName":"app","Item":)" + Item500(number) +
         R"(,"ConditionExpression":"attribute_not_exists(PK) OR logins < :n",)"
         R"("ExpressionAttributeValues":{":n":{"N":"5000"}}})";
}

// A database of one table. A request is copied before each call, because the call parses in place.
class Api {
 public:
  explicit Api(int items, bool has_stream = false) {
    engine_.AddObserver(streams_);
    Call("CreateTable", has_stream ? kCreateStreamedTable : std::string(kCreateTable));
    for (int i = 0; i < items; ++i) Call("PutItem", PutRequest(i));
  }
  int Call(std::string_view operation, std::string_view json) {
    body_.assign(json);
    target_.assign("DynamoDB_20120810.").append(operation);
    ApiRequest request;
    request.target = target_;
    request.authorization =
        "AWS4-HMAC-SHA256 Credential=AKID/20260101/us-east-1/dynamodb/aws4_request, "
        "SignedHeaders=host, Signature=00";
    request.has_date = true;
    request.body = {body_.data(), body_.size()};
    answer_.Clear();
    return dispatcher_.Handle(request, answer_).http_status;
  }
  // Switches time to live on for the attribute of that name. No sweeper deletes items.
  void Expire(std::string_view attribute) {
    Call("UpdateTimeToLive",
         std::string(R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,)")
             .append(R"("AttributeName":")")
             .append(attribute)
             .append("\"}}"));
    time_to_live_.Sweep();
  }
  TableRef Table() { return engine_.catalog().Find({"000000000000", "us-east-1"}, "app"); }

 private:
  SystemClock clock_;
  StreamSet streams_{clock_, {}};
  Engine engine_{clock_};
  TimeToLive time_to_live_{engine_, 0};
  Dispatcher dispatcher_{engine_, streams_, {.time_to_live = &time_to_live_}};
  std::string body_, target_;
  OutputBuffer answer_;
};

void PutItem(benchmark::State& state) {
  Api api(10'000);
  const std::string request = PutRequest(42);
  for (auto _ : state) {
    if (api.Call("PutItem", request) != 200) state.SkipWithError("400");
  }
}
BENCHMARK(PutItem);

// Replaces random items that have a time, in a table without time to live (0), with time to live on
// another attribute (1), and on the attribute of the time (2).
void PutItemWithATime(benchmark::State& state) {
  constexpr int kItems = 100'000;
  Api api(0);
  std::vector<std::string> requests;
  for (int i = 0; i < kItems; ++i) {
    requests.push_back(R"({"TableName":"app","Item":{"expires":{"N":")" +
                       std::to_string(4'000'000'000 + i) + R"("},)" + Item500(i).substr(1) + "}");
    api.Call("PutItem", requests.back());
  }
  if (state.range(0) > 0) api.Expire(state.range(0) == 1 ? "another" : "expires");
  // Returns another item each time.
  std::size_t next = 0;
  for (auto _ : state) {
    std::string& request = requests[next++ * 7919 % requests.size()];
    char& digit = request[request.find(R"("N":")") + 5];
    digit = digit == '9' ? '0' : static_cast<char>(digit + 1);
    if (api.Call("PutItem", request) != 200) state.SkipWithError("400");
  }
}
BENCHMARK(PutItemWithATime)->Arg(0)->Arg(1)->Arg(2);

// Reads one item by its full key: with GetItem, with a statement with parameters, and with a
// statement with literals, whose text differs for every item.
constexpr int kReadItems = 10'000;

void ReadOneItem(benchmark::State& state, std::string_view operation,
                 std::string_view before_number, std::string_view after_number) {
  Api api(kReadItems);
  std::vector<std::string> requests;
  for (int i = 0; i < 1000; ++i) {
    requests.push_back(std::string(before_number) + std::to_string(i * 7 % kReadItems) +
                       std::string(after_number));
  }
  std::size_t next = 0;
  for (auto _ : state) {
    if (api.Call(operation, requests[next++ % requests.size()]) != 200) {
      state.SkipWithError("400");
    }
  }
}

void GetItem(benchmark::State& state) {
  ReadOneItem(state, "GetItem", R"({"TableName":"app","Key":{"PK":{"S":"USER#)",
              R"("},"SK":{"S":"PROFILE"}}})");
}
BENCHMARK(GetItem);

void SelectByKey(benchmark::State& state) {
  ReadOneItem(state, "ExecuteStatement",
              R"({"Statement":"SELECT * FROM app WHERE PK = ? AND SK = ?",)"
              R"("Parameters":[{"S":"USER#)",
              R"("},{"S":"PROFILE"}]})");
}
BENCHMARK(SelectByKey);

void SelectByKeyOfLiterals(benchmark::State& state) {
  ReadOneItem(state, "ExecuteStatement", R"({"Statement":"SELECT * FROM app WHERE PK = 'USER#)",
              R"(' AND SK = 'PROFILE'"})");
}
BENCHMARK(SelectByKeyOfLiterals);

// 25 items of 25 item collections; with 20 items in each collection, they are in many leaves.
std::string BatchGetRequest(int first, int items) {
  std::string json = R"({"RequestItems":{"app":{"Keys":[)";
  for (int i = 0; i < 25; ++i) {
    const long long number = (first + i * 7919LL) % items;
    json += std::string(i == 0 ? "" : ",") + R"({"PK":{"S":"USER#)" + std::to_string(number) +
            R"("},"SK":{"S":"PROFILE"}})";
  }
  return json + "]}}}";
}

void BatchGetItem25(benchmark::State& state) {
  constexpr int kItems = 100'000;
  Api api(kItems);
  std::vector<std::string> requests;
  for (int i = 0; i < 1000; ++i) requests.push_back(BatchGetRequest(i * 25, kItems));
  std::size_t next = 0;
  for (auto _ : state) {
    if (api.Call("BatchGetItem", requests[next++ % requests.size()]) != 200) {
      state.SkipWithError("400");
    }
  }
}
BENCHMARK(BatchGetItem25);

void Query20(benchmark::State& state) {
  constexpr int kCollections = 5000;
  Api api(0);
  std::vector<std::string> requests;
  for (int i = 0; i < kCollections; ++i) {
    const std::string number = std::to_string(i);
    for (int order = 10; order < 30; ++order) {
      std::string json = PutRequest(i);
      json.replace(json.find("PROFILE"), 7, "ORDER#" + std::to_string(order));
      api.Call("PutItem", json);
    }
    requests.push_back(
        R"j({"TableName":"app","KeyConditionExpression":"PK = :p AND begins_with(SK, :s)",)j"
        R"j("ExpressionAttributeValues":{":p":{"S":"USER#)j" +
        number + R"j("},":s":{"S":"ORDER#"}}})j");
  }
  std::size_t next = 0;
  for (auto _ : state) {
    if (api.Call("Query", requests[next++ * 7919 % requests.size()]) != 200) {
      state.SkipWithError("400");
    }
  }
}
BENCHMARK(Query20);

// Each call changes its item.
void UpdateItems(benchmark::State& state, bool has_stream) {
  constexpr int kItems = 10'000;
  Api api(kItems, has_stream);
  std::vector<std::string> requests;
  for (int i = 0; i < 1000; ++i) {
    requests.push_back(
        R"({"TableName":"app","Key":{"PK":{"S":"USER#)" + std::to_string(i * 7 % kItems) +
        R"("},"SK":{"S":"PROFILE"}},"UpdateExpression":"SET #s = :s, logins = logins + :one",)"
        R"("ConditionExpression":"attribute_exists(PK) AND logins >= :one",)"
        R"("ExpressionAttributeNames":{"#s":"name"},)"
        R"("ExpressionAttributeValues":{":s":{"S":"ARRIVED"},":one":{"N":"1"}}})");
  }
  std::size_t next = 0;
  for (auto _ : state) {
    if (api.Call("UpdateItem", requests[next++ % requests.size()]) != 200) {
      state.SkipWithError("400");
    }
  }
}
void UpdateItem(benchmark::State& state) { UpdateItems(state, false); }
BENCHMARK(UpdateItem);
void UpdateItemWithStream(benchmark::State& state) { UpdateItems(state, true); }
BENCHMARK(UpdateItemWithStream);

// Puts two versions of 1000 items in turn: unlike PutItem above, each call changes its item.
void PutItems(benchmark::State& state, bool has_stream) {
  Api api(10'000, has_stream);
  std::vector<std::string> requests;
  for (const char* logins : {"1988", "1989"}) {
    for (int i = 0; i < 1000; ++i) {
      std::string json = PutRequest(i);
      json.replace(json.find("1987"), 4, logins);
      requests.push_back(std::move(json));
    }
  }
  std::size_t next = 0;
  for (auto _ : state) {
    if (api.Call("PutItem", requests[next++ % requests.size()]) != 200) state.SkipWithError("400");
  }
}
void PutItemThatChanges(benchmark::State& state) { PutItems(state, false); }
BENCHMARK(PutItemThatChanges);
void PutItemWithStream(benchmark::State& state) { PutItems(state, true); }
BENCHMARK(PutItemWithStream);

// The checks of a PutItem, apart from reading its members: the shape of the request, the rules of
// the expression parameters, names and values, the item's size, key and index keys.
bool Validate(const OperationShape& shape, const JsonValue& body, const TableVersion& table,
              std::span<const Attribute> attributes) {
  const RequestObject request(body);
  const ExpressionParameters texts =
      ReadExpressionParameters(request, {ExpressionKind::kCondition});
  return BindRequest(shape, body).ok() &&
         CheckExpressionParameters(request, texts, shape.layer, {"Expected"},
                                   {ExpressionKind::kCondition})
             .ok() &&
         ItemSizeBytes(attributes) <= kMaxItemSizeBytes &&
         CheckItemKey(table.key, attributes).ok() && CheckIndexKeys(table, attributes).ok();
}

// Runs validation alone and a whole PutItem in turn; the counter `validation` is the part that
// validation takes.
void PutItemValidationShare(benchmark::State& state) {
  using SteadyClock = std::chrono::steady_clock;
  Api api(10'000);
  const TableRef table = api.Table();
  const std::string request = PutRequest(42);
  std::string text = request;
  Arena arena;
  const JsonValue& body = **ParseJson({text.data(), text.size()}, arena);
  const OperationShape& shape = *FindOperationShape("PutItem");
  const auto attributes = *ReadAttributes(*body.Find("Item"), shape.layer, arena);
  SteadyClock::duration validation{}, whole{};
  for (auto _ : state) {
    const auto begin = SteadyClock::now();
    if (!Validate(shape, body, *table, attributes)) state.SkipWithError("refused");
    const auto middle = SteadyClock::now();
    if (api.Call("PutItem", request) != 200) state.SkipWithError("400");
    whole += SteadyClock::now() - middle;
    validation += middle - begin;
  }
  state.counters["validation"] = std::chrono::duration<double>(validation).count() /
                                 std::chrono::duration<double>(whole).count();
}
BENCHMARK(PutItemValidationShare);

}  // namespace
}  // namespace hashrange
