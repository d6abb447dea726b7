#include "client/credential_source.h"

#include <mutex>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "client/aws_profiles.h"
#include "client/container_credentials.h"
#include "client/environment.h"

namespace hashrange {
namespace {

constexpr std::int64_t kRefreshBeforeMs = 5 * 60 * 1000;
// For endpoints that take any keys. DynamoDB Local takes letters and digits only.
constexpr const char* kAnyKey = "hashrange";

class KeysThatStay : public CredentialSource {
 public:
  explicit KeysThatStay(SigningKeys keys) : keys_(std::move(keys)) {}
  Result<SigningKeys> Keys() override { return keys_; }

 private:
  const SigningKeys keys_;
};

// Asks for new keys some minutes before the present ones expire.
class ContainerKeys : public CredentialSource {
 public:
  explicit ContainerKeys(SigningKeys keys) : keys_(std::move(keys)) {}

  Result<SigningKeys> Keys() override {
    const std::lock_guard lock(mutex_);
    const std::int64_t now_ms = clock_.NowEpochMs();
    if (keys_.expires_epoch_ms == 0 || now_ms < keys_.expires_epoch_ms - kRefreshBeforeMs) {
      return keys_;
    }
    Result<SigningKeys> fresh = AskForContainerCredentials();
    if (fresh.ok()) {
      keys_ = *fresh;
    } else if (now_ms >= keys_.expires_epoch_ms) {
      return fresh;
    }
    return keys_;
  }

 private:
  const SystemClock clock_ = {};
  std::mutex mutex_;
  SigningKeys keys_;
};

std::string ChosenProfile(const std::string& asked) {
  if (!asked.empty()) return asked;
  std::string named = EnvironmentVariable("AWS_PROFILE");
  if (named.empty()) named = EnvironmentVariable("AWS_DEFAULT_PROFILE");
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
  SigningKeys keys;
  keys.access_key = Setting(profile->second, "aws_access_key_id");
  keys.secret_key = Setting(profile->second, "aws_secret_access_key");
  keys.session_token = Setting(profile->second, "aws_session_token");
  if (!keys.access_key.empty() && !keys.secret_key.empty()) return std::optional(keys);
  if (!was_asked_for && HasContainerCredentials()) return std::optional<SigningKeys>();
  return ValidationError(
      "The profile \"" + name +
      "\" has no aws_access_key_id with an aws_secret_access_key, and Hashrange uses no others; "
      "this puts the keys of any profile into the environment: eval \"$(aws configure "
      "export-credentials --format env --profile " +
      name + ")\"");
}

}  // namespace

Result<std::unique_ptr<CredentialSource>> FindCredentials(const CredentialOptions& options) {
  if (options.profile.empty()) {
    if (auto keys = KeysOfEnvironment()) return GivenCredentials(*std::move(keys));
  }
  const bool was_asked_for =
      !options.profile.empty() || !EnvironmentVariable("AWS_PROFILE").empty();
  auto profile = KeysOfProfile(ChosenProfile(options.profile), was_asked_for);
  // An endpoint that takes any keys does not need those of a profile.
  if (!profile.ok() && (!options.may_invent || was_asked_for)) return std::move(profile).error();
  if (profile.ok() && *profile) return GivenCredentials(**std::move(profile));
  if (HasContainerCredentials()) {
    auto keys = AskForContainerCredentials();
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

}  // namespace hashrange
