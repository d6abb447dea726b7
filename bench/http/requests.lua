-- Sends prepared requests in turn: every text is built before the measurement starts.
--
--   wrk … -s requests.lua URL -- BODIES MODULUS HEADER=VALUE…
--
-- BODIES: a file with the JSON body of one request on each line, in random order. A body
-- that is a template (shop.py) is completed with a random number below MODULUS when it is
-- sent, so that requests are spread over more keys than could be prepared.

local requests, count, at, modulus = {}, 0, 0, 0

-- Returns a complete request, or the parts of a template: {text, offset, text, offset, …, text}.
local function parts_of(request)
  local parts, from = {}, 1
  for start, offset, after in request:gmatch('()@(%d%d%d%d%d%d%d)()') do
    parts[#parts + 1] = request:sub(from, start - 1)
    parts[#parts + 1] = tonumber(offset)
    from = after
  end
  if from == 1 then return request end
  parts[#parts + 1] = request:sub(from)
  return parts
end

local function complete(parts)
  local number, texts = math.random(0, modulus - 1), {}
  for i = 1, #parts, 2 do
    texts[i] = parts[i]
    if parts[i + 1] then texts[i + 1] = string.format('%08d', (number + parts[i + 1]) % modulus) end
  end
  return table.concat(texts)
end

function init(arguments)
  local headers = {}
  modulus = tonumber(arguments[2])
  for i = 3, #arguments do
    local name, value = arguments[i]:match('^([^=]+)=(.*)$')
    headers[name] = value
  end
  for body in io.lines(arguments[1]) do
    count = count + 1
    requests[count] = parts_of(wrk.format('POST', '/', headers, body))
  end
end

function request()
  at = at % count + 1
  local prepared = requests[at]
  if type(prepared) == 'string' then return prepared end
  return complete(prepared)
end

-- Prints one line of JSON for wrk.py. Times are in microseconds.
function done(summary, latency, _)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests": %d, "duration_us": %d, "p50_us": %d, "p99_us": %d, "not_2xx": %d, "socket_errors": %d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
