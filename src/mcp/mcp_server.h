// McpServer: the Model Context Protocol without its streams. Lines come in, and lines go out:
//
//   Receive ─┬─ initialize, ping, tools/list, server/discover ──────────────▶ write
//            ├─ tools/call ─┬─ a lane for tools that need no tables ────────▶ write
//            │              ├─ a lane for those that do, one after another ─▶ write
//            │              └─ a lane for those that take long ─────────────▶ write
//            └─ notifications/cancelled ── sets the call's `stop`
//
// A request gets one answer, unless it is cancelled; a notification gets none. Receive, ReceiveLong
// and Finish are called by one thread. `write` is called by any thread, by one at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "mcp/call_lane.h"
#include "mcp/mcp_messages.h"
#include "mcp/tool.h"

namespace hashrange {

class McpServer {
 public:
  // A longer line is refused.
  static constexpr std::size_t kMostLineBytes = 8 << 20;
  // While the lines of calls under way have more bytes together, further calls are refused.
  static constexpr std::size_t kMostHeldBytes = 24 << 20;
  // The most messages of one batch.
  static constexpr std::size_t kMostBatch = 100;

  // Sends one message, without its line end.
  using Write = std::function<void(std::string_view message)>;

  // The place and the tools outlive the server.
  McpServer(ToolPlace& place, const ToolTable& tools, McpIdentity identity, Write write);
  ~McpServer();
  McpServer(const McpServer&) = delete;
  McpServer& operator=(const McpServer&) = delete;

  // Takes one line, without its line end: a message, or a batch of them.
  void Receive(std::string line);
  // Answers a line that is longer than kMostLineBytes, of which nothing is kept.
  void ReceiveLong();
  // Stops the calls that take long, and returns true when every call is answered; false, when that
  // takes longer than `wait`, as an endpoint may not answer. No line follows.
  bool Finish(std::chrono::milliseconds wait);
  // Stops all calls as soon as they can be stopped. Any thread.
  void StopCalls();

 private:
  struct Line;     // the text of a line, and its JSON
  struct Replies;  // the answers to the messages of one batch
  struct OpenCall;
  // What one message needs until it is answered.
  struct Origin {
    std::shared_ptr<Line> line;
    std::shared_ptr<Replies> batch;  // null: the message stands alone
  };

  void Handle(const JsonValue& json, const Origin& origin);
  void HandleRequest(const RpcMessage& message, const Origin& origin);
  void HandleNotification(const RpcMessage& message);
  void ReadResource(const RpcMessage& message, const RequestMeta& meta, const Origin& origin);
  void CallTool(const RpcMessage& message, const RequestMeta& meta, const Origin& origin);
  CallLane& LaneOf(const Tool& tool);
  void RunTool(OpenCall& call);
  void Listen(const RpcMessage& message, const Origin& origin);
  // Sends an answer, or keeps it until all messages of its batch are answered. Empty: there is
  // none.
  void Reply(const Origin& origin, std::string answer);
  // Answers a message whose id is not known.
  std::string ErrorWithoutId(RpcCode code, const std::string& why) const;
  void Send(std::string_view message);

  ToolPlace& place_;
  const ToolTable& tools_;
  const McpIdentity identity_;
  bool has_null_ids_ = false;  // of the revision that the client has begun with
  // The ids of subscriptions that are open. Used by the thread that receives.
  std::set<std::string> subscriptions_;
  std::mutex writing_;  // held to write
  const Write write_;
  std::atomic<std::size_t> held_bytes_{0};                  // of the lines that are not done
  std::mutex mutex_;                                        // guards what follows
  std::map<std::string, std::shared_ptr<OpenCall>> calls_;  // by id
  bool is_stopping_ = false;
  CallLane quick_;
  CallLane tables_;
  CallLane long_;
};

}  // namespace hashrange
