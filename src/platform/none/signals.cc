// No signals: nothing interrupts long work, and a server stops at the end of its standard input.
#include "platform/signals.h"

#include <cstdio>

namespace hashrange {
namespace {

const std::atomic<bool> is_never_interrupted = false;

}  // namespace

void IgnoreBrokenPipes() {}
void BlockStopSignals() {}

void WaitForStopSignal() {
  while (std::getchar() != EOF) continue;
}

const std::atomic<bool>& CatchInterruption(int) { return is_never_interrupted; }
const std::atomic<bool>& CatchCtrlC() { return is_never_interrupted; }

}  // namespace hashrange
