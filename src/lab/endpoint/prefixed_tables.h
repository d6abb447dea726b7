// PrefixedTables: the tables of a run at an endpoint, from CreateTable to DeleteTable. A table that
// the run has not made is never removed. Used by one thread at a time.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/endpoint/endpoint_limits.h"
#include "remote/client/service_client.h"

namespace hashrange {

class PrefixedTables {
 public:
  // `client`, which sends nothing again by itself, `limits` and `stop`, which may be null, outlive
  // the object. `owns_prefix`: nobody else uses the prefix of the tables, so a table whose
  // CreateTable was not answered, or that exists although it was missing before, is the run's, too.
  struct Parts {
    ServiceClient& client;
    const EndpointLimits& limits;
    bool owns_prefix = false;
    const std::atomic<bool>* stop = nullptr;
  };
  explicit PrefixedTables(const Parts& parts) : parts_(parts) {}

  // Returns an error where a table exists, or the endpoint does not say that it does not.
  Status CheckMissing(std::string_view table);
  // Makes the tables of these inputs of CreateTable, and waits until all of them are ACTIVE.
  // Returns false when `stop` has become true.
  // Errors: ValidationException    a table exists, or the endpoint refuses it
  //         InternalServerError    the endpoint does not answer, or a table does not become ACTIVE
  Result<bool> Make(const std::vector<std::string>& create_tables,
                    const std::vector<std::string>& names);
  // Removes the tables that Make has made, whether it succeeded or not. Returns a sentence about
  // what is left; empty: nothing.
  std::string Remove();

 private:
  bool IsStopped() const;
  // Makes a call that may be made again until it is answered by something else than a throttle or
  // a failure of the server.
  ServiceReply CallUntil(Instant end, std::string_view operation, const std::string& json);
  Status Create(const std::string& json, const std::string& name);
  Result<bool> WaitUntilActive(const std::string& name);

  const Parts parts_;
  std::vector<std::string> made_ = {};
};

// Returns a sentence about a call that did not succeed.
std::string RefusalText(std::string_view operation, const ServiceReply& reply,
                        const EndpointUrl& url);

}  // namespace hashrange
