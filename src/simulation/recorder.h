// Recorder is a gate that refuses nothing and records the calls that pass it: a list of the latest
// calls and lines of the log (request_list.h), and counters (call_statistics.h). It is in the chain
// while one of the three is switched on. Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "base/threads.h"
#include "operation/call/gate.h"
#include "simulation/call_statistics.h"
#include "simulation/gate_chain.h"
#include "simulation/request_list.h"

namespace hashrange {

class Recorder : public Gate {
 public:
  Recorder(GateChain& chain, const Clock& clock) : chain_(chain), clock_(clock) {}

  // Starts listing calls. The list keeps the latest `limit` calls.
  void StartList(std::size_t limit);
  // Stops listing calls. The list stays as it is.
  void StopList();
  bool is_listing() const { return is_listing_; }
  RequestList& list() { return list_; }

  // Starts logging each call as a line at the debug level. Logging is never stopped.
  void StartLog();

  // Starts counting calls. Counting is never stopped.
  void StartCounting();
  bool is_counting() const { return is_counting_; }
  const CallStatistics& statistics() const { return statistics_; }

  std::optional<Error> Begin(Call& call) override;
  std::optional<Error> Enter(Call& call, const Access& access) override;
  void Leave(Call& call, const Access& access, const Usage& usage) override;
  void Charge(Call& call, const Access& access, const Usage& usage) override;
  void End(Call& call, const CallOutcome& outcome) override;
  void Fail(Call& call, const CallOutcome& outcome) override;

 private:
  struct CallUnderWay;

  // Returns this thread's record of the call; null when the call began before the recorder was
  // switched on.
  CallUnderWay* FindCallUnderWay(const Call& call) const;
  // Puts the recorder into the chain or takes it out, as needed.
  void UpdateRegistration();
  // Writes the record of `call` to the log, to the list, or to both.
  void WriteRecord(const Call& call, RequestRecord record, bool is_logged, bool is_listed);

  GateChain& chain_;
  const Clock& clock_;
  Mutex mutex_;  // held to start or stop anything
  std::atomic<bool> is_listing_{false};
  std::atomic<bool> is_logging_{false};
  std::atomic<bool> is_counting_{false};
  // A new number each time the recorder is put into the chain, and 0 while it is not in the chain.
  // The calls that began since then have this number.
  std::atomic<std::uint64_t> registration_{0};
  RequestList list_;
  CallStatistics statistics_;
};

}  // namespace hashrange
