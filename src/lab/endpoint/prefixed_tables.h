// The tables of a run at an endpoint: their names, which nobody else's tables have (PrefixedLab),
// and their life from CreateTable to DeleteTable (PrefixedTables). A table that the run has not
// made is never removed. Used by one thread at a time.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/endpoint/endpoint_replies.h"
#include "lab/language/lab_file.h"
#include "remote/client/service_client.h"

namespace hashrange {

// Returns the file with the prefix and the number of the layout before the name of each table, in
// the requests of `serve`, too: "hashrange-lab-abcdef-2-shop". So a table that is being removed
// never has the name of the next layout's. The file is without what differs from endpoint to
// endpoint or exists on simulated time only: time to live and the latency of the client.
// Errors: ValidationException  a name with the prefix is no name of a table: 3 to 255 letters,
//         digits, '_', '-' and '.'
Result<LabFile> PrefixedLab(const LabFile& file, std::string_view prefix);

// Returns a prefix that nobody has: "hashrange-lab-" and six random letters with a hyphen.
std::string UniquePrefix();

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
