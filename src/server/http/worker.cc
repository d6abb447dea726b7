#include "server/http/worker.h"

#include <boost/asio/post.hpp>
#include <exception>
#include <iterator>
#include <utility>

#include "base/log.h"
#include "base/memory/thread_object.h"
#include "server/http/connection.h"

namespace hashrange {

WaitingAnswers::WaitingAnswers(Durability* durability, boost::asio::io_context& io)
    : durability_(durability), io_(io) {
  if (durability_) durability_->AddListener(*this);
}

WaitingAnswers::~WaitingAnswers() {
  if (durability_) durability_->RemoveListener(*this);
}

void WaitingAnswers::Add(Connection& connection, Durability::Position position) {
  waiting_.push_back({position, &connection});
  if (waiting_.size() > 1) return;
  first_ = position;
  // The position may have become safe before `first_` was set, when nobody was to be woken.
  OnSafe(durability_->safe());
}

void WaitingAnswers::OnSafe(Durability::Position safe) noexcept {
  if (first_ > safe || is_woken_.exchange(true)) return;
  try {
    boost::asio::post(io_, [this] { SendSafe(); });
  } catch (const std::exception& failure) {
    is_woken_ = false;
    Log(LogLevel::kError, failure.what());
  }
}

void WaitingAnswers::SendSafe() {
  is_woken_ = false;
  while (!waiting_.empty() && !MustWait(waiting_.front().position)) {
    Connection& connection = *waiting_.front().connection;
    waiting_.pop_front();
    first_ = waiting_.empty() ? kNobody : waiting_.front().position;
    connection.SendHeld();
  }
}

namespace {

namespace asio = boost::asio;
using Code = boost::system::error_code;

// An output with more memory than this is released after its answers are sent.
constexpr std::size_t kKeptOutputBytes = 4 << 20;

// Deferred answers are sent when there are this many of them, or this many bytes.
constexpr std::size_t kMaxDeferred = 16;
constexpr std::size_t kMaxDeferredBytes = 64 << 10;

}  // namespace

Worker::Worker(Shared& shared)
    : shared_(shared),
      clock_(shared.patience),
      work_(io_.get_executor()),
      tick_timer_(io_),
      grace_timer_(io_),
      waiting_(shared.server.durability, io_) {
  deferred_.reserve(kMaxDeferred);
}

Worker::~Worker() = default;

void Worker::Start() {
  thread_ = std::thread([this] {
    PrepareThread();
    // A connection catches the exceptions of its own steps; one that arrives here belongs to no
    // connection.
    for (bool done = false; !done;) {
      try {
        io_.run();
        done = true;
      } catch (const std::exception& failure) {
        Log(LogLevel::kError, failure.what());
      }
    }
  });
}

void Worker::Join() {
  if (thread_.joinable()) thread_.join();
}

void Worker::Adopt(Socket socket, bool has_spare_place) {
  asio::post(io_, [this, has_spare_place, socket = std::move(socket)]() mutable {
    Add(std::move(socket), has_spare_place);
  });
}

void Worker::Add(Socket socket, bool has_spare_place) {
  if (clock_.is_draining()) return shared_.server.limits.ReturnConnection();
  std::unique_ptr<Connection> connection;
  try {
    connection = std::make_unique<Connection>(*this, std::move(socket), has_spare_place);
  } catch (...) {
    shared_.server.limits.ReturnConnection();  // as the connection's destructor would
    throw;
  }
  connections_.push_back(std::move(connection));
  if (!ticking_) Tick();
  connections_.back()->Start(std::prev(connections_.end()));
}

Worker::Closable Worker::FindClosable() const {
  Closable found;
  for (const auto& connection : connections_) {
    const Closable each{connection.get(), connection->idleness(), connection->idle_since()};
    if (each.idleness > found.idleness) found = each;
    if (found.idleness == Connection::Idleness::kIdle) break;
  }
  return found;
}

void Worker::Remove(Connection::Place place) {
  connections_.erase(place);
  if (!connections_.empty()) return;
  tick_timer_.cancel();
  grace_timer_.cancel();
}

Output& Worker::BeginAnswers() {
  if (deferred_.empty()) output_.bytes.Clear();
  output_.BeginSlice();
  return output_;
}

void Worker::EndAnswers() {
  if (deferred_.empty() && output_.bytes.capacity() > kKeptOutputBytes) output_ = {};
}

bool Worker::Defer(Connection& connection, SteadyClock::time_point now) {
  const bool alone = connections_.size() == 1;
  const std::size_t bytes = output_.pending().size();
  if (alone || bytes == 0 || bytes > kMaxDeferredBytes) return false;
  // The post may throw, so it is done first: an exception ends the connection, and an ended
  // connection must not be in `deferred_`.
  if (!sending_is_due_) {
    // The posted call runs after the connections that the last poll found readable were served.
    asio::post(io_, [this] {
      sending_is_due_ = false;
      SendDeferred();
    });
    sending_is_due_ = true;
  }
  if (deferred_.empty()) first_deferred_ = now;
  deferred_.push_back({&connection, output_.begin, output_.bytes.size()});
  if (deferred_.size() == kMaxDeferred || output_.bytes.size() > kMaxDeferredBytes) SendDeferred();
  return true;
}

void Worker::SendDeferred() {
  for (const Deferred& each : deferred_) {
    each.connection->SendDeferred(output_.bytes.view().substr(each.begin, each.end - each.begin));
  }
  deferred_.clear();
}

void Worker::SendOverdue(SteadyClock::time_point now) {
  if (!deferred_.empty() && now - first_deferred_ > Exchange::kMaxDeferral) SendDeferred();
}

void Worker::Tick() {
  ticking_ = true;
  tick_timer_.expires_after(clock_.tick_length());
  tick_timer_.async_wait([this](const Code&) {
    ticking_ = false;
    if (connections_.empty()) return;
    clock_.Tick();
    waiting_.SendSafe();
    // When all connections are taken, those whose client gave up waiting for a held answer are
    // closed.
    const bool is_full = shared_.server.limits.AreConnectionsTaken();
    for (const auto& connection : connections_) {
      if (connection->IsOverdue() || (is_full && connection->IsAbandoned())) {
        connection->Close();
      }
    }
    Tick();
  });
}

void Worker::Stop(std::chrono::milliseconds grace) {
  asio::post(io_, [this, grace] { Drain(grace); });
}

void Worker::Drain(std::chrono::milliseconds grace) {
  clock_.Drain();
  work_.reset();
  if (connections_.empty()) return;
  for (const auto& connection : connections_) connection->Drain();
  grace_timer_.expires_after(grace);
  grace_timer_.async_wait([this](const Code&) {
    for (const auto& connection : connections_) connection->Close();
    // The stop is posted, so that the closed connections end first. A connection that waits for a
    // control call does not end; it is destroyed with the worker.
    asio::post(io_, [this] { io_.stop(); });
  });
}

}  // namespace hashrange
