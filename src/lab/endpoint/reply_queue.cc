#include "lab/endpoint/reply_queue.h"

#include <utility>

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

}  // namespace hashrange
