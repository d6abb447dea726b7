#include "server/http/long_calls.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "base/log.h"

namespace hashrange {
namespace {

// What the calls that wait for one thread may take in all.
constexpr std::int64_t kMaxWaitingBytes = 16 << 20;
// What a waiting call takes beside its request.
constexpr std::size_t kBytesOfCall = 4 << 10;

// Appends texts to one string, and makes views of them when all of them are there.
class TextCopier {
 public:
  explicit TextCopier(std::string* bytes) : bytes_(bytes) {}

  void Add(std::string_view* text) {
    texts_.push_back({text, bytes_->size()});
    bytes_->append(*text);
  }
  void Add(std::optional<std::string_view>* text) {
    if (*text) Add(&**text);
  }
  void MakeViews() {
    for (const Text& each : texts_) *each.text = {bytes_->data() + each.begin, each.text->size()};
  }

 private:
  struct Text {
    std::string_view* text;
    std::size_t begin;
  };
  std::string* const bytes_;
  std::vector<Text> texts_;
};

}  // namespace

OwnedRequest::OwnedRequest(const HttpRequest& request, const std::string& body)
    : request_(request) {
  TextCopier copier(&bytes_);
  for (std::string_view* text :
       {&request_.path, &request_.query, &request_.host, &request_.content_type,
        &request_.api_target, &request_.pattern, &request_.user_agent}) {
    copier.Add(text);
  }
  for (auto* text : {&request_.authorization, &request_.requested_headers,
                     &request_.requested_method, &request_.origin, &request_.fetch_site}) {
    copier.Add(text);
  }
  const std::size_t body_begin = bytes_.size();
  bytes_.append(body).push_back('\0');  // the byte behind the body may be overwritten, too
  copier.MakeViews();
  request_.body = {bytes_.data() + body_begin, body.size()};
  request_.may_leave = false;
}

LongCalls::LongCalls(int threads) {
  for (int i = 0; i < threads; ++i) {
    queues_.push_back(std::make_unique<WorkQueue>(WorkQueue::Options{
        .name = "a long call", .max_waiting_bytes = kMaxWaitingBytes, .is_low_priority = true}));
  }
}

void LongCalls::Stop() {
  for (const auto& queue : queues_) queue->Stop();
}

bool LongCalls::Post(std::size_t size_bytes, std::function<void()> work) {
  // The queue in which least waits; among equal ones the next in turn.
  const std::size_t first = next_.fetch_add(1, std::memory_order_relaxed);
  WorkQueue* least = nullptr;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    WorkQueue* const queue = queues_[(first + i) % queues_.size()].get();
    if (!least || queue->waiting_bytes() < least->waiting_bytes()) least = queue;
  }
  const auto guarded = [work = std::move(work)] {
    // A WorkQueue repeats work that has thrown, but a call is made once.
    try {
      work();
    } catch (const std::exception& failure) {
      Log(LogLevel::kError, failure.what());
    }
  };
  return least->Post(guarded, {.size_bytes = static_cast<std::int64_t>(size_bytes + kBytesOfCall)});
}

}  // namespace hashrange
