#include "server/http/waiting_answers.h"

#include <boost/asio/post.hpp>
#include <exception>

#include "base/log.h"
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

}  // namespace hashrange
