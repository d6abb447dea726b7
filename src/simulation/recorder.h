// Recorder: the gate that refuses nothing and writes down what passes: the latest calls
// (request_list.h), counters (call_statistics.h) and lines of the log (request_line.h). It stands
// in the chain while one of the three is asked for. Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "base/clock.h"
#include "operation/gate.h"
#include "simulation/call_statistics.h"
#include "simulation/gate_chain.h"
#include "simulation/request_list.h"

namespace hashrange {

class Recorder : public Gate {
 public:
  Recorder(GateChain& chain, const Clock& clock) : chain_(chain), clock_(clock) {}

  // From now on calls are listed, the latest `limit` of them.
  void StartList(std::size_t limit);
  // The list stays as it is.
  void StopList();
  bool is_listing() const { return is_listing_; }
  RequestList& list() { return list_; }

  // From now on and for good, each call is a line of the log, at its debug level.
  void StartLog();

  // From now on and for good, calls are counted.
  void StartCounting();
  const CallStatistics& statistics() const { return statistics_; }

  std::optional<Error> Begin(Call& call) override;
  std::optional<Error> Enter(Call& call, const Access& access) override;
  void Leave(Call& call, const Access& access, const Usage& usage) override;
  void End(Call& call, const CallOutcome& outcome) override;
  void Fail(Call& call, const CallOutcome& outcome) override;

 private:
  struct CallUnderWay;

  // What this thread writes down of the call; null when it began before anything was asked for.
  CallUnderWay* FindCallUnderWay(const Call& call) const;
  void UpdateRegistration();  // in the chain, or no longer
  // Where `is_logged` and `is_listed` say. `call`: whose record it is.
  void WriteRecord(const Call& call, RequestRecord record, bool is_logged, bool is_listed);

  GateChain& chain_;
  const Clock& clock_;
  std::mutex mutex_;  // held to start or stop anything
  std::atomic<bool> is_listing_{false};
  std::atomic<bool> is_logging_{false};
  std::atomic<bool> is_counting_{false};
  // Tells the calls that began while the recorder stood where it stands from all others.
  std::atomic<std::uint64_t> epoch_{0};
  RequestList list_;
  CallStatistics statistics_;
};

}  // namespace hashrange
