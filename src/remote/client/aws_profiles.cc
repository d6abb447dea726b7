#include "remote/client/aws_profiles.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/file_text.h"
#include "base/lower_case.h"
#include "remote/client/environment.h"

namespace hashrange {
namespace {

constexpr std::string_view kSpaces = " \t\r";

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

// Returns the text before a comment: "#" or ";" after a space.
std::string_view WithoutComment(std::string_view value) {
  for (std::size_t at = 1; at < value.size(); ++at) {
    const bool begins = value[at] == '#' || value[at] == ';';
    if (begins && kSpaces.find(value[at - 1]) != kSpaces.npos) return Trim(value.substr(0, at));
  }
  return value;
}

// Returns the profile that a line such as "[profile work]" begins; empty when it begins another
// section, such as "[sso-session team]".
std::string_view ProfileOf(std::string_view line, bool is_config) {
  const std::string_view name = Trim(line.substr(1, line.find(']') - 1));
  if (!is_config || name == "default") return name;
  constexpr std::string_view kPrefix = "profile";
  if (!name.starts_with(kPrefix) || name.size() == kPrefix.size()) return {};
  const std::string_view rest = name.substr(kPrefix.size());
  return kSpaces.find(rest.front()) == kSpaces.npos ? std::string_view() : Trim(rest);
}

void AddProfiles(std::string_view text, bool is_config, AwsProfiles& profiles) {
  AwsProfile* profile = nullptr;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string_view trimmed = Trim(line);
    if (trimmed.empty() || trimmed.front() == '#' || trimmed.front() == ';') continue;
    if (trimmed.front() == '[') {
      const std::string_view name = ProfileOf(trimmed, is_config);
      profile = name.empty() ? nullptr : &profiles[std::string(name)];
      continue;
    }
    const bool is_nested = line.front() == ' ' || line.front() == '\t';
    const std::size_t equals = trimmed.find('=');
    if (profile == nullptr || is_nested || equals == trimmed.npos) continue;
    profile->insert_or_assign(LowerCase(Trim(trimmed.substr(0, equals))),
                              std::string(WithoutComment(Trim(trimmed.substr(equals + 1)))));
  }
}

Result<std::string> ReadFileOfUser(const char* variable, std::string_view in_home) {
  std::string path = EnvironmentVariable(variable);
  if (path.empty()) path = EnvironmentVariable("HOME") + std::string(in_home);
  std::error_code unknown;
  const bool is_missing = !std::filesystem::exists(path, unknown) && !unknown;
  if (is_missing) return std::string();
  return ReadFileText(path);
}

}  // namespace

AwsProfiles ParseAwsProfiles(std::string_view credentials, std::string_view config) {
  AwsProfiles profiles;
  AddProfiles(config, true, profiles);
  AddProfiles(credentials, false, profiles);
  return profiles;
}

Result<AwsProfiles> ReadAwsProfiles() {
  HR_ASSIGN(const std::string credentials,
            ReadFileOfUser("AWS_SHARED_CREDENTIALS_FILE", "/.aws/credentials"));
  HR_ASSIGN(const std::string config, ReadFileOfUser("AWS_CONFIG_FILE", "/.aws/config"));
  return ParseAwsProfiles(credentials, config);
}

}  // namespace hashrange
