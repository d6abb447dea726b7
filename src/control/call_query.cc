#include "control/call_query.h"

#include <algorithm>
#include <optional>

#include "control/control_json.h"

namespace hashrange {
namespace {

std::optional<int> HexDigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

// Wrongly encoded characters are taken literally. A '+' stands for `plus`.
std::string_view PercentDecoded(std::string_view text, char plus, Arena& arena) {
  char* const begin = arena.AllocateBytes(text.size());
  char* out = begin;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const auto high = HexDigitOf(text[i + 1]), low = HexDigitOf(text[i + 2]);
      if (high && low) {
        *out++ = static_cast<char>(*high * 16 + *low);
        i += 2;
        continue;
      }
    }
    *out++ = text[i] == '+' ? plus : text[i];
  }
  return {begin, static_cast<std::size_t>(out - begin)};
}

}  // namespace

std::string_view DecodedPathName(std::string_view name, Arena& arena) {
  return PercentDecoded(name, '+', arena);
}

std::string_view CallQuery::Find(std::string_view name) const {
  const auto at = std::ranges::find(parameters_, name, &Parameter::name);
  return at == parameters_.end() ? std::string_view() : at->value;
}

Result<CallQuery> ReadCallQuery(std::string_view query, std::span<const std::string_view> names,
                                Arena& arena) {
  const auto parameters = arena.NewArray<CallQuery::Parameter>(names.size());
  CallQuery read;
  while (!query.empty()) {
    const std::string_view each = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(each.size() + 1, query.size()));
    if (each.empty()) continue;
    const std::size_t mark = std::min(each.find('='), each.size());
    const std::string_view name = PercentDecoded(each.substr(0, mark), ' ', arena);
    if (std::ranges::find(names, name) == names.end()) {
      return ValidationError("The query has an unknown parameter " + Quoted(name) +
                             "; it may have " + QuotedList(names) + ".");
    }
    const std::size_t count = read.parameters_.size();
    if (std::ranges::find(read.parameters_, name, &CallQuery::Parameter::name) !=
        read.parameters_.end()) {
      return ValidationError("The query has the parameter " + Quoted(name) + " twice.");
    }
    parameters[count] = {name,
                         PercentDecoded(each.substr(std::min(mark + 1, each.size())), ' ', arena)};
    read.parameters_ = parameters.first(count + 1);
  }
  return read;
}

}  // namespace hashrange
