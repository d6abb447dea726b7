// CredentialSource: the keys that requests are signed with, found where AWS's SDKs find them, in
// this order:
//
//   AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
//   a profile of ~/.aws/credentials and ~/.aws/config (AWS_PROFILE, AWS_DEFAULT_PROFILE, else
//     "default")
//   AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or AWS_CONTAINER_CREDENTIALS_FULL_URI
//
// A profile that is asked for by name goes before the environment. Not looked for are keys of
// roles, of sign-ins (SSO), of other programs (credential_process) and of the metadata of EC2.
// Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "remote/client/endpoint_url.h"

namespace hashrange {

struct SigningKeys {
  std::string access_key = {};
  std::string secret_key = {};
  std::string session_token = {};     // empty: none
  std::int64_t expires_epoch_ms = 0;  // 0: they do not expire
};

class CredentialSource {
 public:
  virtual ~CredentialSource() = default;
  // Returns keys that are valid for some minutes at least. May wait, but for some seconds at most.
  // Errors: ValidationException  there are none; the sentence says where they were looked for
  virtual Result<SigningKeys> Keys() = 0;
};

struct CredentialOptions {
  std::string profile = {};  // empty: AWS_PROFILE, AWS_DEFAULT_PROFILE, else "default"
  // Whether an endpoint that does not verify signatures is called: where nothing is found, keys
  // that stand for nothing are used, as local endpoints take any.
  bool may_invent = false;
};

// Returns where keys are found. Looks for them at once.
// Errors: ValidationException  there are none, or a file is wrong
Result<std::unique_ptr<CredentialSource>> FindCredentials(const CredentialOptions& options);

// Returns keys that are given.
std::unique_ptr<CredentialSource> GivenCredentials(SigningKeys keys);

// Returns the Region that the environment or the profile names; empty: none.
std::string ConfiguredRegion(const std::string& profile);
// Returns the Region that requests to an endpoint are signed for: `given`, or else that of the URL,
// or else the configured one, or else us-east-1.
std::string ChooseRegion(const std::string& given, const EndpointUrl& url,
                         const std::string& profile);

// What AWS's files of profiles say, ~/.aws/credentials and ~/.aws/config:
//
//   [default]               in both files
//   [work]                  in credentials
//   [profile work]          in config
//   aws_access_key_id = …   # a comment
//   s3 =
//     addressing_style = …  a setting of a setting: left out
//
// Where both files have a setting, the setting in credentials counts.
using AwsProfile = std::map<std::string, std::string, std::less<>>;  // by name, in lower case
using AwsProfiles = std::map<std::string, AwsProfile, std::less<>>;
AwsProfiles ParseAwsProfiles(std::string_view credentials, std::string_view config);

// Returns the keys in the answer of the agent of a container:
// {"AccessKeyId":"…","SecretAccessKey":"…","Token":"…","Expiration":"2026-01-31T12:00:00Z"}.
// Errors: ValidationException  it has no keys
Result<SigningKeys> ParseContainerCredentials(std::string_view json);

}  // namespace hashrange
