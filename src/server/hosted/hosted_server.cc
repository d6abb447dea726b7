#include "server/hosted/hosted_server.h"

#include <chrono>
#include <exception>
#include <utility>

#include "base/log.h"
#include "server/hashrange/database_state.h"

namespace hashrange {
namespace {

constexpr std::chrono::seconds kPatience{30};

// An output with more memory than this is released when it is sent.
constexpr std::size_t kKeptOutputBytes = 4 << 20;

}  // namespace

struct HostedServer::Hosted final : ExchangePeer {
  Hosted(HostedServer& server, Handle number, bool is_loopback_peer, bool has_spare_place)
      : handle(number),
        is_loopback(is_loopback_peer),
        exchange(server.server_, server.clock_, *this, has_spare_place) {}

  bool IsLoopback() override { return is_loopback; }
  // The host does not know the user. So a caller without the control token names no file, and makes
  // all other calls.
  PeerUser User() override { return PeerUser::kUnknown; }
  // The host hands over what arrives.
  bool HasSent() override { return false; }

  const Handle handle;
  const bool is_loopback;
  Exchange exchange;
  Exchange::Next unsent_next = Exchange::Next::kRead;  // what follows the output
  bool is_sending = false;                             // the output waits for the peer
  bool has_ended = false;                              // the peer has ended its sending side
  bool is_closing = false;                             // the host was told to close it
};

HostedServer::HostedServer(Database& database, const Options& options)
    : control_(database.state_->control),
      server_{.handler =
                  [&dispatcher = database.state_->dispatcher](const ApiRequest& request,
                                                              OutputBuffer& out) {
                    ApiRequest own = request;
                    own.may_leave = false;  // there is no other thread
                    return dispatcher.Handle(own, out);
                  },
              .routing = {BrowserAccess(options.cors, options.allowed_hosts),
                          options.answers_root_with_400},
              .limits =
                  Limits(options.request_memory_bytes, MaxConnections(options.max_connections, 1)),
              .control_token = options.control_token,
              .file_folders = {},
              .has_control = true,
              .durability = nullptr},
      clock_(kPatience),
      connections_(1) {}

HostedServer::~HostedServer() = default;

void HostedServer::Listens(const std::string& endpoints, std::uint16_t port,
                           bool is_loopback_only) {
  if (is_loopback_only) server_.routing.browsers.EnableHostCheck(port);
  WarnOfOpenDoors(server_, endpoints, is_loopback_only);
}

HostedServer::Handle HostedServer::Open(bool is_loopback_peer) {
  displaced_ = kNone;
  const Limits::Place place = server_.limits.TakeConnection();
  bool has_spare_place = place != Limits::Place::kOrdinary;
  if (has_spare_place) {
    if (Hosted* const closable = FindClosable()) {
      closable->is_closing = true;
      displaced_ = closable->handle;
      has_spare_place = closable->exchange.has_spare_place();
      if (!has_spare_place) {
        server_.limits.WarnOfTooMany("the one that was idle longest was closed");
      }
    } else if (place == Limits::Place::kNone) {
      server_.limits.WarnOfTooMany("a new one was closed");
      server_.limits.ReturnConnection();
      return kNone;
    }
  }
  std::unique_ptr<Hosted> hosted;  // from now on, it returns the place
  try {
    const Handle handle = TakeHandle();
    hosted = std::make_unique<Hosted>(*this, handle, is_loopback_peer, has_spare_place);
    hosted->exchange.BeginReading();
    hosted->exchange.BeginsToWait();
    free_.pop_back();
    connections_[handle] = std::move(hosted);
    return handle;
  } catch (const std::exception& failure) {
    Log(LogLevel::kError, failure.what());
    if (!hosted) server_.limits.ReturnConnection();
    displaced_ = kNone;
    return kNone;
  }
}

HostedServer::Handle HostedServer::TakeHandle() {
  if (free_.empty()) {
    connections_.emplace_back();
    free_.reserve(connections_.size());
    free_.push_back(static_cast<Handle>(connections_.size() - 1));
  }
  return free_.back();
}

HostedServer::Hosted* HostedServer::FindClosable() const {
  Hosted* found = nullptr;
  Exchange::Idleness most = Exchange::Idleness::kBusy;
  for (const auto& each : connections_) {
    if (!each || each->is_sending || each->is_closing) continue;
    const Exchange::Idleness idleness = each->exchange.idleness();
    const bool is_longer =
        found && idleness == most && each->exchange.idle_since() < found->exchange.idle_since();
    if (idleness > most || is_longer) {
      found = each.get();
      most = idleness;
    }
  }
  return found;
}

HostedServer::Hosted* HostedServer::Find(Handle connection) const {
  return connection < connections_.size() ? connections_[connection].get() : nullptr;
}

// There is memory for `free_`: TakeHandle has reserved it.
void HostedServer::Close(Handle connection) {
  if (!Find(connection)) return;
  connections_[connection] = nullptr;
  free_.push_back(connection);
}

std::span<char> HostedServer::Room(Handle connection) {
  Hosted* const hosted = Find(connection);
  if (!hosted) return {};
  try {
    return hosted->exchange.BeginReading();
  } catch (const std::exception& failure) {
    Log(LogLevel::kError, failure.what());
    return {};
  }
}

template <typename Step>
HostedServer::Next HostedServer::Run(Handle connection, Step step) {
  if (output_.bytes.capacity() > kKeptOutputBytes) output_ = {};
  output_.bytes.Clear();
  output_.BeginSlice();
  Hosted* const hosted = Find(connection);
  if (!hosted) return Next::kClose;
  try {
    return ToHost(*hosted, step(hosted->exchange));
  } catch (const std::exception& failure) {
    Log(LogLevel::kError, failure.what());
    output_ = {};
    return Next::kClose;
  }
}

HostedServer::Next HostedServer::ToHost(Hosted& hosted, Exchange::Next next) {
  Exchange& exchange = hosted.exchange;
  if (next == Exchange::Next::kControl) {
    const std::unique_ptr<ControlRequest> request = exchange.TakeControl();
    const ControlAnswer answer = control_.Answer(*request);
    exchange.AppendAnswerOfControl(answer, request->method != "HEAD", output_);
    next = exchange.after_held();
  }
  hosted.unsent_next = next;
  switch (exchange.Proceed(next)) {
    case Exchange::Next::kRead:
      // An idle connection is one that has a room to read into.
      if (!exchange.BeginReading().empty()) exchange.BeginsToWait();
      return Next::kRead;
    case Exchange::Next::kServe:
      return Next::kServe;
    case Exchange::Next::kHold:
      exchange.BeginHolding();
      return Next::kHold;
    case Exchange::Next::kLinger:
      exchange.BeginLingering();
      return Next::kLinger;
    default:
      // Nothing waits for a disk, and no call leaves the thread.
      return Next::kClose;
  }
}

HostedServer::Next HostedServer::Receive(Handle connection, std::size_t count) {
  return Run(connection, [this, count](Exchange& exchange) {
    if (count == 0) return exchange.RefuseForMemory(output_);
    exchange.Received(count);
    return exchange.Answer(output_, Exchange::SteadyClock::now());
  });
}

HostedServer::Next HostedServer::Serve(Handle connection) {
  return Run(connection, [this](Exchange& exchange) {
    return exchange.Answer(output_, Exchange::SteadyClock::now());
  });
}

HostedServer::Next HostedServer::SendHeld(Handle connection) {
  return Run(connection, [this](Exchange& exchange) {
    output_.bytes = exchange.TakeHeld();
    return exchange.after_held();
  });
}

std::int64_t HostedServer::hold_ms(Handle connection) const {
  const Hosted* const hosted = Find(connection);
  return hosted ? hosted->exchange.hold_ms() : 0;
}

void HostedServer::CountUnsent(Handle connection, std::size_t bytes) {
  Hosted* const hosted = Find(connection);
  if (!hosted) return;
  hosted->is_sending = true;
  hosted->exchange.CountUnsent(bytes);
  hosted->exchange.ExtendSending();
}

HostedServer::Next HostedServer::Sent(Handle connection) {
  return Run(connection, [&](Exchange& exchange) {
    Hosted& hosted = *Find(connection);
    hosted.is_sending = false;
    exchange.EndSending();
    return hosted.unsent_next;
  });
}

void HostedServer::PeerHasEnded(Handle connection) {
  if (Hosted* const hosted = Find(connection)) hosted->has_ended = true;
}

std::span<const HostedServer::Handle> HostedServer::Tick() {
  clock_.Tick();
  // When all connections are taken, those whose client gave up waiting for a held answer are
  // closed.
  const bool is_full = server_.limits.AreConnectionsTaken();
  return CloseWhere([is_full](Hosted& each) {
    const bool is_abandoned = each.exchange.is_holding() && each.has_ended;
    return each.exchange.IsOverdue() || (is_full && is_abandoned);
  });
}

std::span<const HostedServer::Handle> HostedServer::Drain() {
  clock_.Drain();
  return CloseWhere([](Hosted& each) { return !each.is_sending && each.exchange.CanEnd(); });
}

// A connection for which there is no memory in the list is found the next time.
template <typename IsDue>
std::span<const HostedServer::Handle> HostedServer::CloseWhere(IsDue is_due) {
  to_close_.clear();
  try {
    for (const auto& each : connections_) {
      if (!each || each->is_closing || !is_due(*each)) continue;
      to_close_.push_back(each->handle);
      each->is_closing = true;
    }
  } catch (const std::exception& failure) {
    Log(LogLevel::kError, failure.what());
  }
  return to_close_;
}

}  // namespace hashrange
