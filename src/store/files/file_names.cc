#include "store/files/file_names.h"

#include <cstddef>
#include <cstdio>

#include "base/text/parse_whole.h"

namespace hashrange {
namespace {

struct NameForm {
  std::string_view before;
  std::string_view after;
  StoreFileKind kind;
};
constexpr NameForm kNameForms[] = {
    {"", ".log", StoreFileKind::kLog},         {"MANIFEST-", "", StoreFileKind::kManifest},
    {"", ".ldb", StoreFileKind::kTable},       {"", ".sst", StoreFileKind::kTable},
    {"", ".dbtmp", StoreFileKind::kTemporary},
};

}  // namespace

std::optional<StoreFileName> ParseStoreFileName(std::string_view path) {
  const std::string_view name = NameInPath(path);
  for (const NameForm& form : kNameForms) {
    if (!name.starts_with(form.before) || !name.ends_with(form.after)) continue;
    const std::size_t around = form.before.size() + form.after.size();
    if (name.size() <= around) continue;
    const auto number =
        ParseWhole<std::uint64_t>(name.substr(form.before.size(), name.size() - around));
    if (number) return StoreFileName{form.kind, *number};
  }
  return std::nullopt;
}

std::string LogFileName(std::uint64_t number) {
  char name[32];
  const int size =
      std::snprintf(name, sizeof name, "%06llu.log", static_cast<unsigned long long>(number));
  return std::string(name, static_cast<std::size_t>(size));
}

std::string PathIn(const std::string& directory, std::string_view name) {
  return directory + "/" + std::string(name);
}

std::string DirectoryOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string WithoutEndSlash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

std::string_view NameInPath(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace hashrange
