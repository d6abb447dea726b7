// PatientCaller makes calls to one endpoint for a copy. Where an endpoint throttles, answers with
// an error of its own or is away for a while, the call is made again, with exponential back-off and
// jitter, until the endpoint has not carried out the call for as long as the patience lasts.
// Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "remote/copy/copy_endpoint.h"

namespace hashrange {

// Says whether a copy is to stop: somebody has asked for it, or a part of the copy has failed.
class CopyStop {
 public:
  // `asked` becomes true when the user wants the copy to stop; null: never.
  explicit CopyStop(const std::atomic<bool>* asked) : asked_(asked) {}

  void Fail() { has_failed_ = true; }
  bool IsAsked() const { return asked_ && *asked_; }
  bool IsSet() const { return has_failed_ || IsAsked(); }
  // Waits that long, or until the copy is to stop; the latter is noticed after some milliseconds.
  void Wait(std::chrono::steady_clock::duration time) const;

 private:
  const std::atomic<bool>* const asked_;
  std::atomic<bool> has_failed_{false};
};

// The error of work that was given up because the copy is to stop.
Error StoppedError();

struct CopyPatience {
  std::chrono::milliseconds first_wait{100};
  std::chrono::milliseconds longest_wait{10'000};
  std::chrono::milliseconds until_failure{300'000};
  // The user is told when an endpoint has carried out nothing of a call for so long, but not more
  // often than that.
  std::chrono::milliseconds until_note{10'000};
};

// The waits between attempts: each is a random part of a bound, which doubles.
class BackOff {
 public:
  explicit BackOff(const CopyPatience& patience)
      : patience_(patience),
        bound_(patience.first_wait),
        begin_(std::chrono::steady_clock::now()) {}

  // Begins anew, as after a success.
  void Reset();
  // Leaves out time that was spent otherwise, which says nothing about the endpoint.
  void LeaveOut(std::chrono::steady_clock::duration time) { begin_ += time; }
  bool IsOver() const;
  bool HasLasted(std::chrono::milliseconds time) const;
  void Wait(const CopyStop& stop);

 private:
  const CopyPatience& patience_;
  std::chrono::milliseconds bound_;
  std::chrono::steady_clock::time_point begin_;
};

class PatientCaller {
 public:
  using Note = std::function<void(const std::string&)>;
  // All outlive the object, but `note`, which takes sentences for the user, from any thread.
  PatientCaller(ApiEndpoint& endpoint, const CopyPatience& patience, const CopyStop& stop,
                Note note = {})
      : endpoint_(endpoint), patience_(patience), stop_(stop), note_(std::move(note)) {}

  // Returns the answer of a call that succeeded at last. Before the endpoint has answered at all, a
  // call that is not answered is not made again: a wrong address is not waited for.
  // Errors: InternalServerError  the endpoint has refused it, or the copy is to stop; the
  //                              sentence names the endpoint, the operation and `table`
  //         ResourceNotFoundException, ResourceInUseException  as the endpoint has them
  //         UnknownOperationException  the endpoint has no such operation
  //         ServiceUnavailable  the endpoint throttled it, failed or was away for too long
  // Where `attempts` is given, it is increased by the number of times that the call was made: of
  // more than one, an earlier one may have been carried out although its answer was lost.
  Result<std::string> Call(std::string_view operation, std::string_view table,
                           const std::string& json, int* attempts = nullptr) const;

  const std::string& name() const { return endpoint_.name(); }
  bool keeps_tables() const { return endpoint_.keeps_tables(); }
  const CopyPatience& patience() const { return patience_; }
  const CopyStop& stop() const { return stop_; }

 private:
  void NoteWait(const Error& error) const;

  ApiEndpoint& endpoint_;
  const CopyPatience& patience_;
  const CopyStop& stop_;
  const Note note_;
  mutable std::mutex note_mutex_;
  mutable std::optional<std::chrono::steady_clock::time_point> noted_;  // the latest note
  mutable std::atomic<bool> has_answered_{false};
};

}  // namespace hashrange
