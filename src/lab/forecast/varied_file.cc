#include "lab/forecast/varied_file.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/portable_math.h"
#include "base/text/nearest_name.h"
#include "base/text/parse_whole.h"
#include "lab/language/lab_reader.h"

namespace hashrange {
namespace {

constexpr double kGreatestNumber = 1e15;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Returns the number that the text is; nothing where it is something else.
std::optional<NumberWithUnit> NumberIn(std::string_view text) {
  constexpr std::string_view kUnits[] = {"", "ms", "s", "m", "h", "d", "/s", "/min", "/h", "/d"};
  std::size_t end = 0;
  while (end < text.size() && (IsDigit(text[end]) || text[end] == '.')) ++end;
  const std::string_view digits = text.substr(0, end);
  const std::string_view unit = text.substr(end);
  const auto number = ParseWhole<double>(digits);
  if (!number || !(*number <= kGreatestNumber) || !IsDigit(digits.front())) return std::nullopt;
  if (std::ranges::find(kUnits, unit) == std::end(kUnits)) return std::nullopt;
  return NumberWithUnit{*number, std::string(unit), digits.find('.') == digits.npos};
}

bool IsNumber(const LabNode& node) {
  return node.kind == LabNode::Kind::kScalar && NumberIn(node.text).has_value();
}

// Calls `use(begin, length)` for the number of shards in each `shard(attribute, 8)` of the text.
template <typename Use>
void ForEachShards(std::string_view text, const Use& use) {
  constexpr std::string_view kCall = "shard(";
  for (std::size_t at = text.find(kCall); at != text.npos; at = text.find(kCall, at + 1)) {
    const std::size_t close = text.find(')', at);
    const std::size_t comma = text.find(',', at);
    if (close == text.npos || comma == text.npos || comma > close) continue;
    std::size_t begin = comma + 1;
    while (begin < close && text[begin] == ' ') ++begin;
    std::size_t end = begin;
    while (end < close && IsDigit(text[end])) ++end;
    if (end > begin) use(begin, end - begin);
  }
}

// Calls `use(name, child)` for each value of a map or list; those of a list have their numbers for
// names.
template <typename Node, typename Use>
void ForEachChild(Node& node, const Use& use) {
  for (auto& member : node.members) use(std::string_view(member.name), member.value);
  for (std::size_t i = 0; i < node.elements.size(); ++i) {
    use(std::string_view(std::to_string(i)), node.elements[i]);
  }
}

// Returns the node to which the path leads; null where there is none. Names may have points in
// them.
LabNode* NodeAt(LabNode& node, std::string_view path) {
  LabNode* found = nullptr;
  ForEachChild(node, [&](std::string_view name, LabNode& child) {
    if (found != nullptr || !path.starts_with(name)) return;
    const std::string_view rest = path.substr(name.size());
    if (rest.empty()) {
      found = &child;
    } else if (rest.front() == '.') {
      found = NodeAt(child, rest.substr(1));
    }
  });
  return found;
}

// --- The short forms of paths ---

struct ShortPath {
  std::string_view begin;
  std::string_view end;
  std::string_view of_short;
};
constexpr ShortPath kShortPaths[] = {{"access_patterns.", ".rate", "rates."},
                                     {"entities.", ".count", "counts."}};
constexpr std::string_view kEntities = "entities.";
constexpr std::string_view kAttributes = ".attributes.";
constexpr std::string_view kShards = ".shards";

// Returns the paths for which the given one may stand.
std::vector<std::string> WholePaths(std::string_view path) {
  std::vector<std::string> paths = {std::string(path)};
  for (const ShortPath& one : kShortPaths) {
    if (!path.starts_with(one.of_short)) continue;
    paths.push_back(
        std::string(one.begin).append(path.substr(one.of_short.size())).append(one.end));
  }
  const std::size_t point = path.find('.');
  if (point != path.npos) {
    paths.push_back(std::string(kEntities)
                        .append(path.substr(0, point))
                        .append(kAttributes)
                        .append(path.substr(point + 1)));
  }
  return paths;
}

std::string ShortForm(const std::string& path) {
  for (const ShortPath& one : kShortPaths) {
    if (path.starts_with(one.begin) && path.ends_with(one.end)) {
      const std::size_t length = path.size() - one.begin.size() - one.end.size();
      return std::string(one.of_short).append(path, one.begin.size(), length);
    }
  }
  const std::size_t attributes = path.find(kAttributes);
  if (!path.starts_with(kEntities) || attributes == path.npos) return path;
  return path.substr(kEntities.size(), attributes - kEntities.size()) + "." +
         path.substr(attributes + kAttributes.size());
}

// The numbers of a file, for sentences: the first ones, and none with a very long path. Rates,
// counts and shards come before the others.
class NumberList {
 public:
  void Add(const LabNode& node, const std::string& path) {
    constexpr std::size_t kMostPaths = 1000;
    constexpr std::size_t kLongestPath = 200;
    if (paths_.size() >= kMostPaths || path.size() > kLongestPath) return;
    const bool is_setting = path == "lab" || path == "seed";
    if (IsNumber(node) && !is_setting) paths_.push_back(ShortForm(path));
    bool has_shards = false;
    ForEachShards(node.text, [&](std::size_t, std::size_t) { has_shards = true; });
    const std::size_t layout_end = path.find('.', path.find('.') + 1);
    const std::string shards = path.substr(0, layout_end).append(kShards);
    if (has_shards && (paths_.empty() || paths_.back() != shards)) paths_.push_back(shards);
    ForEachChild(node, [&](std::string_view name, const LabNode& child) {
      Add(child, path.empty() ? std::string(name) : std::string(path).append(".").append(name));
    });
  }

  // Returns why there is no such number, and some that there are.
  std::string MissingSentence(std::string_view path) const {
    constexpr std::size_t kMostNamed = 12;
    std::vector<std::string_view> names(paths_.begin(), paths_.end());
    std::ranges::stable_partition(names, [](std::string_view name) {
      return name.starts_with("rates.") || name.starts_with("counts.") || name.ends_with(kShards);
    });
    std::string text = UnknownNameSentence("number", path, names);
    text += text.ends_with('?') ? " " : ". ";
    text += "Numbers of the file are ";
    for (std::size_t i = 0; i < std::min(kMostNamed, names.size()); ++i) {
      text.append(i == 0 ? "\"" : ", \"").append(names[i]).append("\"");
    }
    if (names.empty()) return text + "none";
    return names.size() > kMostNamed
               ? text + " and " + std::to_string(names.size() - kMostNamed) + " more"
               : text;
  }

 private:
  std::vector<std::string> paths_ = {};
};

}  // namespace

std::string TextOfNumber(const NumberWithUnit& number) {
  constexpr int kDigits = 3;
  int decimals = 0;
  if (!number.is_whole && number.number > 0) {
    const int magnitude = static_cast<int>(std::floor(PortableLog10(number.number)));
    decimals = std::clamp(kDigits - 1 - magnitude, 0, 12);
  }
  char digits[64];
  const int length = std::snprintf(digits, sizeof digits, "%.*f", decimals, number.number);
  std::string text(digits, static_cast<std::size_t>(length));
  if (decimals > 0) text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + number.unit;
}

Result<VariedFile> VariedFile::Find(LabNode document, std::string_view name,
                                    std::string_view path) {
  VariedFile file(std::move(document), name);
  HR_RETURN_IF_ERROR(file.Take(path));
  return file;
}

Status VariedFile::Take(std::string_view path) {
  for (const std::string& whole : WholePaths(path)) {
    LabNode* const node = NodeAt(document_, whole);
    if (node == nullptr || !IsNumber(*node)) continue;
    declared_ = *NumberIn(node->text);
    texts_.push_back({node, node->text, {{0, node->text.size()}}});
    return {};
  }
  if (path.ends_with(kShards)) {
    LabNode* const node = NodeAt(document_, path.substr(0, path.size() - kShards.size()));
    if (node != nullptr) HR_RETURN_IF_ERROR(TakeShards(*node));
  }
  if (!texts_.empty()) return {};
  NumberList numbers;
  numbers.Add(document_, "");
  return ValidationError(numbers.MissingSentence(path));
}

Status VariedFile::TakeShards(LabNode& node) {
  VariedText varied = {&node, node.text};
  Status status;
  ForEachShards(node.text, [&](std::size_t begin, std::size_t length) {
    const NumberWithUnit shards =
        NumberIn(node.text.substr(begin, length)).value_or(NumberWithUnit());
    const bool is_first = texts_.empty() && varied.occurrences.empty();
    if (is_first) declared_ = shards;
    if (shards.number != declared_.number) {
      status = ValidationError("there are " + TextOfNumber(declared_) + " shards and " +
                               TextOfNumber(shards) +
                               ": a number that is varied has one declared value");
    }
    varied.occurrences.push_back({begin, length});
  });
  HR_RETURN_IF_ERROR(std::move(status));
  if (!varied.occurrences.empty()) texts_.push_back(std::move(varied));
  ForEachChild(node, [&](std::string_view, LabNode& child) {
    if (status.ok()) status = TakeShards(child);
  });
  return status;
}

Result<LabFile> VariedFile::With(const NumberWithUnit& number) {
  const std::string text = TextOfNumber(number);
  for (const VariedText& varied : texts_) {
    std::string& changed = varied.node->text;
    changed.clear();
    std::size_t done = 0;
    for (const Occurrence& one : varied.occurrences) {
      changed.append(varied.original, done, one.begin - done).append(text);
      done = one.begin + one.length;
    }
    changed.append(varied.original, done);
  }
  return ReadLabFile(document_, name_);
}

namespace {

Error WrongRange(std::string_view text) {
  return ValidationError("\"" + std::string(text.substr(0, 200)) +
                         "\" is no range of a number: it is written as "
                         "rates.NAME=0.1/s..100/s, counts.NAME=1000..100000 or NAME=x0.1..x10");
}

// Takes the sign of a multiple from the beginning.
bool TakeMultiple(std::string_view& text) {
  const bool is_multiple = text.starts_with('x');
  if (is_multiple) text.remove_prefix(1);
  return is_multiple;
}

}  // namespace

Result<VariedRange> ReadVariedRange(std::string_view text) {
  const std::size_t equal = text.rfind('=');
  if (equal == text.npos || equal == 0) return WrongRange(text);
  std::string_view from = text.substr(equal + 1);
  const std::size_t points = from.find("..");
  if (points == from.npos) return WrongRange(text);
  std::string_view to = from.substr(points + 2);
  from = from.substr(0, points);
  const bool is_multiple = TakeMultiple(from);
  if (TakeMultiple(to) != is_multiple) return WrongRange(text);
  const auto first = NumberIn(from);
  const auto last = NumberIn(to);
  if (!first || !last || (is_multiple && !(first->unit + last->unit).empty())) {
    return WrongRange(text);
  }
  if (!first->unit.empty() && first->unit != last->unit) {
    return ValidationError("the range \"" + std::string(text.substr(equal + 1)) +
                           "\" has two units; both ends have the same, or the first has none");
  }
  if (first->number >= last->number) {
    return ValidationError("the range \"" + std::string(text.substr(equal + 1)) +
                           "\" has to begin below its end");
  }
  return VariedRange{.path = std::string(text.substr(0, equal)),
                     .from = first->number,
                     .to = last->number,
                     .unit = last->unit,
                     .is_whole = first->is_whole && last->is_whole,
                     .is_multiple = is_multiple};
}

}  // namespace hashrange
