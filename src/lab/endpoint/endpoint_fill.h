// EndpointFill: puts all items of a twin into the tables of an endpoint, in batches, several at a
// time. Batches come from all parts of a table in turn, so that no partition gets all of them at
// once. A batch that was throttled, failed or was processed in part is sent again after a wait that
// doubles. Used by one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/endpoint/endpoint_replies.h"
#include "lab/endpoint/run_cost.h"
#include "lab/run/layout_database.h"
#include "remote/client/service_client.h"

namespace hashrange {

class EndpointFill {
 public:
  // All outlive the object. `stop` may be null.
  struct Parts {
    ServiceClient& client;
    LayoutDatabase& twin;
    SpendCount& spend;
    const EndpointLimits& limits;
    const std::atomic<bool>* stop = nullptr;
  };
  explicit EndpointFill(const Parts& parts);

  // Returns whether all items were put: false, when `stop` has become true. `progress` is called
  // now and then with how many items were put.
  // Errors: InternalServerError  the endpoint refuses an item, or nothing was put for a long time,
  //         or more was spent than may be, or the twin cannot be read
  Result<bool> Run(const std::function<void(std::uint64_t)>& progress);

  std::uint64_t items() const { return items_; }

 private:
  // A part of a table, which is read from its begin to its end.
  struct Segment {
    std::string table = {};
    int number = 0;
    std::string start_key = {};  // JSON; empty: the beginning
    bool is_read = false;
  };
  struct Batch {
    std::string json = {};
    std::uint64_t items = 0;
    int attempts = 0;
    Instant due = {};  // when it is sent again
    bool is_open = false;
  };

  Result<bool> MakeBatch(Batch& batch);
  Result<bool> ReadBatch(Segment& segment, Batch& batch);
  Status SendDue();
  Status TakeReply(const QueuedReply& queued);
  void SendAgain(Batch& batch);

  const Parts parts_;
  std::vector<Segment> segments_ = {};
  std::size_t next_segment_ = 0;
  std::vector<Batch> batches_ = {};  // without items: free
  std::shared_ptr<ReplyQueue> replies_ = std::make_shared<ReplyQueue>();
  std::uint64_t items_ = 0;
  Instant latest_success_ = {};
  std::string latest_refusal_ = {};
};

}  // namespace hashrange
