// EndpointLab: the lab file of a modelled run at an endpoint that is not this process: DynamoDB,
// ScyllaDB Alternator, another Hashrange. Layouts run one after another, each in tables of its own,
// which are removed behind it:
//
//   the twin is filled → tables are made and filled from it → traffic → tables are removed
//
// The same picks and the same requests are made as in the modelled run; what the endpoint reports
// is held against the twin (endpoint_twin.h). Used by one thread at a time.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/endpoint/endpoint_replies.h"
#include "lab/endpoint/run_cost.h"
#include "lab/language/lab_file.h"
#include "lab/run/lab_result.h"
#include "remote/client/credential_source.h"
#include "remote/client/endpoint_url.h"
#include "remote/client/service_client.h"

namespace hashrange {

struct EndpointRunOptions {
  EndpointUrl url = {};
  std::string region = "us-east-1";
  CredentialSource* credentials = nullptr;  // outlives the lab
  std::string ca_file = {};                 // ServiceClient::Options::ca_file
  EndpointTraffic traffic = {};
  std::string prefix = {};                            // of the tables; empty: one that nobody has
  bool is_charged = false;                            // calls cost money: a run needs `spend_usd`
  std::optional<double> spend_usd = {};               // a run that costs more is given up
  std::vector<std::string> only_layouts = {};         // names; empty: all
  const std::atomic<bool>* stop = nullptr;            // when it becomes true, the run ends early
  std::function<void(double)> progress = {};          // called with the share that is done, 0 to 1
  std::function<void(const std::string&)> note = {};  // called with sentences for the user
  EndpointLimits limits = {};
};

class EndpointLab {
 public:
  // Returns a lab; the endpoint has answered, and has none of the tables.
  // Errors: ValidationException    an option is wrong, a table exists
  //         InternalServerError    the endpoint does not answer, or refuses to
  static Result<std::unique_ptr<EndpointLab>> Open(const LabFile& file,
                                                   const EndpointRunOptions& options);

  // Makes the traffic of each layout that has a modelled run, and removes all tables. A layout
  // whose run cannot go on has a sentence that says why; the next one is tried.
  // Errors: ValidationException  calls cost money, and more than may be spent; or then, a twin
  //         refuses what the modelled run did not refuse
  Result<EndpointResult> Run(const LabResult& modelled);

 private:
  EndpointLab(LabFile prefixed, std::string prefix, const EndpointRunOptions& options,
              std::unique_ptr<ServiceClient> tables_client);

  const LabFile file_;  // with prefixed names
  const std::string prefix_;
  const EndpointRunOptions options_;
  const std::unique_ptr<ServiceClient> tables_client_;
};

// Returns a client for the endpoint of the options that sends nothing again by itself.
// Errors: ValidationException  the file of certificates cannot be read
Result<std::unique_ptr<ServiceClient>> OpenEndpointClient(const EndpointRunOptions& options,
                                                          std::size_t connections);

// Returns whether a layout was not run to its end, or left something behind.
bool HasTrouble(const EndpointResult& result);

}  // namespace hashrange
