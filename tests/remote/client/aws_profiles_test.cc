#include "remote/client/aws_profiles.h"

#include <gtest/gtest.h>

namespace hashrange {
namespace {

TEST(AwsProfiles, BothFilesAreRead) {
  const AwsProfiles profiles = ParseAwsProfiles(
      "# keys\n[default]\naws_access_key_id = A ; mine\nAWS_Secret_Access_Key=B#b\r\n"
      "[work]\naws_access_key_id=C\n",
      "[default]\nregion = eu-west-1\naws_access_key_id = lost\n"
      "s3 =\n  region = nested\n"
      "[profile work]\nregion=us-east-2\n[sso-session work]\nsso_region=x\n[work]\nregion=lost\n"
      "no_value\n[profile]\n[profile  spaced ]\nregion=here\n");
  const AwsProfiles expected = {
      {"default",
       {{"aws_access_key_id", "A"},
        {"aws_secret_access_key", "B#b"},
        {"region", "eu-west-1"},
        {"s3", ""}}},
      {"spaced", {{"region", "here"}}},
      {"work", {{"aws_access_key_id", "C"}, {"region", "us-east-2"}}},
  };
  EXPECT_EQ(profiles, expected);
}

TEST(AwsProfiles, AnyTextIsRead) {
  EXPECT_EQ(ParseAwsProfiles("", ""), AwsProfiles());
  EXPECT_EQ(ParseAwsProfiles("[", "]\n=\n[]\n[profile"), AwsProfiles());
  EXPECT_EQ(ParseAwsProfiles("a=b\n[x", ""), (AwsProfiles{{"x", {}}}));
}

}  // namespace
}  // namespace hashrange
