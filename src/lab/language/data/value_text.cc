#include "lab/language/data/value_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "base/portable_math.h"

namespace hashrange {
namespace {

constexpr std::string_view kCrockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

void WriteDigits(std::uint64_t number, char* first, char* last) {
  while (last != first) {
    *--last = static_cast<char>('0' + number % 10);
    number /= 10;
  }
}

// Appends the number ÷ 10^decimals.
void AppendScaled(std::int64_t number, int decimals, std::string& out) {
  if (number < 0) {
    out += '-';
    number = -number;
  }
  for (; decimals > 0 && number % 10 == 0; --decimals) number /= 10;
  std::array<char, 24> digits = {};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const auto count = static_cast<int>(end - digits.data());
  if (decimals == 0) {
    out.append(digits.data(), static_cast<std::size_t>(count));
    return;
  }
  const int whole = std::max(0, count - decimals);
  if (whole == 0) out += '0';
  out.append(digits.data(), static_cast<std::size_t>(whole));
  out += '.';
  out.append(static_cast<std::size_t>(decimals - (count - whole)), '0');
  out.append(digits.data() + whole, static_cast<std::size_t>(count - whole));
}

}  // namespace

void AppendIsoTime(std::int64_t epoch_ms, std::string& out) {
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(epoch_ms)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const auto of_day = static_cast<std::uint64_t>((time - day).count());
  std::array<char, 24> text = {'0', '0', '0', '0', '-', '0', '0', '-', '0', '0', 'T', '0',
                               '0', ':', '0', '0', ':', '0', '0', '.', '0', '0', '0', 'Z'};
  char* const at = text.data();
  WriteDigits(static_cast<std::uint64_t>(std::max(0, static_cast<int>(date.year()))), at, at + 4);
  WriteDigits(static_cast<unsigned>(date.month()), at + 5, at + 7);
  WriteDigits(static_cast<unsigned>(date.day()), at + 8, at + 10);
  WriteDigits(of_day / 3'600'000, at + 11, at + 13);
  WriteDigits(of_day / 60'000 % 60, at + 14, at + 16);
  WriteDigits(of_day / 1'000 % 60, at + 17, at + 19);
  WriteDigits(of_day % 1'000, at + 20, at + 23);
  out.append(at, text.size());
}

void AppendTimeInForm(std::int64_t epoch_ms, LabGenerator::TimeForm form, std::string& out) {
  switch (form) {
    case LabGenerator::TimeForm::kIso:
      return AppendIsoTime(epoch_ms, out);
    case LabGenerator::TimeForm::kSeconds:
      return AppendDecimal(std::floor(static_cast<double>(epoch_ms) / 1000), 0, out);
    case LabGenerator::TimeForm::kMilliseconds:
      return AppendDecimal(static_cast<double>(epoch_ms), 0, out);
  }
}

void AppendPadded(std::uint64_t number, int width, std::string& out) {
  std::array<char, 24> digits = {};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const auto count = static_cast<std::size_t>(end - digits.data());
  const auto wanted = static_cast<std::size_t>(std::max(0, width));
  if (count < wanted) out.append(wanted - count, '0');
  out.append(digits.data(), count);
}

void AppendDecimal(double number, int decimals, std::string& out) {
  constexpr double kGreatest = 1e37;
  constexpr double kExact = 9e15;
  number = std::clamp(std::isnan(number) ? 0.0 : number, -kGreatest, kGreatest);
  const double scaled = number * PortablePow(10.0, decimals);
  if (std::abs(scaled) < kExact) {
    AppendScaled(std::llround(scaled), decimals, out);
    return;
  }
  std::array<char, 400> text = {};
  const int length = std::snprintf(text.data(), text.size(), "%.*f", decimals, number);
  std::string_view digits(text.data(), static_cast<std::size_t>(length));
  if (decimals > 0) {
    // DynamoDB stores 38 digits; a double has 17.
    constexpr std::size_t kMostDigits = 38;
    digits = digits.substr(0, kMostDigits);
    digits = digits.substr(0, digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.remove_suffix(1);
  }
  out += digits;
}

void AppendUlidTime(std::int64_t epoch_ms, std::string& out) {
  std::array<char, 10> text = {};
  auto time = static_cast<std::uint64_t>(std::max<std::int64_t>(0, epoch_ms));
  for (std::size_t i = text.size(); i-- > 0; time >>= 5) text[i] = kCrockford[time & 31];
  out.append(text.data(), text.size());
}

void AppendUlid(std::int64_t epoch_ms, DrawSequence& draws, std::string& out) {
  AppendUlidTime(epoch_ms, out);
  std::array<char, 16> text = {};
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i, bits >>= 5) {
    // 64 bits are enough for 12 characters.
    if (i % 12 == 0) bits = draws.Next();
    text[i] = kCrockford[bits & 31];
  }
  out.append(text.data(), text.size());
}

void AppendUuid(DrawSequence& draws, std::string& out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
  std::uint64_t bits = 0;
  int left = 0;
  for (const char c : kForm) {
    if (c != 'x' && c != 'y') {
      out += c;
      continue;
    }
    if (left == 0) {
      bits = draws.Next();
      left = 16;
    }
    out += c == 'x' ? kHex[bits & 15] : kHex[8 | (bits & 3)];
    bits >>= 4;
    --left;
  }
}

void AppendVector(int dimensions, DrawSequence& draws, std::string& out) {
  // The sum of four numbers of 16 bits each is nearly normal, so that all directions are alike.
  constexpr double kMean = 2 * 65535.0;
  std::vector<double> elements(static_cast<std::size_t>(dimensions));
  double squares = 0;
  for (double& element : elements) {
    const std::uint64_t bits = draws.Next();
    const std::uint64_t sum =
        (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);
    element = static_cast<double>(sum) - kMean;
    squares += element * element;
  }
  const double length = std::sqrt(std::max(squares, 1.0));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    std::array<char, 64> text = {};
    const auto number = static_cast<float>(elements[i] / length);
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number + 0.0F,
                                   std::chars_format::fixed)
                         .ptr;
    out += i == 0 ? R"({"N":")" : R"(,{"N":")";
    out.append(text.data(), end).append(R"("})");
  }
}

std::uint64_t TextHash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return MixedHash({hash});
}

std::size_t SizeOfNumberText(std::string_view number) {
  const bool is_negative = number.starts_with('-');
  if (is_negative) number.remove_prefix(1);
  const std::size_t point = number.find('.');
  std::string_view whole = number.substr(0, point);
  std::string_view fraction =
      point == std::string_view::npos ? std::string_view() : number.substr(point + 1);
  while (whole.starts_with('0')) whole.remove_prefix(1);
  while (fraction.ends_with('0')) fraction.remove_suffix(1);
  if (fraction.empty()) {
    while (whole.ends_with('0')) whole.remove_suffix(1);
  }
  if (whole.empty()) {
    while (fraction.starts_with('0')) fraction.remove_prefix(1);
  }
  if (whole.empty() && fraction.empty()) return 1;
  return 1 + (whole.size() + 1) / 2 + (fraction.size() + 1) / 2 + (is_negative ? 1 : 0);
}

// Words: what they say does not matter, but how long they are does, and that they compress and read
// like text.

namespace {

constexpr std::array<std::string_view, 256> kWords = {
    "able",    "about",   "above",  "across",  "after",  "again",   "against",   "age",
    "ago",     "air",     "all",    "almost",  "alone",  "along",   "also",      "always",
    "amount",  "and",     "animal", "another", "answer", "any",     "apple",     "area",
    "arm",     "around",  "arrive", "art",     "ask",    "away",    "baby",      "back",
    "ball",    "bank",    "base",   "basket",  "beach",  "bear",    "beautiful", "because",
    "become",  "bed",     "before", "begin",   "behind", "believe", "below",     "best",
    "better",  "between", "big",    "bird",    "black",  "blue",    "boat",      "body",
    "book",    "both",    "box",    "boy",     "branch", "bread",   "bridge",    "bright",
    "bring",   "brother", "brown",  "build",   "busy",   "buy",     "cake",      "call",
    "camp",    "can",     "car",    "card",    "care",   "carry",   "cat",       "catch",
    "center",  "chair",   "change", "child",   "choose", "circle",  "city",      "class",
    "clean",   "clear",   "climb",  "clock",   "close",  "cloud",   "coat",      "cold",
    "color",   "come",    "cook",   "cool",    "copy",   "corn",    "corner",    "count",
    "country", "course",  "cover",  "cross",   "cup",    "cut",     "dance",     "dark",
    "day",     "deep",    "desk",   "dinner",  "door",   "down",    "draw",      "dream",
    "dress",   "drink",   "drive",  "dry",     "each",   "early",   "earth",     "east",
    "easy",    "eat",     "edge",   "egg",     "eight",  "empty",   "end",       "enough",
    "enter",   "evening", "every",  "eye",     "face",   "fall",    "family",    "far",
    "farm",    "fast",    "father", "feel",    "few",    "field",   "fill",      "find",
    "fine",    "finger",  "fire",   "first",   "fish",   "five",    "floor",     "flower",
    "fly",     "follow",  "food",   "foot",    "forest", "forget",  "four",      "fresh",
    "friend",  "from",    "front",  "fruit",   "full",   "game",    "garden",    "gate",
    "gentle",  "girl",    "give",   "glad",    "glass",  "go",      "gold",      "good",
    "grass",   "great",   "green",  "ground",  "group",  "grow",    "half",      "hand",
    "happy",   "hard",    "hat",    "have",    "head",   "hear",    "heart",     "heavy",
    "help",    "here",    "high",   "hill",    "hold",   "home",    "hope",      "horse",
    "hot",     "hour",    "house",  "how",     "ice",    "idea",    "inside",    "island",
    "job",     "join",    "jump",   "just",    "keep",   "key",     "kind",      "kitchen",
    "know",    "lake",    "land",   "large",   "last",   "late",    "laugh",     "leaf",
    "learn",   "leave",   "left",   "letter",  "light",  "like",    "line",      "listen",
    "little",  "long",    "look",   "love",    "low",    "lunch",   "machine",   "make",
    "many",    "map",     "market", "meadow",  "meal",   "meet",    "middle",    "morning",
};

}  // namespace

void AppendWords(std::size_t bytes, DrawSequence& draws, std::string& out) {
  const std::size_t end = out.size() + bytes;
  std::uint64_t bits = 0;
  for (int word = 0; out.size() < end; ++word, bits >>= 8) {
    if (word % 8 == 0) bits = draws.Next();
    out += kWords[bits & 0xff];
    out += ' ';
  }
  out.resize(end);
  if (bytes > 0 && out.back() == ' ') out.back() = 's';
}

}  // namespace hashrange
