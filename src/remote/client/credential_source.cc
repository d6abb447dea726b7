#include "remote/client/credential_source.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/file_text.h"
#include "base/text/host_name.h"
#include "base/text/short_text.h"
#include "base/text/time_text.h"
#include "remote/client/endpoint_url.h"
#include "remote/client/environment.h"
#include "remote/client/http_call.h"
#include "wire/owned_json.h"

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

// Reads the files that AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE name, or the files in the
// user's home. A file that is not there counts as empty.
// Errors: ValidationException  a file cannot be read, or has more than 4 MiB
Result<AwsProfiles> ReadAwsProfiles() {
  HR_ASSIGN(const std::string credentials,
            ReadFileOfUser("AWS_SHARED_CREDENTIALS_FILE", "/.aws/credentials"));
  HR_ASSIGN(const std::string config, ReadFileOfUser("AWS_CONFIG_FILE", "/.aws/config"));
  return ParseAwsProfiles(credentials, config);
}

constexpr std::string_view kAgentOfEcs = "http://169.254.170.2";
// Without TLS, only these are asked, as by AWS's SDKs: the agents of ECS and EKS, and this machine.
constexpr std::string_view kAgents[] = {"169.254.170.2", "169.254.170.23", "fd00:ec2::23"};
constexpr const char* kRelative = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
constexpr const char* kFull = "AWS_CONTAINER_CREDENTIALS_FULL_URI";

Error AgentError(std::string why) {
  return ValidationError("The credentials of this container cannot be had: " + std::move(why));
}

bool MayBeAsked(const EndpointUrl& url) {
  for (const std::string_view agent : kAgents) {
    if (url.host == agent) return true;
  }
  return IsLoopbackName(url.host) || url.host == "::1";
}

// Returns what the agent wants to see, from a file or from the environment; empty: nothing.
Result<std::string> Authorization() {
  const std::string path = EnvironmentVariable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  std::string token = EnvironmentVariable("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  if (!path.empty()) {
    constexpr std::size_t kMaxTokenBytes = 64 << 10;
    auto text = ReadFileText(path, kMaxTokenBytes);
    if (!text.ok()) return AgentError(text.error().message);
    token = std::move(*text);
  }
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  if (token.find_first_of("\r\n") != token.npos) {
    return AgentError("the authorization token has several lines");
  }
  return token;
}

// Returns whether the environment names the address of an agent.
bool HasContainerCredentials() {
  return !EnvironmentVariable(kRelative).empty() || !EnvironmentVariable(kFull).empty();
}

// Asks the agent of ECS, EKS and the like for keys. Waits for some seconds at most.
// Errors: ValidationException  the address is not one that may be asked, nothing answers there, or
//         the answer is not as it should be
Result<SigningKeys> AskForContainerCredentials() {
  const std::string relative = EnvironmentVariable(kRelative);
  // Another text behind the agent's address could turn it into the address of another host.
  if (!relative.empty() && relative.front() != '/') {
    return AgentError(std::string(kRelative) + " does not begin with /: " + relative);
  }
  const std::string address =
      relative.empty() ? EnvironmentVariable(kFull) : std::string(kAgentOfEcs) + relative;
  const std::string query = address.substr(std::min(address.find('?'), address.size()));
  HR_ASSIGN(const EndpointUrl url,
            ParseEndpointUrl(std::string_view(address).substr(0, address.size() - query.size())));
  if (url.is_tls) {
    return AgentError(url.Text() + " is one of https, and only addresses of http are asked");
  }
  if (!MayBeAsked(url)) {
    return AgentError(url.Text() + " is neither on this machine nor an agent of ECS or EKS");
  }
  if (!std::ranges::all_of(query, [](char c) { return c > ' ' && c <= '~'; })) {
    return AgentError("its address has a character that no address has");
  }
  HttpCall call;
  call.host = url.host;
  call.port = url.port;
  call.target = url.path + query;
  HR_ASSIGN(call.authorization, Authorization());
  std::string reason;
  const HttpReply reply = SendHttpCall(call, &reason);
  if (reply.status == 0) return AgentError(url.Text() + ": " + reason);
  if (!reply.ok()) return AgentError(url.Text() + " answers " + std::to_string(reply.status));
  return ParseContainerCredentials(reply.body);
}

constexpr std::int64_t kRefreshBeforeMs = 5 * 60 * 1000;
constexpr std::int64_t kBetweenQuestionsMs = 30 * 1000;
// For endpoints that take any keys. DynamoDB Local takes letters and digits only.
constexpr const char* kAnyKey = "hashrange";

// Keys become parts of headers. The sentence does not show them.
Result<SigningKeys> CheckedKeys(Result<SigningKeys> keys) {
  if (!keys.ok()) return keys;
  const SigningKeys& found = keys.value();
  for (const std::string* const text :
       {&found.access_key, &found.secret_key, &found.session_token}) {
    if (std::ranges::all_of(*text, [](char c) { return c > ' ' && c <= '~'; })) continue;
    return ValidationError(
        "An access key, secret key or session token that was found has a space, a line's end or "
        "another character that none of them has");
  }
  return keys;
}

class KeysThatStay : public CredentialSource {
 public:
  explicit KeysThatStay(SigningKeys keys) : keys_(std::move(keys)) {}
  Result<SigningKeys> Keys() override { return keys_; }

 private:
  const SigningKeys keys_;
};

// Asks for new keys some minutes before the present ones expire, but not at each call.
class ContainerKeys : public CredentialSource {
 public:
  explicit ContainerKeys(SigningKeys keys) : keys_(std::move(keys)) {}

  Result<SigningKeys> Keys() override {
    const std::lock_guard lock(mutex_);
    const std::int64_t now_ms = clock_.NowEpochMs();
    const bool is_fresh =
        keys_.expires_epoch_ms == 0 || now_ms < keys_.expires_epoch_ms - kRefreshBeforeMs;
    if (!is_fresh && now_ms >= next_question_epoch_ms_) {
      next_question_epoch_ms_ = now_ms + kBetweenQuestionsMs;
      Result<SigningKeys> fresh = CheckedKeys(AskForContainerCredentials());
      why_stale_ = fresh.ok() ? "" : fresh.error().message;
      if (fresh.ok()) keys_ = std::move(fresh).value();
    }
    const bool has_expired = keys_.expires_epoch_ms != 0 && now_ms >= keys_.expires_epoch_ms;
    if (has_expired && !why_stale_.empty()) return ValidationError(why_stale_);
    return keys_;
  }

 private:
  const SystemClock clock_ = {};
  std::mutex mutex_;
  SigningKeys keys_;
  std::int64_t next_question_epoch_ms_ = 0;
  std::string why_stale_ = {};  // why the last question was in vain
};

// Returns the profile that the user has named; empty: none.
std::string NamedProfile(const std::string& asked) {
  if (!asked.empty()) return asked;
  std::string named = EnvironmentVariable("AWS_PROFILE");
  return named.empty() ? EnvironmentVariable("AWS_DEFAULT_PROFILE") : named;
}

std::string ChosenProfile(const std::string& asked) {
  std::string named = NamedProfile(asked);
  return named.empty() ? "default" : named;
}

std::optional<SigningKeys> KeysOfEnvironment() {
  SigningKeys keys;
  keys.access_key = EnvironmentVariable("AWS_ACCESS_KEY_ID");
  keys.secret_key = EnvironmentVariable("AWS_SECRET_ACCESS_KEY");
  keys.session_token = EnvironmentVariable("AWS_SESSION_TOKEN");
  if (keys.access_key.empty() || keys.secret_key.empty()) return std::nullopt;
  return keys;
}

std::string Setting(const AwsProfile& profile, std::string_view name) {
  const auto setting = profile.find(name);
  return setting == profile.end() ? std::string() : setting->second;
}

// Returns the keys of the profile; nothing where there is no such profile and none was asked for.
Result<std::optional<SigningKeys>> KeysOfProfile(const std::string& name, bool was_asked_for) {
  HR_ASSIGN(const AwsProfiles profiles, ReadAwsProfiles());
  const auto profile = profiles.find(name);
  if (profile == profiles.end()) {
    if (!was_asked_for) return std::optional<SigningKeys>();
    return ValidationError("There is no profile \"" + name +
                           "\" in ~/.aws/credentials and ~/.aws/config");
  }
  // The SDKs prefer these to keys in the same profile.
  constexpr std::string_view kOtherSources[] = {"role_arn", "sso_session", "sso_start_url",
                                                "web_identity_token_file"};
  const bool has_other_source = std::ranges::any_of(
      kOtherSources, [&](std::string_view source) { return profile->second.contains(source); });
  SigningKeys keys;
  keys.access_key = Setting(profile->second, "aws_access_key_id");
  keys.secret_key = Setting(profile->second, "aws_secret_access_key");
  keys.session_token = Setting(profile->second, "aws_session_token");
  const bool has_keys = !keys.access_key.empty() && !keys.secret_key.empty();
  if (has_keys && !has_other_source) return std::optional(keys);
  if (!was_asked_for && HasContainerCredentials()) return std::optional<SigningKeys>();
  return ValidationError(
      "The profile \"" + name + "\" " +
      (has_other_source ? "names a role or a sign-in"
                        : "has no aws_access_key_id with an aws_secret_access_key") +
      ", and Hashrange uses keys only; "
      "this puts the keys of any profile into the environment: eval \"$(aws configure "
      "export-credentials --format env --profile " +
      name + ")\"");
}

}  // namespace

AwsProfiles ParseAwsProfiles(std::string_view credentials, std::string_view config) {
  AwsProfiles profiles;
  AddProfiles(config, true, profiles);
  AddProfiles(credentials, false, profiles);
  return profiles;
}

Result<SigningKeys> ParseContainerCredentials(std::string_view json) {
  const auto parsed = OwnedJson::Parse(std::string(json), JsonDialect::kRequest);
  if (!parsed.ok() || !parsed.value().is_object()) {
    return AgentError("the agent's answer is not a JSON object");
  }
  SigningKeys keys;
  keys.access_key = TextMember(parsed.value().value(), "AccessKeyId");
  keys.secret_key = TextMember(parsed.value().value(), "SecretAccessKey");
  keys.session_token = TextMember(parsed.value().value(), "Token");
  if (keys.access_key.empty() || keys.secret_key.empty()) {
    return AgentError("the agent's answer has no AccessKeyId or no SecretAccessKey");
  }
  const std::string_view expiration = TextMember(parsed.value().value(), "Expiration");
  if (!expiration.empty()) {
    const std::optional<std::int64_t> expires = ParseInstant(expiration);
    if (!expires) return AgentError("the agent's answer has an Expiration that is no time");
    keys.expires_epoch_ms = *expires;
  }
  return keys;
}

Result<std::unique_ptr<CredentialSource>> FindCredentials(const CredentialOptions& options) {
  if (options.profile.empty()) {
    if (auto found = KeysOfEnvironment()) {
      HR_ASSIGN(SigningKeys keys, CheckedKeys(*std::move(found)));
      return GivenCredentials(std::move(keys));
    }
  }
  const bool was_asked_for = !NamedProfile(options.profile).empty();
  auto profile = KeysOfProfile(ChosenProfile(options.profile), was_asked_for);
  // An endpoint that takes any keys does not need the keys of a profile.
  const bool is_binding = !options.may_invent || !options.profile.empty();
  if (!profile.ok() && is_binding) return std::move(profile).error();
  if (profile.ok() && profile.value()) {
    HR_ASSIGN(SigningKeys keys, CheckedKeys(*std::move(profile).value()));
    return GivenCredentials(std::move(keys));
  }
  if (HasContainerCredentials()) {
    auto keys = CheckedKeys(AskForContainerCredentials());
    if (keys.ok()) return std::unique_ptr<CredentialSource>(new ContainerKeys(*std::move(keys)));
    if (!options.may_invent) return std::move(keys).error();
  }
  if (options.may_invent) return GivenCredentials({kAnyKey, kAnyKey, "", 0});
  return ValidationError(
      "There are no credentials: neither AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, nor the "
      "profile \"" +
      ChosenProfile(options.profile) +
      "\" in ~/.aws/credentials, nor an address in AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or "
      "AWS_CONTAINER_CREDENTIALS_FULL_URI");
}

std::unique_ptr<CredentialSource> GivenCredentials(SigningKeys keys) {
  return std::make_unique<KeysThatStay>(std::move(keys));
}

std::string ConfiguredRegion(const std::string& profile) {
  for (const char* const variable : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    if (std::string region = EnvironmentVariable(variable); !region.empty()) return region;
  }
  const auto profiles = ReadAwsProfiles();
  if (!profiles.ok()) return {};
  const auto chosen = profiles.value().find(ChosenProfile(profile));
  return chosen == profiles.value().end() ? std::string() : Setting(chosen->second, "region");
}

std::string ChooseRegion(const std::string& given, const EndpointUrl& url,
                         const std::string& profile) {
  if (!given.empty()) return given;
  std::string region = RegionOfEndpoint(url);
  if (region.empty()) region = ConfiguredRegion(profile);
  return region.empty() ? "us-east-1" : region;
}

}  // namespace hashrange
