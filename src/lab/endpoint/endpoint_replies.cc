#include "lab/endpoint/endpoint_replies.h"

#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/memory/arena.h"
#include "wire/json.h"
#include "wire/owned_json.h"

namespace hashrange {

void ReplyQueue::Push(QueuedReply reply) {
  {
    const std::lock_guard lock(mutex_);
    replies_.push_back(std::move(reply));
  }
  came_.notify_one();
}

std::optional<QueuedReply> ReplyQueue::TakeUntil(Instant end) {
  std::unique_lock lock(mutex_);
  if (!came_.wait_until(lock, end, [this] { return !replies_.empty(); })) return std::nullopt;
  return TakeFront();
}

std::optional<QueuedReply> ReplyQueue::TakeIfBefore(Instant end) {
  const std::lock_guard lock(mutex_);
  if (replies_.empty() || replies_.front().came >= end) return std::nullopt;
  return TakeFront();
}

QueuedReply ReplyQueue::TakeFront() {
  QueuedReply reply = std::move(replies_.front());
  replies_.pop_front();
  return reply;
}

void SendInto(const std::shared_ptr<ReplyQueue>& queue, std::uint64_t request,
              std::string_view operation, std::string json, ServiceClient& client) {
  client.Send(operation, std::move(json), [queue, request](ServiceReply reply) {
    queue->Push({request, std::chrono::steady_clock::now(), std::move(reply)});
  });
}

namespace {

using Type = JsonValue::Type;

// In a document, numbers keep their text.
template <typename Number>
Number NumberOf(const JsonValue& json) {
  Number number = 0;
  if (json.type != Type::kNumberText) return number;
  const std::string_view text = json.string();
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Adds the units of a ConsumedCapacity, or of a list of them; returns whether there were any.
bool AddUnits(const JsonValue& json, double& units) {
  if (json.type == Type::kArray) {
    bool has_any = false;
    for (const JsonValue& one : json.elements()) has_any = AddUnits(one, units) || has_any;
    return has_any;
  }
  if (json.type != Type::kObject) return false;
  if (json.Find("VectorSearchRequestBytes") != nullptr) return true;  // a search takes no units
  const JsonValue* const own = json.Find("CapacityUnits");
  if (own == nullptr) return false;
  units += NumberOf<double>(*own);
  return true;
}

// Returns the bytes of vectors of a ConsumedCapacity, or of a list of them.
double VectorBytesOf(const JsonValue& json) {
  double bytes = 0;
  if (json.type == Type::kArray) {
    for (const JsonValue& one : json.elements()) bytes += VectorBytesOf(one);
  }
  if (json.type != Type::kObject) return bytes;
  if (const JsonValue* const own = json.Find("VectorSearchRequestBytes")) {
    bytes += NumberOf<double>(*own);
  }
  const JsonValue* const indexes = json.Find("VectorIndexes");
  if (indexes == nullptr || indexes->type != Type::kObject) return bytes;
  for (const JsonMember& index : indexes->members()) {
    const JsonValue* const own =
        index.value.type == Type::kObject ? index.value.Find("VectorWriteRequestBytes") : nullptr;
    if (own != nullptr) bytes += NumberOf<double>(*own);
  }
  return bytes;
}

// Returns how many items "Responses" has: of TransactGetItems a list of objects, which are empty
// where there is no item; of BatchGetItem lists by table.
std::uint64_t ItemsInResponses(const JsonValue& json) {
  std::uint64_t items = 0;
  if (json.type == Type::kArray) {
    for (const JsonValue& one : json.elements()) {
      items += one.type == Type::kObject && one.Find("Item") != nullptr ? 1 : 0;
    }
  } else if (json.type == Type::kObject) {
    for (const JsonMember& table : json.members()) {
      if (table.value.type == Type::kArray) items += table.value.size;
    }
  }
  return items;
}

bool IsFilledObject(const JsonValue& json) { return json.type == Type::kObject && json.size > 0; }

}  // namespace

EndpointAnswer::EndpointAnswer(const ServiceReply& reply) {
  answer_.kind = KindOfLabAnswer(reply.status, reply.error, reply.message);
  if (answer_.kind == LabAnswer::Kind::kOk) ReadSuccess(reply.body);
}

void EndpointAnswer::ReadSuccess(const std::string& body) {
  Arena arena;
  std::string text = body;
  const auto json = ParseJsonData(text, JsonDialect::kDocument, arena);
  if (!json.ok() || (*json)->type != Type::kObject) {
    answer_.kind = LabAnswer::Kind::kBroken;
    return;
  }
  bool has_count = false;
  for (const JsonMember& member : (*json)->members()) {
    const JsonValue& value = member.value;
    if (member.name == "ConsumedCapacity") {
      has_units_ = AddUnits(value, answer_.units);
      answer_.vector_bytes = VectorBytesOf(value);
    } else if (member.name == "LastEvaluatedKey" && IsFilledObject(value)) {
      last_evaluated_key_ = JsonText(value);
    } else if ((member.name == "UnprocessedKeys" || member.name == "UnprocessedItems") &&
               IsFilledObject(value)) {
      unprocessed_ = JsonText(value);
    } else if (member.name == "Count") {
      answer_.items = NumberOf<std::uint64_t>(value);
      has_count = true;
    } else if ((member.name == "Items" || member.name == "SearchResults") &&
               value.type == Type::kArray && !has_count) {
      answer_.items = value.size;
    } else if (member.name == "Item" && value.type == Type::kObject) {
      answer_.items = 1;
    } else if (member.name == "Responses") {
      answer_.items = ItemsInResponses(value);
    }
  }
  answer_.last_evaluated_key = last_evaluated_key_;
  answer_.unprocessed = unprocessed_;
}

}  // namespace hashrange
