#include "platform/signals.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>

namespace hashrange {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::int64_t kSameRequestNs = kNsPerSecond;

std::atomic<bool> is_interrupted = false;
std::atomic<std::int64_t> interrupted_ns = 0;  // when; 0: not yet
std::atomic<int> interrupted_exit_code = 0;
static_assert(std::atomic<bool>::is_always_lock_free &&
                  std::atomic<std::int64_t>::is_always_lock_free,
              "a signal's handler may not lock");

// A signal's handler may call clock_gettime.
std::int64_t MonotonicNs() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * kNsPerSecond + now.tv_nsec;
}

void Interrupt(int) {
  const std::int64_t now_ns = MonotonicNs();
  std::int64_t first_ns = 0;
  if (interrupted_ns.compare_exchange_strong(first_ns, now_ns)) {
    is_interrupted = true;
  } else if (now_ns - first_ns >= kSameRequestNs) {
    ::_exit(interrupted_exit_code);
  }
}

void NoteInterrupt(int) { is_interrupted = true; }

sigset_t StopSignals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  return signals;
}

}  // namespace

void IgnoreBrokenPipes() { ::signal(SIGPIPE, SIG_IGN); }

void BlockStopSignals() {
  const sigset_t signals = StopSignals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void WaitForStopSignal() {
  const sigset_t signals = StopSignals();
  int received = 0;
  ::sigwait(&signals, &received);
}

const std::atomic<bool>& CatchInterruption(int exit_code) {
  interrupted_exit_code = exit_code;
  struct sigaction action {};
  action.sa_handler = Interrupt;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  struct sigaction hangup {};
  ::sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) ::sigaction(SIGHUP, &action, nullptr);
  return is_interrupted;
}

const std::atomic<bool>& CatchCtrlC() {
  // SA_RESTART is not set, so that the signal ends a blocked system call.
  struct sigaction action {};
  action.sa_handler = NoteInterrupt;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  return is_interrupted;
}

}  // namespace hashrange
