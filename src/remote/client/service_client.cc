#include "remote/client/service_client.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <ctime>
#include <exception>
#include <future>
#include <list>
#include <mutex>
#include <thread>
#include <utility>

#include "base/checksums.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/text/parse_whole.h"
#include "remote/client/http_connection.h"
#include "remote/client/retry_rules.h"
#include "remote/client/sigv4.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

namespace asio = boost::asio;
using std::chrono::duration_cast;
using std::chrono::microseconds;

// A clock that is off by less is accepted by the service.
constexpr std::int64_t kTolerableSkewMs = 4 * 60 * 1000;
constexpr std::chrono::milliseconds kStopIsNoticedAfter{20};
constexpr std::chrono::seconds kWaitAfterStop{1};

RetryKind RetryKindAfter(HttpFailure::Kind failure) {
  switch (failure) {
    case HttpFailure::Kind::kCertificate:
      return RetryKind::kNever;
    case HttpFailure::Kind::kTimeout:
      return RetryKind::kTimeout;
    case HttpFailure::Kind::kStale:
      return RetryKind::kStale;
    default:
      return RetryKind::kTransient;
  }
}

// A name becomes a part of a header.
bool IsOperationName(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  });
}

// Returns whether the service refuses a request because of its time.
bool IsAboutTime(const ServiceReply& reply) {
  if (reply.error == "RequestTimeTooSkewed") return true;
  return reply.error == "InvalidSignatureException" &&
         (reply.message.starts_with("Signature expired") ||
          reply.message.starts_with("Signature not yet current"));
}

constexpr std::string_view kStreamOperations[] = {"DescribeStream", "GetRecords",
                                                  "GetShardIterator", "ListStreams"};

std::string TargetOf(std::string_view operation) {
  const bool is_of_streams =
      std::ranges::find(kStreamOperations, operation) != std::end(kStreamOperations);
  return (is_of_streams ? "DynamoDBStreams_20120810." : "DynamoDB_20120810.") +
         std::string(operation);
}

bool HasWrongChecksum(const HttpAnswer& answer) {
  if (answer.crc32.empty()) return false;
  return ParseWhole<std::uint32_t>(answer.crc32) != Crc32(answer.body);
}

// Returns the head of the request for an operation, signed for the time `epoch_ms`.
std::string ServiceRequestHead(const EndpointUrl& url, std::string_view operation,
                               std::string_view json, std::string_view region,
                               const SigningKeys& keys, std::int64_t epoch_ms) {
  const HeaderFields headers = {{"Host", url.HostHeader()},
                                {"Content-Type", "application/x-amz-json-1.0"},
                                {"X-Amz-Target", TargetOf(operation)}};
  const UnsignedRequest request = {"POST", url.path, headers, json};
  std::string head = "POST " + url.path + " HTTP/1.1\r\n";
  const auto append = [&](const HeaderFields& fields) {
    for (const auto& [name, value] : fields) head.append(name).append(": ").append(value) += "\r\n";
  };
  append(headers);
  append(SignatureHeaders(request, {.region = region, .epoch_ms = epoch_ms}, keys));
  head += "User-Agent: hashrange\r\nContent-Length: " + std::to_string(json.size()) + "\r\n\r\n";
  return head;
}

// Returns what an answer says. Without a whole answer, or when its checksum is wrong: a reply with
// status 0. Its message then has the sentence for the user. Attempts and times are left as they
// are.
ServiceReply ReadServiceAnswer(const EndpointUrl& url, HttpAnswer answer) {
  ServiceReply reply;
  if (answer.status != 0 && HasWrongChecksum(answer)) {
    answer.status = 0;
    answer.failure = {HttpFailure::Kind::kOther, "the checksum of the answer is wrong"};
  }
  if (answer.status == 0) {
    reply.message = url.Text() + " does not answer: " + answer.failure.why;
    return reply;
  }
  reply.status = answer.status;
  reply.body = std::move(answer.body);
  if (!reply.ok()) ReadServiceError(reply);
  return reply;
}

// Returns the milliseconds since 1970 of a header such as "Tue, 15 Nov 1994 08:12:31 GMT"; 0 for
// any other text.
std::int64_t ParseHttpDate(const std::string& date) {
  std::tm parts = {};
  const char* const end = ::strptime(date.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0') return 0;
  return static_cast<std::int64_t>(::timegm(&parts)) * 1000;
}

}  // namespace

// All members but `sent_` are used on the thread of the client only.
class ServiceClient::Pool {
 public:
  Pool(const Options& options, std::unique_ptr<asio::ssl::context> tls)
      : options_(options),
        tls_(std::move(tls)),
        connections_(io_, options_.endpoint, tls_.get(),
                     std::max<std::size_t>(1, options_.max_connections)),
        work_(io_.get_executor()),
        thread_([this] { io_.run(); }) {}

  ~Pool() {
    io_.stop();
    thread_.join();
    connections_.Close();
    TakeSent();
    for (OpenCall& call : calls_) {
      call.reply.status = 0;
      call.reply.message = "The client was closed before " + options_.endpoint.Text() + " answered";
      call.done(std::move(call.reply));
    }
  }

  void Send(std::string_view operation, std::string json, Done done) {
    {
      const std::lock_guard lock(sent_mutex_);
      sent_.push_back({std::string(operation), std::move(json), std::move(done), ClientNow(), {}});
    }
    asio::post(io_, [this] { BeginSent(); });
  }

  const Options& options() const { return options_; }

 private:
  struct OpenCall {
    std::string operation;
    std::string json;
    Done done;
    ClientTime begun;
    ServiceReply reply;
    std::int64_t clock_offset_ms = 0;  // that the last attempt was signed with
  };
  using Call = std::list<OpenCall>::iterator;

  // Moves what was sent to the end of the open calls. Returns the first of it.
  Call TakeSent() {
    const std::lock_guard lock(sent_mutex_);
    const Call first = sent_.begin();
    if (first == sent_.end()) return calls_.end();
    calls_.splice(calls_.end(), sent_);
    return first;
  }

  void BeginSent() {
    for (Call call = TakeSent(); call != calls_.end();) {
      const Call begun = call++;  // a call that ends at once leaves the list
      asio::co_spawn(io_, Run(begun), [this, begun](const std::exception_ptr& failure) {
        if (failure) {
          begun->reply = {};
          begun->reply.message = "This machine has no memory or no thread left";
        }
        End(begun);
      });
    }
  }

  asio::awaitable<void> Run(Call call) {
    RetryKind last_retry = RetryKind::kNever;
    bool is_fresh = false;
    int most_attempts = options_.max_attempts;
    for (int attempts = 1;; ++attempts) {
      RetryKind kind = RetryKind::kNever;
      call->reply = co_await Attempt(*call, is_fresh, kind);
      call->reply.attempts = attempts;
      if (call->reply.ok()) retry_tokens_.Return(last_retry);
      // Nothing was carried out, so one such attempt of a call does not count.
      if (kind == RetryKind::kWrongTime && most_attempts == options_.max_attempts) ++most_attempts;
      if (kind == RetryKind::kNever || attempts >= most_attempts) break;
      is_fresh = kind == RetryKind::kStale;
      if (is_fresh || kind == RetryKind::kWrongTime) continue;
      if (!retry_tokens_.Take(kind)) break;
      last_retry = kind;
      asio::steady_timer wait(
          io_, RetryWait(attempts, options_.base_delay, options_.longest_delay, random_));
      co_await wait.async_wait(kAsTuple);
    }
  }

  // Makes one attempt, on a new connection if `is_fresh`, and sets which kind of retry may follow
  // it.
  asio::awaitable<ServiceReply> Attempt(OpenCall& call, bool is_fresh, RetryKind& kind) {
    if (!IsOperationName(call.operation)) {
      ServiceReply reply;
      reply.message = "\"" + call.operation.substr(0, 200) + "\" is not the name of an operation";
      co_return reply;
    }
    const auto keys = options_.credentials->Keys();
    if (!keys.ok()) {
      ServiceReply reply;
      reply.message = keys.error().message;
      co_return reply;
    }
    ConnectionPool::Lease lease = co_await connections_.Take();
    HttpAnswer answer = co_await Exchange(call, *keys, lease, is_fresh);
    if (answer.status != 0 && answer.keeps_open) lease.Keep();
    const std::string date = answer.date;
    const HttpFailure::Kind failure = answer.failure.kind;
    ServiceReply reply = ReadServiceAnswer(options_.endpoint, std::move(answer));
    kind = reply.status == 0 ? RetryKindAfter(failure) : RetryKindOf(reply.status, reply.error);
    if (IsAboutTime(reply) && CorrectClock(date, call)) kind = RetryKind::kWrongTime;
    co_return reply;
  }

  asio::awaitable<HttpAnswer> Exchange(OpenCall& call, const SigningKeys& keys,
                                       ConnectionPool::Lease& lease, bool is_fresh) {
    const ClientTime begun = ClientNow();
    HttpAnswer answer;
    answer.failure = co_await connections_.Connect(
        lease, is_fresh, begun + std::min(options_.connect_timeout, options_.answer_timeout));
    if (answer.failure.has_failed()) co_return answer;
    call.clock_offset_ms = clock_offset_ms_;
    const std::string head =
        ServiceRequestHead(options_.endpoint, call.operation, call.json, options_.region, keys,
                           clock_.NowEpochMs() + clock_offset_ms_);
    answer = co_await lease.connection()->Exchange(head, call.json, options_.max_answer_bytes,
                                                   begun + options_.answer_timeout);
    co_return answer;
  }

  // Takes over the time of the service. Returns whether that is far from the time that the call was
  // signed with.
  bool CorrectClock(const std::string& date, const OpenCall& call) {
    const std::int64_t service_ms = ParseHttpDate(date);
    if (service_ms == 0) return false;
    const std::int64_t offset = service_ms - clock_.NowEpochMs();
    const std::int64_t change = offset - call.clock_offset_ms;
    if (std::abs(change) < kTolerableSkewMs) return false;
    clock_offset_ms_ = offset;
    return true;
  }

  void End(Call call) {
    call->reply.took = duration_cast<microseconds>(ClientNow() - call->begun);
    OpenCall ended = std::move(*call);
    calls_.erase(call);
    ended.done(std::move(ended.reply));
  }

  const Options options_;
  const std::unique_ptr<asio::ssl::context> tls_;
  const SystemClock clock_ = {};
  std::list<OpenCall> calls_ = {};
  std::mutex sent_mutex_;
  std::list<OpenCall> sent_ = {};  // calls that are not begun yet; by any thread, with the mutex
  RetryTokens retry_tokens_ = {};
  Random random_{Random::ThisThread().Next()};
  std::int64_t clock_offset_ms_ = 0;
  // The coroutines, which are destroyed with `io_`, have leases of connections.
  ConnectionPool connections_;
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::thread thread_;
};

Result<std::unique_ptr<ServiceClient>> ServiceClient::Open(const Options& options) {
  std::unique_ptr<asio::ssl::context> tls;
  if (!IsRegionName(options.region)) {
    return ValidationError("\"" + options.region.substr(0, 200) +
                           "\" is no Region: a Region is written as in eu-west-1");
  }
  if (options.endpoint.is_tls) {
    HR_ASSIGN(tls, MakeTlsContext(options.ca_file));
  }
  auto pool = std::make_unique<Pool>(options, std::move(tls));
  return std::unique_ptr<ServiceClient>(new ServiceClient(std::move(pool)));
}

ServiceClient::ServiceClient(std::unique_ptr<Pool> pool) : pool_(std::move(pool)) {}
ServiceClient::~ServiceClient() = default;

void ServiceClient::Send(std::string_view operation, std::string json, Done done) {
  pool_->Send(operation, std::move(json), std::move(done));
}

ServiceReply ServiceClient::Call(std::string_view operation, std::string json,
                                 const std::atomic<bool>* stop) {
  const auto promise = std::make_shared<std::promise<ServiceReply>>();
  std::future<ServiceReply> answer = promise->get_future();
  Send(operation, std::move(json),
       [promise](ServiceReply reply) { promise->set_value(std::move(reply)); });
  if (stop) {
    while (!*stop) {
      if (answer.wait_for(kStopIsNoticedAfter) == std::future_status::ready) return answer.get();
    }
    if (answer.wait_for(kWaitAfterStop) != std::future_status::ready) {
      ServiceReply reply;
      reply.message = endpoint().Text() + " had not answered when the work was stopped";
      return reply;
    }
  }
  return answer.get();
}

const EndpointUrl& ServiceClient::endpoint() const { return pool_->options().endpoint; }

// Other bodies, of proxies for example, have neither a type nor a message.
void ReadServiceError(ServiceReply& reply) {
  constexpr std::size_t kMostRead = 1 << 20;
  if (reply.body.size() > kMostRead) return;
  const auto json = OwnedJson::Parse(reply.body, JsonDialect::kRequest);
  if (!json.ok()) return;
  reply.error = TextMember(json.value().value(), "__type");
  reply.error.erase(0, reply.error.find('#') + 1);
  reply.message = TextMember(json.value().value(), "message");
  if (reply.message.empty()) reply.message = TextMember(json.value().value(), "Message");
}

}  // namespace hashrange
