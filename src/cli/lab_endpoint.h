// The endpoint at which `hashrange lab run` makes its calls, too. Used by one thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "base/result.h"
#include "cli/lab_line.h"
#include "lab/endpoint/endpoint_lab.h"
#include "remote/client/credential_source.h"

namespace hashrange {

// An endpoint that has answered.
struct OpenedEndpoint {
  std::unique_ptr<CredentialSource> credentials;
  std::unique_ptr<EndpointLab> lab;  // uses the credentials
};

// Returns the endpoint of the line, which has one. What the user has to know is printed to stderr.
// `file` and `stop` outlive the result.
// Errors: those of EndpointLab::Open, and ValidationException where the URL or the credentials are
//         wrong
Result<OpenedEndpoint> OpenLabEndpoint(const LabLine& line, const LabFile& file,
                                       const std::atomic<bool>& stop,
                                       std::function<void(double)> progress);

// Prints why layouts were not run to their end, and what they left behind, to stderr.
void PrintEndpointTrouble(const EndpointResult& result);

}  // namespace hashrange
