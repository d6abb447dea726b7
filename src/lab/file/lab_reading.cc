#include "lab/file/lab_reading.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/nearest_name.h"
#include "lab/file/lab_document.h"

namespace hashrange {

void LabReading::Fail(LabPlace place, std::string_view sentence) {
  if (error_.ok()) error_ = LabErrorAt(name_, place, sentence);
}

void LabReading::Warn(LabPlace place, std::string_view sentence) {
  // What a layout takes from another one by `like:` is read for each of them.
  std::string warning = LabErrorAt(name_, place, sentence).message;
  if (std::ranges::find(file.warnings, warning) != file.warnings.end()) return;
  file.warnings.push_back(std::move(warning));
}

Result<LabFile> LabReading::TakeFile() {
  if (!error_.ok()) return std::move(error_).error();
  return std::move(file);
}

std::string NameList(std::span<const std::string> names) {
  constexpr std::size_t kMostNames = 20;
  const std::size_t shown = std::min(names.size(), kMostNames);
  std::string list;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) list += i + 1 == names.size() ? " and " : ", ";
    list += '"' + names[i] + '"';
  }
  if (shown < names.size()) list += " and " + std::to_string(names.size() - shown) + " more";
  return list;
}

std::string KnownNames(std::string_view given, std::span<const std::string> names) {
  if (names.empty()) return "; there is none";
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view nearest = NearestName(given, views);
  const std::string known = names.size() == 1 ? "nown is " : "nown are ";
  if (nearest.empty()) return "; k" + known + NameList(names);
  return "; did you mean \"" + std::string(nearest) + "\"? K" + known + NameList(names);
}

}  // namespace hashrange
