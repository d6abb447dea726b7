#include "server/http/http_date.h"

#include <chrono>
#include <cstring>
#include <ctime>
#include <string_view>

namespace hashrange {
namespace {

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

}  // namespace

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
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  if (now.tv_sec != lines.epoch_s) {
    WriteHttpDate(now.tv_sec, lines.text + kServerLinesBytes - 2 - kHttpDateBytes);
    lines.epoch_s = now.tv_sec;
  }
  return lines.text;
}

}  // namespace hashrange
