#include "remote/client/credential_source.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "remote/client/aws_profiles.h"
#include "remote/client/container_credentials.h"
#include "remote/client/environment.h"

namespace hashrange {
namespace {

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

Result<std::unique_ptr<CredentialSource>> FindCredentials(const CredentialOptions& options) {
  if (options.profile.empty()) {
    if (auto found = KeysOfEnvironment()) {
      HR_ASSIGN(SigningKeys keys, CheckedKeys(*std::move(found)));
      return GivenCredentials(std::move(keys));
    }
  }
  const bool was_asked_for = !NamedProfile(options.profile).empty();
  auto profile = KeysOfProfile(ChosenProfile(options.profile), was_asked_for);
  // An endpoint that takes any keys does not need those of a profile.
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

}  // namespace hashrange
