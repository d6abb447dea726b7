#include "cli/interruption.h"

#include <signal.h>
#include <unistd.h>

namespace hashrange {
namespace {

std::atomic<bool> is_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal's handler may not lock");

void Interrupt(int) {
  if (is_interrupted.exchange(true)) ::_exit(kInterrupted);
}

}  // namespace

const std::atomic<bool>& CatchInterruption() {
  struct sigaction action {};
  action.sa_handler = Interrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return is_interrupted;
}

}  // namespace hashrange
