#include "server/exchange/http_answer.h"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/checksums.h"
#include "base/random.h"
#include "platform/coarse_time.h"

namespace hashrange {
namespace {

std::string_view StatusLine(int status) {
  switch (status) {
    case 200:
      return "HTTP/1.1 200 OK\r\n";
    case 304:
      return "HTTP/1.1 304 Not Modified\r\n";
    case 400:
      return "HTTP/1.1 400 Bad Request\r\n";
    case 401:
      return "HTTP/1.1 401 Unauthorized\r\n";
    case 403:
      return "HTTP/1.1 403 Forbidden\r\n";
    case 404:
      return "HTTP/1.1 404 Not Found\r\n";
    case 405:
      return "HTTP/1.1 405 Method Not Allowed\r\n";
    case 406:
      return "HTTP/1.1 406 Not Acceptable\r\n";
    case 409:
      return "HTTP/1.1 409 Conflict\r\n";
    case 413:
      return "HTTP/1.1 413 Request Entity Too Large\r\n";
    case 501:
      return "HTTP/1.1 501 Not Implemented\r\n";
    case 503:
      return "HTTP/1.1 503 Service Unavailable\r\n";
    case 505:
      return "HTTP/1.1 505 HTTP Version Not Supported\r\n";
    default:
      return "HTTP/1.1 500 Internal Server Error\r\n";
  }
}

char* Put(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

// The headers that a page may read, besides the body. SDKs in a browser need these.
constexpr std::string_view kExposedHeaders =
    "\r\nAccess-Control-Expose-Headers: "
    "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,x-amz-crc32,Date";

char* Put(char* out, std::uint64_t number) { return std::to_chars(out, out + 20, number).ptr; }

// `Vary` keeps caches from giving the answer for one origin to a page of another origin.
char* PutOrigin(char* out, std::string_view allowed_origin) {
  out = Put(out, "\r\nAccess-Control-Allow-Origin: ");
  out = Put(out, allowed_origin);
  if (allowed_origin != "*") out = Put(out, "\r\nVary: Origin");
  return Put(out, kExposedHeaders);
}

constexpr char kDays[] = "SunMonTueWedThuFriSat";
constexpr char kMonths[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

void PutDigits(int number, int digits, char* out) {
  for (char* at = out + digits; at > out; number /= 10) {
    *--at = static_cast<char>('0' + number % 10);
  }
}

struct Lines {
  std::int64_t epoch_s = -1;  // the time in `text`
  char text[kServerLinesBytes + 1] = "Server: Server\r\nDate: Day, 00 Mon 0000 00:00:00 GMT\r\n";
};

std::string_view ErrorTypeForStatus(int http_status) {
  switch (http_status) {
    case 403:
      return "AccessDeniedException";
    case 413:
      return "RequestEntityTooLargeException";
    case 501:
      return "NotImplementedException";
    case 503:
      return "ServiceUnavailableException";
    default:
      return "SerializationException";
  }
}

}  // namespace

std::size_t WriteAnswerHead(const AnswerHead& head, char* out) {
  char* end = Put(out, StatusLine(head.status));
  end = Put(end, {ServerLines(), kServerLinesBytes});
  if (!head.content_type.empty()) {
    end = Put(end, "Content-Type: ");
    end = Put(end, head.content_type);
    end = Put(end, "\r\n");
  }
  end = Put(end, "Content-Length: ");
  end = Put(end, std::uint64_t{head.body.size()});
  end = Put(end, "\r\nx-amzn-RequestId: ");
  WriteRequestId(Random::ThisThread(), end);
  end += kRequestIdLength;
  end = Put(end, "\r\nx-amz-crc32: ");
  end = Put(end, std::uint64_t{Crc32(head.body)});
  if (!head.connection.empty()) {
    end = Put(end, "\r\nConnection: ");
    end = Put(end, head.connection);
  }
  if (!head.allowed_origin.empty()) end = PutOrigin(end, head.allowed_origin);
  end = Put(end, "\r\n\r\n");
  return static_cast<std::size_t>(end - out);
}

void WriteHttpDate(std::int64_t epoch_s, char* out) {
  using std::chrono::days;
  const std::chrono::sys_seconds time{std::chrono::seconds(epoch_s)};
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::memcpy(out, "Day, 00 Mon 0000 00:00:00 GMT", kHttpDateBytes);
  std::memcpy(out, kDays + 3 * std::chrono::weekday(day).c_encoding(), 3);
  PutDigits(static_cast<int>(static_cast<unsigned>(date.day())), 2, out + 5);
  std::memcpy(out + 8, kMonths + 3 * (static_cast<unsigned>(date.month()) - 1), 3);
  PutDigits(static_cast<int>(date.year()), 4, out + 12);
  PutDigits(static_cast<int>(clock.hours().count()), 2, out + 17);
  PutDigits(static_cast<int>(clock.minutes().count()), 2, out + 20);
  PutDigits(static_cast<int>(clock.seconds().count()), 2, out + 23);
}

const char* ServerLines() {
  static thread_local constinit Lines lines;
  if (const std::int64_t now_s = CoarseEpochSeconds(); now_s != lines.epoch_s) {
    WriteHttpDate(now_s, lines.text + kServerLinesBytes - 2 - kHttpDateBytes);
    lines.epoch_s = now_s;
  }
  return lines.text;
}

std::string ControlErrorBody(const Refusal& refusal) {
  return std::string(R"({"error":")").append(refusal.sentence).append("\"}");
}

std::string ApiErrorBody(const Refusal& refusal) {
  return std::string(R"({"__type":"com.amazon.coral.service#)")
      .append(ErrorTypeForStatus(refusal.http_status))
      .append(R"(","Message":")")
      .append(refusal.sentence)
      .append("\"}");
}

}  // namespace hashrange
