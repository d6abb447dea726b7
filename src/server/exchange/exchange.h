// Exchange: what one connection has to do with the bytes of its peer, without a socket, a thread or
// a timer: these belong to the owner of the exchange, such as server/http/connection.h.
//
//            ┌────────────── more requests in the buffer ─────────────┐
//   read ──► answer what is complete ──► send ──► read                │
//                                          ├────► serve ──────────────┘
//                                          ├────► hold (send_after) ──► send
//                                          ├────► wait until the changes are safe ──► send
//                                          ├────► control (the owner's call) ──► send
//                                          ├────► long call (the owner's) ──► hold, wait or send
//                                          └────► linger: no more output; discard
//                                                 input until the peer closes
//
// The owner reads bytes into BeginReading(), says Received(), and calls Answer(), which appends the
// answers to an output and returns what comes after they are sent: a Next, which the owner passes
// to Proceed() when they are. While an answer waits or is being sent, the owner reads nothing: a
// peer that does not take its answers cannot make the server work. Their memory counts in the
// server's limits. Not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/durability.h"
#include "base/memory/output_buffer.h"
#include "control/control_request.h"
#include "operation/dispatch.h"
#include "platform/net/peer_user.h"
#include "server/exchange/exchange_clock.h"
#include "server/exchange/handlers.h"
#include "server/exchange/http_answer.h"
#include "server/exchange/limits.h"
#include "server/exchange/owned_request.h"
#include "server/exchange/request_parser.h"
#include "server/exchange/router.h"

namespace hashrange {

// What all exchanges of a server share. It outlives them. Its functions are called by all threads.
struct ExchangeServer {
  ApiHandler handler;
  Routing routing;
  Limits limits;
  std::string control_token;
  // The folders in which the control API may read and write files for other users of this machine:
  // absolute paths without links. The server's own user, and callers with the token, may name any
  // path.
  std::vector<std::string> file_folders;
  bool has_control = false;          // there is a control API
  Durability* durability = nullptr;  // null: no answer waits
};

// Logs by which options the server is open to others, once it listens. `endpoints`: where it does,
// for people; `is_loopback_only`: only this machine can reach them.
void WarnOfOpenDoors(const ExchangeServer& server, const std::string& endpoints,
                     bool is_loopback_only);

// What an exchange asks its owner of the other end of the connection.
class ExchangePeer {
 public:
  // Whether the peer is on this machine.
  virtual bool IsLoopback() = 0;
  // Which user's program the peer is. A peer that has gone is not trusted.
  virtual PeerUser User() = 0;
  // Whether bytes have arrived that the exchange has not received.
  virtual bool HasSent() = 0;

 protected:
  ~ExchangePeer() = default;
};

class Exchange {
 public:
  using SteadyClock = std::chrono::steady_clock;

  // How long a ready answer may wait for the answers of other connections; a connection that takes
  // longer to serve counts as slow.
  static constexpr std::chrono::microseconds kMaxDeferral{200};

  // What the owner does after the output is sent.
  enum class Next {
    kRead,      // reads more bytes
    kServe,     // calls Answer again, after the other connections had their turn
    kHold,      // calls BeginHolding, and sends TakeHeld() after hold_ms()
    kWait,      // calls BeginHolding, and sends TakeHeld() when safe_after() is safe
    kControl,   // makes the call TakeControl(), and sends its answer
    kLongCall,  // makes the call TakeLongCall() and settles its answer
    kLinger,    // shuts its sending side, and discards bytes until the peer closes its side
    kClose,
  };

  // How readily the connection is closed to make room for a new one.
  enum class Idleness {
    kBusy,     // not at all: a request is under way, or an answer is not sent yet
    kStalled,  // has sent a part of a request, or has not closed its end, for long
    kIdle,     // waits for a request
  };

  // All of these outlive the exchange. The server's limits have counted the connection already; the
  // destructor returns it to them. `has_spare_place`: its place is above the limit.
  Exchange(ExchangeServer& server, ExchangeClock& clock, ExchangePeer& peer, bool has_spare_place);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // Returns the room for the bytes that arrive next; none when the server's memory is taken: then
  // the owner calls RefuseForMemory.
  std::span<char> BeginReading();
  // Called after BeginReading. Returns whether idle_since() has changed: in a tick of the clock,
  // the connection waits for a request for the first time.
  bool BeginsToWait();
  // So many bytes have arrived in the room.
  void Received(std::size_t count);
  Next RefuseForMemory(Output& out);

  // Answers the complete requests that have arrived, up to a batch. `begun`: the time at which the
  // owner began.
  Next Answer(Output& out, SteadyClock::time_point begun);
  // Returns what is to be done with the answer of a long call, which begins at `before` in the
  // output. `next`: what comes after it. An answer that is not to be sent yet is moved away from
  // the output.
  Next Settle(const ApiAnswer& answer, std::size_t before, Next next, Output& out);
  // Appends the answer to the control call; after_held() comes next.
  void AppendAnswerOfControl(const ControlAnswer& answer, bool with_body, Output& out) const;

  // Called when the output before `next` is sent. Returns what the owner does: kClose in place of
  // kRead or kLinger when the server stops and nothing is under way.
  Next Proceed(Next next);

  // The answers cannot be sent at once, or more of them were sent: the peer has time until the next
  // deadline to take a byte.
  void ExtendSending();
  // Counts the memory of answers that the owner cannot send yet.
  void CountUnsent(std::size_t capacity_bytes);
  // All of them are sent.
  void EndSending();

  // The held answer: empty when no answer is to be sent. after_held() comes behind it.
  void BeginHolding() { is_holding_ = true; }
  OutputBuffer TakeHeld();
  std::int64_t hold_ms() const { return hold_ms_; }
  Durability::Position safe_after() const { return safe_after_; }
  bool MustWait() const { return server_.durability && safe_after_ > server_.durability->safe(); }
  // What comes after a held answer, the answer of a control call or of a long call.
  Next after_held() const { return after_held_; }
  std::unique_ptr<ControlRequest> TakeControl() { return std::move(control_); }
  std::shared_ptr<OwnedRequest> TakeLongCall() { return std::move(long_call_); }

  // The sending side is shut. Releases what has arrived.
  void BeginLingering();
  bool is_lingering() const { return is_lingering_; }
  // Returns room for bytes that are discarded.
  std::span<char> RoomToDiscard() { return buffer_.Prepare(); }

  // Returns whether the connection can end now because the server stops.
  bool CanEnd();
  // Returns whether the peer was too slow with its request, with an answer or with its end.
  bool IsOverdue() const { return deadline_ != 0 && clock_.tick() >= deadline_; }
  bool is_holding() const { return is_holding_; }
  Idleness idleness();
  // Returns when the connection began to wait for a request. If it waited several times during one
  // tick of its clock, the first of these times counts.
  SteadyClock::time_point idle_since() const { return idle_since_; }
  bool has_spare_place() const { return has_spare_place_; }

 private:
  Next AnswerOne(Output& out);
  Next AnswerControl(bool close, Output& out);
  Next RefuseUnread(const Refusal& refusal, Output& out);
  Next Refuse(const Refusal& refusal, std::string_view path, Output& out);
  void CountAnswers();

  ExchangeServer& server_;
  ExchangeClock& clock_;
  ExchangePeer& peer_;
  ReadBuffer buffer_;
  RequestParser parser_;
  std::size_t unsent_bytes_ = 0;    // the memory of answers that the owner cannot send yet
  OutputBuffer held_;               // the answer that is held; empty: no answer is sent
  std::int64_t counted_bytes_ = 0;  // of unsent and held answers, in the server's limits
  std::unique_ptr<ControlRequest> control_;
  std::shared_ptr<OwnedRequest> long_call_;
  Next after_held_ = Next::kServe;
  std::int64_t hold_ms_ = 0;
  Durability::Position safe_after_ = 0;  // the held answer may be sent when this is safe
  std::int64_t deadline_ = 0;            // in the clock's ticks; 0: none
  SteadyClock::time_point idle_since_;
  std::int64_t idle_tick_ = 0;  // the tick of idle_since_
  const bool has_spare_place_;
  bool is_reading_ = false;  // waiting for a request or the rest of one
  bool is_holding_ = false;  // an answer is held until it may be sent
  bool is_lingering_ = false;
};

}  // namespace hashrange
