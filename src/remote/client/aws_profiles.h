// AwsProfiles: what AWS's files of profiles say, ~/.aws/credentials and ~/.aws/config:
//
//   [default]               in both files
//   [work]                  in credentials
//   [profile work]          in config
//   aws_access_key_id = …   # a comment
//   s3 =
//     addressing_style = …  a setting of a setting: left out
//
// Where both files have a setting, that of credentials counts. A pure function of two texts, and
// one that reads the files.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hashrange {

using AwsProfile = std::map<std::string, std::string, std::less<>>;  // by name, in lower case
using AwsProfiles = std::map<std::string, AwsProfile, std::less<>>;

AwsProfiles ParseAwsProfiles(std::string_view credentials, std::string_view config);

// Reads the files that AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE name, or those in the user's
// home. A file that is not there counts as empty.
// Errors: ValidationException  a file cannot be read, or has more than 4 MiB
Result<AwsProfiles> ReadAwsProfiles();

}  // namespace hashrange
