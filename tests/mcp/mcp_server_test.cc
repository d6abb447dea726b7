// Tests of the protocol, with whole messages.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "mcp/agent_fixture.h"

namespace hashrange {
namespace {

class McpServerTest : public AgentFixture {
 protected:
  // Returns the lab file to start from, as the inside of a JSON string.
  std::string StarterLab() {
    std::string starter = Tool("lab_start");
    starter.resize(starter.find("JSON Schema of lab files"));
    const std::string quoted = JsonText(starter);
    return quoted.substr(1, quoted.size() - 2);
  }
  // Returns the line that runs the lab, with the id "run" and the progress token "p".
  static std::string RunOf(const std::string& lab, int thin) {
    return R"({"jsonrpc":"2.0","id":"run","method":"tools/call","params":{"_meta":)"
           R"({"progressToken":"p"},"name":"lab_run","arguments":{"lab":")" +
           lab + R"(","thin":)" + std::to_string(thin) + "}}}";
  }
};
class ReadOnlyMcpServer : public AgentFixture {
 protected:
  ReadOnlyMcpServer() : AgentFixture(true) {}
};

// `_meta` of a request of the revision 2026-07-28, with more members behind.
std::string Stateless(const std::string& more = "") {
  return R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
         R"("io.modelcontextprotocol/clientCapabilities":{})" +
         more + "}";
}

constexpr char kServerInfo[] = R"({"name":"hashrange","title":"Hashrange","version":"1.2.3"})";

std::string Initialized(const std::string& revision) {
  return R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":")" + revision +
         R"(","capabilities":{"tools":{},"resources":{}},"serverInfo":)" + kServerInfo +
         R"(,"instructions":"Use the tools."}})" + "\n";
}

// Returns the line that refuses a message. `id` is JSON, and is left out where it is empty;
// `message` is what JSON has between the quotes.
std::string Refusal(const std::string& id, int code, const std::string& message) {
  return R"({"jsonrpc":"2.0",)" + (id.empty() ? "" : "\"id\":" + id + ",") + R"("error":{"code":)" +
         std::to_string(code) + R"(,"message":")" + message + "\"}}\n";
}

TEST_F(McpServerTest, InitializeAnswersTheRevisionThatItKnows) {
  for (const std::string revision : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}) {
    EXPECT_EQ(SendOne(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":)"
                      R"({"protocolVersion":")" +
                      revision + R"(","capabilities":{},"clientInfo":{"name":"a"}}})"),
              Initialized(revision));
  }
  for (const std::string revision : {"2026-07-28", "1999-01-01"}) {
    EXPECT_EQ(SendOne(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":)"
                      R"({"protocolVersion":")" +
                      revision + R"("}})"),
              Initialized("2025-11-25"));
  }
  EXPECT_EQ(SendOne(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"),
            Refusal("1", -32602, R"(\"protocolVersion\" is a text such as \"2025-11-25\")"));
}

TEST_F(McpServerTest, PingIsAnsweredAndNotificationsAreNot) {
  EXPECT_EQ(
      Send({R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
            R"({"jsonrpc":"2.0","id":"a-1","method":"ping"})",
            R"({"jsonrpc":"2.0","method":"nothing/known","params":{"a":1}})",
            R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}})",
            R"({"jsonrpc":"2.0","method":"notifications/cancelled"})",
            R"({"jsonrpc":"2.0","id":4,"result":{}})", "", "  \r"}),
      R"({"jsonrpc":"2.0","id":"a-1","result":{}})"
      "\n");
}

TEST_F(McpServerTest, IdsAreEchoedAsTheyAre) {
  for (const std::string id : {"0", "-7", "9007199254740993", "123456789012345678901234567890",
                               "1.50", R"("")", R"("ü \"x\"")"}) {
    EXPECT_EQ(SendOne(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"ping"})"),
              R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{}})" + "\n");
  }
}

TEST_F(McpServerTest, WhatIsWrongIsRefused) {
  struct WrongLine {
    const char* line;
    const char* id;
    int code;
    const char* message;
  };
  constexpr WrongLine kLines[] = {
      {"7", "", -32600, "a message is a JSON object"},
      {R"({"id":3,"method":"ping"})", "3", -32600, R"(\"jsonrpc\" is \"2.0\")"},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", "", -32600,
       R"(\"id\" is a text or a number)"},
      {R"({"jsonrpc":"2.0","id":[1],"method":"ping"})", "", -32600,
       R"(\"id\" is a text or a number)"},
      {R"({"jsonrpc":"2.0","id":3})", "3", -32600, R"(there is no \"method\")"},
      {R"({"jsonrpc":"2.0","id":3,"method":7})", "3", -32600, R"(\"method\" is a text)"},
      {R"({"jsonrpc":"2.0","id":3,"method":"ping","params":[1]})", "3", -32600,
       R"(\"params\" is an object)"},
      {R"({"jsonrpc":"2.0","id":3,"method":"tools/lst"})", "3", -32601,
       R"(there is no method \"tools/lst\")"},
      {R"({"jsonrpc":"2.0","id":3,"method":"tools/call"})", "3", -32602,
       R"(\"name\" is the name of a tool)"},
      {R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"lab_rn"}})", "3", -32602,
       R"(unknown tool \"lab_rn\"; did you mean lab_run?)"},
      {R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"lab_run","arguments":7}})",
       "3", -32602, R"(\"arguments\" is an object)"},
      {"[]", "", -32600, "a batch has 1 to 100 messages"},
  };
  for (const WrongLine& wrong : kLines) {
    EXPECT_EQ(SendOne(wrong.line), Refusal(wrong.id, wrong.code, wrong.message)) << wrong.line;
  }
  const std::string deep = std::string(100'000, '[');
  for (const std::string& line :
       {std::string("{"), std::string("nonsense"), std::string("{\"a\":\"\xff\"}"), deep,
        R"({"jsonrpc":"2.0","id":)" + deep}) {
    const std::string answer = SendOne(line);
    EXPECT_EQ(answer.substr(0, 42), R"({"jsonrpc":"2.0","error":{"code":-32700,"m)");
    EXPECT_EQ(answer.find('\n'), answer.size() - 1);
  }
}

TEST_F(McpServerTest, ALineThatIsTooLongIsAnswered) {
  server_->ReceiveLong();
  EXPECT_EQ(Send({}), Refusal("", -32600, "a message has at most 8388608 bytes"));
}

TEST_F(McpServerTest, CallsThatTakeTooMuchMemoryAreRefused) {
  const std::string long_text(7 << 20, 'x');
  std::vector<std::string> lines;
  for (const char* const id : {"1", "2", "3", "4"}) {
    lines.push_back(
        std::string(R"({"jsonrpc":"2.0","id":)") + id +
        R"(,"method":"tools/call","params":{"name":"lab_explain","arguments":{"lab":")" +
        long_text + R"("}}})");
  }
  // They wait for a run that goes on until it is cancelled.
  lines.insert(lines.begin(), RunOf(StarterLab(), 1));
  lines.emplace_back(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"run"}})");
  const std::string answers = Send(lines);
  EXPECT_NE(answers.find(Refusal("4", -32603, "the calls under way take too much memory")),
            std::string::npos);
  EXPECT_NE(answers.find(R"({"jsonrpc":"2.0","id":3,"result":)"), std::string::npos);
}

TEST_F(McpServerTest, ABatchIsAnsweredByOne) {
  EXPECT_EQ(SendOne(R"([{"jsonrpc":"2.0","id":1,"method":"ping"},)"
                    R"({"jsonrpc":"2.0","method":"notifications/initialized"},)"
                    R"({"jsonrpc":"2.0","id":2,"method":"none"},3])"),
            R"([{"jsonrpc":"2.0","id":1,"result":{}},)"
            R"({"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"there is no method )"
            R"(\"none\""}},)"
            R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"a message is a JSON )"
            R"(object"}}])"
            "\n");
  EXPECT_EQ(SendOne(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])"), "");
  EXPECT_EQ(
      SendOne(
          R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"describe_tables"}},)"
          R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"describe_tables"}}])"),
      R"([{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"there are no tables\n"}],)"
      R"("isError":false}},)"
      R"({"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"there are no tables\n"}],)"
      R"("isError":false}}])"
      "\n");
}

TEST_F(McpServerTest, ResourcesAreListedAndRead) {
  const auto request = [this](const std::string& method, const std::string& params) {
    return SendOne(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params +
                   "}}");
  };
  const std::string list = request("resources/list", "");
  EXPECT_NE(list.find(R"({"resources":[{"uri":"hashrange://lab/reference","name":)"),
            std::string::npos);
  EXPECT_EQ(request("resources/templates/list", ""),
            R"({"jsonrpc":"2.0","id":1,"result":{"resourceTemplates":[]}})"
            "\n");
  const std::string read = request("resources/read", R"("uri":"hashrange://lab/reference")");
  EXPECT_TRUE(read.starts_with(
      R"({"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"hashrange://lab/reference",)"
      R"("mimeType":"text/markdown","text":"# )"))
      << read.substr(0, 200);
  EXPECT_NE(request("resources/read", R"("uri":"hashrange://lab/schema")").find("$schema"),
            std::string::npos);
  EXPECT_EQ(request("resources/read", R"("uri":"file:///etc/passwd")"),
            Refusal("1", -32002,
                    R"(there is no resource \"file:///etc/passwd\"; resources/list has all)"));
  EXPECT_EQ(request("resources/read", R"("uri":7)"),
            Refusal("1", -32602, R"(\"uri\" is the URI of a resource)"));
  EXPECT_EQ(request("resources/read", Stateless() + R"(,"uri":"x:y")"),
            Refusal("1", -32602, R"(there is no resource \"x:y\"; resources/list has all)"));
  EXPECT_NE(request("resources/list", Stateless())
                .find(R"(],"ttlMs":3600000,"cacheScope":"public","resultType":"complete")"),
            std::string::npos);
}

TEST_F(McpServerTest, StatelessRequestsNeedNoHandshake) {
  EXPECT_EQ(SendOne(R"({"jsonrpc":"2.0","id":"d","method":"server/discover","params":{)" +
                    Stateless() + "}}"),
            R"({"jsonrpc":"2.0","id":"d","result":{"supportedVersions":["2026-07-28","2025-11-25",)"
            R"("2025-06-18","2025-03-26","2024-11-05"],"capabilities":{"tools":{},"resources":{}},)"
            R"("instructions":"Use the tools.","ttlMs":3600000,"cacheScope":"public",)"
            R"("resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":)" +
                std::string(kServerInfo) + "}}}\n");
  EXPECT_EQ(SendOne(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{)" + Stateless() +
                    R"(,"name":"describe_tables"}})"),
            R"({"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"there are no )"
            R"(tables\n"}],"isError":false,"resultType":"complete","_meta":)"
            R"({"io.modelcontextprotocol/serverInfo":)" +
                std::string(kServerInfo) + "}}}\n");
  const std::string list =
      SendOne(R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{)" + Stateless() + "}}");
  EXPECT_NE(list.find(R"(],"ttlMs":3600000,"cacheScope":"public","resultType":"complete")"),
            std::string::npos);
}

TEST_F(McpServerTest, StatelessRequestsAreChecked) {
  const auto call = [this](const std::string& method, const std::string& meta) {
    return SendOne(R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + meta +
                   "}}");
  };
  EXPECT_EQ(call("tools/list", R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01",)"
                               R"("io.modelcontextprotocol/clientCapabilities":{}})"),
            R"({"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol )"
            R"(version","data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26",)"
            R"("2024-11-05"],"requested":"2027-01-01"}}})"
            "\n");
  const std::string lacks_capabilities =
      Refusal("1", -32602,
              R"(\"_meta\" lacks \"io.modelcontextprotocol/clientCapabilities\", )"
              "which is an object");
  EXPECT_EQ(
      call("tools/list", R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})"),
      lacks_capabilities);
  const std::string lacks_version =
      Refusal("1", -32602, R"(\"_meta\" lacks \"io.modelcontextprotocol/protocolVersion\")");
  EXPECT_EQ(call("server/discover", ""), lacks_version);
  EXPECT_EQ(call("tools/list", R"("_meta":{"io.modelcontextprotocol/clientCapabilities":{}})"),
            lacks_version);
  EXPECT_EQ(call("tools/list", R"("_meta":7)"), Refusal("1", -32602, R"(\"_meta\" is an object)"));
  // The revision has no such methods.
  for (const std::string method : {"ping", "initialize"}) {
    EXPECT_EQ(call(method, Stateless()),
              Refusal("1", -32601, R"(there is no method \")" + method + "\\\""));
  }
}

TEST_F(McpServerTest, ASubscriptionIsOpenUntilTheEndOrUntilItIsCancelled) {
  const std::string listen =
      R"({"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{)" + Stateless() +
      R"(,"notifications":{"toolsListChanged":true}}})";
  const std::string acknowledged =
      R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":)"
      R"({"_meta":{"io.modelcontextprotocol/subscriptionId":"s"},"notifications":{}}})"
      "\n";
  EXPECT_EQ(Send({listen, listen}),
            acknowledged + Refusal(R"("s")", -32600, "a request with this id is under way") +
                R"({"jsonrpc":"2.0","id":"s","result":{"resultType":"complete","_meta":)"
                R"({"io.modelcontextprotocol/subscriptionId":"s",)"
                R"("io.modelcontextprotocol/serverInfo":)" +
                kServerInfo + "}}}\n");
  EXPECT_EQ(Send({listen, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":)"
                          R"({"requestId":"s"}})"}),
            acknowledged);
}

TEST_F(McpServerTest, WhatHasNoIdIsNotAnswered) {
  EXPECT_EQ(Send({R"({"jsonrpc":"2.0","method":7})", R"({"method":"ping"})", "{}",
                  R"({"result":{}})", R"({"jsonrpc":"2.0","id":null,"error":{"code":1}})"}),
            "");
  EXPECT_EQ(SendOne(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":null})"),
            R"({"jsonrpc":"2.0","id":1,"result":{}})"
            "\n");
}

TEST_F(McpServerTest, ErrorsOfEarlierRevisionsHaveTheIdNull) {
  const std::string answers = Send({R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":)"
                                    R"({"protocolVersion":"2025-06-18"}})",
                                    "7"});
  EXPECT_EQ(answers,
            Initialized("2025-06-18") + Refusal("null", -32600, "a message is a JSON object"));
}

TEST_F(McpServerTest, WrongArgumentsAreAToolsError) {
  EXPECT_EQ(SendOne(CallOf("describe_tables", R"({"tabel":"a"})")),
            R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"unknown )"
            R"(argument \"tabel\"; did you mean table?"}],"isError":true}})"
            "\n");
}

TEST_F(McpServerTest, ALongRunTellsItsProgressAndCanBeCancelled) {
  const std::string lab = StarterLab();
  server_->Receive(RunOf(lab, 1));
  server_->Receive(RunOf(lab, 1));
  server_->Receive(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"run"}})");
  // Other calls are answered while it runs, and its id is not used twice.
  const std::string cancelled = SendOne(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  EXPECT_NE(cancelled.find(R"({"jsonrpc":"2.0","id":2,"result":{}})"), std::string::npos);
  EXPECT_NE(cancelled.find(Refusal(R"("run")", -32600, "a request with this id is under way")),
            std::string::npos);
  EXPECT_EQ(cancelled.find(R"("id":"run","result")"), std::string::npos);

  server_->Receive(RunOf(lab, 100));
  const auto is_answered = [this] {
    std::lock_guard lock(mutex_);
    return !messages_.empty() && messages_.back().find(R"("id":"run")") != std::string::npos;
  };
  while (!is_answered()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const std::string whole = Send({});
  EXPECT_EQ(whole.find(R"({"jsonrpc":"2.0","method":"notifications/progress","params":)"
                       R"({"progressToken":"p","progress":0.)"),
            0u);
  EXPECT_NE(whole.find(R"("structuredContent":{"verdict":"Take )"), std::string::npos);
  EXPECT_NE(whole.find(R"("was_stopped":false)"), std::string::npos);
}

// An endpoint that does not answer until it is let go.
class HangingTarget : public AgentTarget {
 public:
  std::string Description() const override { return "an endpoint that hangs"; }
  std::string Account() const override { return ""; }
  std::string Region() const override { return "us-east-1"; }
  Answer Call(std::string_view, std::string_view) override {
    let_go.get_future().wait();
    return {.status = 0, .body = "no answer"};
  }
  Result<std::string> Control(std::string_view, std::string_view, std::string_view) override {
    return ValidationError("no answer");
  }

  std::promise<void> let_go;
};

TEST_F(McpServerTest, AnEndpointThatHangsBlocksNoOtherToolsAndNotTheEnd) {
  HangingTarget target;
  ToolPlace place{target, reports_};
  std::promise<std::string> first;
  std::atomic<int> answers = 0;
  McpServer server(place, tools_, {}, [&](std::string_view message) {
    if (++answers == 1) first.set_value(std::string(message));
  });
  server.Receive(CallOf("dynamodb_read", R"({"operation":"ListTables","input":{}})"));
  server.Receive(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":)"
                 R"("lab_validate"}})");
  EXPECT_EQ(first.get_future().get(),
            R"({"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"give either )"
            R"(\"path\" or \"lab\", the text of a lab file"}],"isError":true}})");
  EXPECT_FALSE(server.Finish(std::chrono::milliseconds(1)));
  target.let_go.set_value();
  EXPECT_TRUE(server.Finish(std::chrono::minutes(5)));
  EXPECT_EQ(answers, 2);
}

// A Hashrange that begins measurements, and fails to end them.
class UnendingTarget : public AgentTarget {
 public:
  std::string Description() const override { return "a server"; }
  std::string Account() const override { return "111122223333"; }
  std::string Region() const override { return "us-east-1"; }
  Answer Call(std::string_view, std::string_view) override { return {.status = 200, .body = "{}"}; }
  Result<std::string> Control(std::string_view method, std::string_view path,
                              std::string_view) override {
    calls.push_back(std::string(method) + " " + std::string(path));
    if (method == "POST") return std::string("{}");
    return ValidationError("no answer");
  }

  std::vector<std::string> calls;
};

TEST_F(McpServerTest, AMeasurementOfStoredItemsIsEndedInAnyCase) {
  UnendingTarget target;
  ToolPlace place{target, reports_};
  McpServer server(place, tools_, {}, [](std::string_view) {});
  server.Receive(CallOf("describe_tables", R"({"table":"a"})"));
  EXPECT_TRUE(server.Finish(std::chrono::minutes(5)));
  ASSERT_EQ(target.calls.size(), 3u);
  EXPECT_EQ(target.calls[0], "POST measurements");
  EXPECT_EQ(target.calls[1].substr(0, 36), "DELETE measurements/describe-tables-");
  EXPECT_EQ(target.calls[1].size(), 36u + 16u);
  EXPECT_EQ(target.calls[2], target.calls[1]);
}

TEST_F(ReadOnlyMcpServer, ToolsThatChangeAnythingAreNotThere) {
  const std::string list = SendOne(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  EXPECT_EQ(list.find("\"readOnlyHint\":false"), std::string::npos);
  EXPECT_NE(list.find("\"readOnlyHint\":true"), std::string::npos);
  for (const std::string tool : {"dynamodb_call", "reset_tables", "measurement_start",
                                 "measurement_stop", "seed_tables", "snapshot_restore"}) {
    EXPECT_EQ(SendOne(CallOf(tool, "{}")),
              Refusal("1", -32602, tool + " is not offered: the server is read-only"));
  }
}

TEST_F(McpServerTest, EachToolSaysWhatItTakes) {
  const std::string list = SendOne(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  EXPECT_EQ(list.substr(0, 55), R"({"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"dyn)");
  EXPECT_NE(
      list.find(
          R"("inputSchema":{"type":"object","properties":{"name":{"type":"string","description":)"
          R"("Up to 100 letters, digits, '-', '_' and '.'","minLength":1}},"required":["name"],)"
          R"("additionalProperties":false},"annotations":{"readOnlyHint":false,)"
          R"("destructiveHint":true,"idempotentHint":true,"openWorldHint":false}})"),
      std::string::npos);
}

}  // namespace
}  // namespace hashrange
