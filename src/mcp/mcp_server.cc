#include "mcp/mcp_server.h"

#include <chrono>
#include <exception>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/memory/arena.h"
#include "mcp/report_folder.h"
#include "measure/report/readable_text.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

using std::chrono::steady_clock;

constexpr JsonValue kNoArguments = [] {
  JsonValue none;
  none.type = JsonValue::Type::kObject;
  return none;
}();
// A client is told of the progress of a call this often at most.
constexpr std::chrono::milliseconds kProgressInterval{500};
// Of a wrong name, an answer repeats that many characters.
constexpr std::size_t kLongestName = 200;

std::string FailureText(std::string_view id, const RpcFailure& failure) {
  return RpcError(id, failure.code, failure.message, failure.data);
}

// Bounds what an agent gets, whichever tool has made it.
void BoundResult(ReportFolder& reports, Result<ToolResult>& result) {
  // Room for the line that says what was cut.
  constexpr std::size_t kMost = kMostResultBytes - 500;
  if (!result.ok()) {
    Error error = result.error();
    if (error.message.size() <= kMostResultBytes) return;
    error.message = BoundedText(std::move(error.message), reports, "error.txt", kMost);
    result = std::move(error);
    return;
  }
  if (result->text.size() > kMostResultBytes) {
    result->text = BoundedText(std::move(result->text), reports, "answer.txt", kMost);
  }
  if (result->structured.size() > kMostStructuredBytes) result->structured.clear();
}

// Sends the progress of one call.
class ProgressNotes {
 public:
  ProgressNotes(std::string token, std::function<void(std::string_view)> send)
      : token_(std::move(token)), send_(std::move(send)) {}

  void Note(double done) {
    if (token_.empty()) return;
    std::lock_guard lock(mutex_);
    const auto now = steady_clock::now();
    // The figure has to rise with each notification.
    if (done <= last_ || (last_ > 0 && now - sent_ < kProgressInterval)) return;
    last_ = done;
    sent_ = now;
    send_(RpcNotification("notifications/progress", JsonObjectText([&](JsonWriter& writer) {
                            writer.RawMember("progressToken", token_);
                            writer.DoubleMember("progress", done);
                            writer.IntegerMember("total", 1);
                          })));
  }

 private:
  const std::string token_;
  const std::function<void(std::string_view)> send_;
  std::mutex mutex_;
  double last_ = 0;
  steady_clock::time_point sent_;
};

}  // namespace

struct McpServer::Line {
  Line(std::string received, std::atomic<std::size_t>& held)
      : text(std::move(received)), size(text.size()), held_bytes(held) {
    held_bytes += size;
  }
  ~Line() { held_bytes -= size; }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  std::string text;
  Arena arena;
  const std::size_t size;
  std::atomic<std::size_t>& held_bytes;
};

struct McpServer::Replies {
  std::mutex mutex;
  std::size_t left = 0;  // messages that are not done
  std::vector<std::string> answers = {};
};

struct McpServer::OpenCall {
  std::string id;
  Origin origin;
  RequestMeta meta;
  const Tool* tool = nullptr;
  const JsonValue* arguments = &kNoArguments;
  std::atomic<bool> stop{false};
  std::atomic<bool> is_cancelled{false};  // nobody waits for the answer
};

McpServer::McpServer(ToolPlace& place, const ToolTable& tools, McpIdentity identity, Write write)
    : place_(place), tools_(tools), identity_(std::move(identity)), write_(std::move(write)) {}

// The lanes end after their tasks.
McpServer::~McpServer() { StopCalls(); }

void McpServer::Send(std::string_view message) {
  std::lock_guard lock(writing_);
  write_(message);
}

void McpServer::Reply(const Origin& origin, std::string answer) {
  if (!origin.batch) {
    if (!answer.empty()) Send(answer);
    return;
  }
  Replies& replies = *origin.batch;
  std::unique_lock lock(replies.mutex);
  if (!answer.empty()) replies.answers.push_back(std::move(answer));
  if (--replies.left > 0 || replies.answers.empty()) return;
  std::string all = "[";
  for (const std::string& each : replies.answers)
    all.append(all.size() > 1 ? "," : "").append(each);
  lock.unlock();
  Send(all + "]");
}

std::string McpServer::ErrorWithoutId(RpcCode code, const std::string& why) const {
  return RpcError(has_null_ids_ ? "null" : "", code, why);
}

void McpServer::ReceiveLong() {
  Send(ErrorWithoutId(RpcCode::kInvalidRequest,
                      "a message has at most " + std::to_string(kMostLineBytes) + " bytes"));
}

void McpServer::Receive(std::string text) {
  if (text.find_first_not_of(" \t\r") == std::string::npos) return;
  const auto line = std::make_shared<Line>(std::move(text), held_bytes_);
  line->text.push_back('\0');
  const auto json =
      ParseJsonData({line->text.data(), line->size}, JsonDialect::kDocument, line->arena);
  if (!json.ok()) {
    return Send(
        ErrorWithoutId(RpcCode::kParseError, "the line is not JSON: " + json.error().message));
  }
  if ((*json)->type != JsonValue::Type::kArray) return Handle(**json, {line, nullptr});
  const auto messages = (*json)->elements();
  if (messages.empty() || messages.size() > kMostBatch) {
    return Send(ErrorWithoutId(RpcCode::kInvalidRequest,
                               "a batch has 1 to " + std::to_string(kMostBatch) + " messages"));
  }
  const auto batch = std::make_shared<Replies>();
  batch->left = messages.size();
  for (const JsonValue& message : messages) Handle(message, {line, batch});
}

void McpServer::Handle(const JsonValue& json, const Origin& origin) {
  const RpcMessage message = ReadRpcMessage(json);
  switch (message.kind) {
    case RpcMessage::Kind::kInvalid:
      return Reply(origin, message.id.empty()
                               ? ErrorWithoutId(RpcCode::kInvalidRequest, message.complaint)
                               : RpcError(message.id, RpcCode::kInvalidRequest, message.complaint));
    case RpcMessage::Kind::kResponse:
      return Reply(origin, "");
    case RpcMessage::Kind::kNotification:
      HandleNotification(message);
      return Reply(origin, "");
    case RpcMessage::Kind::kRequest:
      break;
  }
  HandleRequest(message, origin);
}

void McpServer::HandleRequest(const RpcMessage& message, const Origin& origin) {
  RequestMeta meta;
  if (const auto failure = ReadRequestMeta(message.method, message.params, &meta)) {
    return Reply(origin, FailureText(message.id, *failure));
  }
  const auto answer = [&](const std::string& result) {
    Reply(origin, RpcResult(message.id, result));
  };
  if (message.method == "tools/call") return CallTool(message, meta, origin);
  if (message.method == "tools/list") return answer(ToolListResult(identity_, tools_, meta));
  if (message.method == "resources/list") return answer(ResourceListResult(identity_, meta));
  if (message.method == "resources/templates/list") {
    return answer(ResourceTemplateListResult(identity_, meta));
  }
  if (message.method == "resources/read") return ReadResource(message, meta, origin);
  if (message.method == "server/discover") return answer(DiscoverResult(identity_));
  if (meta.is_stateless && message.method == "subscriptions/listen") {
    return Listen(message, origin);
  }
  // The stateless revision has neither of these.
  if (!meta.is_stateless && message.method == "ping") return answer("{}");
  if (!meta.is_stateless && message.method == "initialize") {
    const JsonValue* const revision =
        message.params ? message.params->Find("protocolVersion") : nullptr;
    if (revision && revision->type == JsonValue::Type::kString) {
      has_null_ids_ = HasNullIds(revision->string());
      return answer(InitializeResult(identity_, revision->string()));
    }
    return Reply(origin, RpcError(message.id, RpcCode::kInvalidParams,
                                  "\"protocolVersion\" is a text such as \"2025-11-25\""));
  }
  Reply(origin,
        RpcError(message.id, RpcCode::kMethodNotFound,
                 "there is no method \"" + ClippedText(message.method, kLongestName) + "\""));
}

void McpServer::ReadResource(const RpcMessage& message, const RequestMeta& meta,
                             const Origin& origin) {
  const JsonValue* const uri = message.params ? message.params->Find("uri") : nullptr;
  if (!uri || uri->type != JsonValue::Type::kString) {
    return Reply(origin,
                 RpcError(message.id, RpcCode::kInvalidParams, "\"uri\" is the URI of a resource"));
  }
  if (const auto result = ResourceResult(identity_, uri->string(), meta)) {
    return Reply(origin, RpcResult(message.id, *result));
  }
  Reply(origin, RpcError(message.id,
                         meta.is_stateless ? RpcCode::kInvalidParams : RpcCode::kResourceNotFound,
                         "there is no resource \"" + ClippedText(uri->string(), kLongestName) +
                             "\"; resources/list has all"));
}

// Nothing of the server changes while it runs, so no notification follows the first. The request is
// answered when the server ends.
void McpServer::Listen(const RpcMessage& message, const Origin& origin) {
  constexpr std::size_t kMostSubscriptions = 100;
  const auto refuse = [&](const std::string& why) {
    Reply(origin, RpcError(message.id, RpcCode::kInvalidRequest, why));
  };
  if (subscriptions_.contains(message.id)) return refuse("a request with this id is under way");
  if (subscriptions_.size() >= kMostSubscriptions) return refuse("too many subscriptions are open");
  subscriptions_.insert(message.id);
  Send(RpcNotification("notifications/subscriptions/acknowledged",
                       R"({"_meta":{"io.modelcontextprotocol/subscriptionId":)" + message.id +
                           R"(},"notifications":{}})"));
  Reply(origin, "");
}

void McpServer::HandleNotification(const RpcMessage& message) {
  if (message.method != "notifications/cancelled" || !message.params) return;
  const JsonValue* const id = message.params->Find("requestId");
  if (!id) return;
  subscriptions_.erase(RpcIdText(*id));
  std::lock_guard lock(mutex_);
  const auto found = calls_.find(RpcIdText(*id));
  if (found == calls_.end()) return;
  found->second->is_cancelled = true;
  found->second->stop = true;
}

void McpServer::CallTool(const RpcMessage& message, const RequestMeta& meta, const Origin& origin) {
  const auto refuse = [&](RpcCode code, const std::string& why) {
    Reply(origin, RpcError(message.id, code, why));
  };
  const JsonValue* const name = message.params ? message.params->Find("name") : nullptr;
  if (!name || name->type != JsonValue::Type::kString) {
    return refuse(RpcCode::kInvalidParams, "\"name\" is the name of a tool");
  }
  const Tool* const tool = tools_.Find(name->string());
  if (!tool)
    return refuse(RpcCode::kInvalidParams,
                  tools_.UnknownToolSentence(ClippedText(name->string(), kLongestName)));
  const JsonValue* arguments = message.params->Find("arguments");
  if (!arguments || arguments->is_null()) arguments = &kNoArguments;
  if (arguments->type != JsonValue::Type::kObject) {
    return refuse(RpcCode::kInvalidParams, "\"arguments\" is an object");
  }
  if (held_bytes_ > kMostHeldBytes) {
    return refuse(RpcCode::kInternalError, "the calls under way take too much memory");
  }
  const auto call = std::make_shared<OpenCall>();
  call->id = message.id;
  call->origin = origin;
  call->meta = meta;
  call->tool = tool;
  call->arguments = arguments;
  {
    std::lock_guard lock(mutex_);
    if (!calls_.try_emplace(call->id, call).second) {
      return refuse(RpcCode::kInvalidRequest, "a request with this id is under way");
    }
    if (is_stopping_) call->stop = true;
  }
  if (LaneOf(*tool).Post([this, call] { RunTool(*call); })) return;
  {
    std::lock_guard lock(mutex_);
    calls_.erase(call->id);
  }
  refuse(RpcCode::kInternalError, "too many calls are waiting");
}

CallLane& McpServer::LaneOf(const Tool& tool) {
  if (tool.takes_long) return long_;
  return tool.needs_tables ? tables_ : quick_;
}

void McpServer::RunTool(OpenCall& call) {
  const std::string id = call.id;
  ProgressNotes notes(call.meta.progress_token, [this, &call](std::string_view note) {
    if (!call.is_cancelled) Send(note);
  });
  const std::function<void(double)> progress = [&notes](double done) { notes.Note(done); };
  const auto run = [&]() -> Result<ToolResult> {
    HR_RETURN_IF_ERROR(CheckArguments(*call.arguments, call.tool->arguments));
    ObjectReader arguments(*call.arguments, "");
    ToolCall tool_call{arguments, place_, call.stop, progress};
    return call.tool->function(tool_call);
  };
  Result<ToolResult> result = ToolResult();
  try {
    if (!call.is_cancelled) result = run();
  } catch (const std::exception& exception) {
    Log(LogLevel::kError, std::string(call.tool->name) + " threw: " + exception.what());
    result = InternalError("the tool has failed: there may be too little memory");
  }
  BoundResult(place_.reports, result);
  std::string answer = RpcResult(id, ToolCallResult(identity_, result, call.meta));
  {
    std::lock_guard lock(mutex_);
    if (call.is_cancelled) answer.clear();
    calls_.erase(id);
  }
  Reply(call.origin, std::move(answer));
}

void McpServer::StopCalls() {
  std::lock_guard lock(mutex_);
  is_stopping_ = true;
  for (const auto& [id, call] : calls_) call->stop = true;
}

bool McpServer::Finish(std::chrono::milliseconds wait) {
  {
    std::lock_guard lock(mutex_);
    for (const auto& [id, call] : calls_) {
      if (call->tool->takes_long) call->stop = true;
    }
  }
  for (const std::string& id : subscriptions_) {
    Send(RpcResult(id, SubscriptionResult(identity_, id)));
  }
  subscriptions_.clear();
  const auto then = steady_clock::now() + wait;
  bool is_answered = true;
  for (CallLane* const lane : {&quick_, &tables_, &long_}) {
    is_answered = lane->FinishUntil(then) && is_answered;
  }
  return is_answered;
}

}  // namespace hashrange
