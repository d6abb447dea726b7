// The limits of a run at an endpoint: how long it waits, and how much it keeps open. Plain data.
#pragma once

#include <chrono>
#include <cstddef>

#include "lab/endpoint/reply_queue.h"

namespace hashrange {

struct EndpointLimits {
  // A run is given up when the endpoint has answered nothing for so long.
  std::chrono::milliseconds silence{30'000};
  // The fill is given up when nothing was written for so long.
  std::chrono::milliseconds fill_silence{60'000};
  // Calls that are open so long after the end of the traffic are given up.
  std::chrono::milliseconds drain{60'000};
  std::chrono::milliseconds until_active{600'000};  // of a table that was made
  std::chrono::milliseconds until_removed{60'000};  // of one that is removed
  std::chrono::milliseconds answer{10'000};         // of one attempt
  // How long the first question to the endpoint is asked again where it is not answered.
  std::chrono::milliseconds probe{2'000};
  std::size_t most_open_calls = 4096;
  std::size_t most_open_bytes = 256 << 20;  // of requests that are not answered
  std::size_t connections = 256;
};

}  // namespace hashrange
