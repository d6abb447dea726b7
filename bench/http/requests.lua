-- Sends prepared requests in turn: every string is put together before the clock starts.
--
--   wrk … -s requests.lua URL -- BODIES HEADER=VALUE…
--
-- BODIES: a file with the JSON body of one request on each line, in random order.

local requests, count, at = {}, 0, 0

function init(arguments)
  local headers = {}
  for i = 2, #arguments do
    local name, value = arguments[i]:match('^([^=]+)=(.*)$')
    headers[name] = value
  end
  for body in io.lines(arguments[1]) do
    count = count + 1
    requests[count] = wrk.format('POST', '/', headers, body)
  end
end

function request()
  at = at % count + 1
  return requests[at]
end

-- One line of JSON for wrk.py. Times are in microseconds.
function done(summary, latency, _)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests": %d, "duration_us": %d, "p50_us": %d, "p99_us": %d, "not_2xx": %d, "socket_errors": %d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
