#include "remote/client/credential_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "base/clock.h"
#include "base/text/time_text.h"
#include "remote/client/scoped_environment.h"
#include "remote/client/scripted_server.h"
#include "support/temporary_folder.h"

namespace hashrange {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class CredentialSourceTest : public testing::Test {
 protected:
  CredentialSourceTest() { std::filesystem::create_directories(home_ + "/.aws"); }

  void Write(const std::string& name, const std::string& text) {
    std::ofstream(home_ + "/.aws/" + name) << text;
  }

  // Returns "access secret token", or the sentence of the error.
  static std::string Keys(const CredentialOptions& options = {}) {
    const auto source = FindCredentials(options);
    if (!source.ok()) return source.error().message;
    const auto keys = source.value()->Keys();
    if (!keys.ok()) return keys.error().message;
    return keys.value().access_key + " " + keys.value().secret_key + " " +
           keys.value().session_token;
  }

  const test::TemporaryFolder temporary_;
  const std::string home_ = temporary_.path().string();
  test::ScopedEnvironment environment_{home_};
};

TEST_F(CredentialSourceTest, WithoutAnySaysWhereItLooked) {
  EXPECT_EQ(Keys(),
            "There are no credentials: neither AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, nor "
            "the profile \"default\" in ~/.aws/credentials, nor an address in "
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or AWS_CONTAINER_CREDENTIALS_FULL_URI");
  EXPECT_EQ(Keys({.may_invent = true}), "hashrange hashrange ");
}

TEST_F(CredentialSourceTest, TheEnvironmentGoesBeforeTheProfile) {
  Write("credentials", "[default]\naws_access_key_id=A\naws_secret_access_key=B\n");
  EXPECT_EQ(Keys(), "A B ");
  environment_.Set("AWS_ACCESS_KEY_ID", "X");
  EXPECT_EQ(Keys(), "A B ");  // half of a pair is none
  environment_.Set("AWS_SECRET_ACCESS_KEY", "Y");
  environment_.Set("AWS_SESSION_TOKEN", "Z");
  EXPECT_EQ(Keys(), "X Y Z");
  EXPECT_EQ(Keys({.profile = "default"}), "A B ");
}

TEST_F(CredentialSourceTest, AProfileIsFoundByItsName) {
  Write("credentials", "[work]\naws_access_key_id=A\naws_secret_access_key=B\n");
  Write("config",
        "[profile work]\naws_session_token=T\nregion=eu-west-1\n[profile sso]\n"
        "sso_session=s\n");
  EXPECT_EQ(Keys({.profile = "work"}), "A B T");
  EXPECT_EQ(ConfiguredRegion("work"), "eu-west-1");
  environment_.Set("AWS_PROFILE", "work");
  EXPECT_EQ(Keys(), "A B T");
  EXPECT_EQ(ConfiguredRegion(""), "eu-west-1");
  environment_.Set("AWS_REGION", "eu-west-3");
  EXPECT_EQ(ConfiguredRegion(""), "eu-west-3");
  EXPECT_EQ(Keys({.profile = "play"}),
            "There is no profile \"play\" in ~/.aws/credentials and ~/.aws/config");
  EXPECT_THAT(
      Keys({.profile = "sso"}),
      StartsWith("The profile \"sso\" names a role or a sign-in, and Hashrange uses keys only; "));
  EXPECT_THAT(Keys({.profile = "sso", .may_invent = true}),
              HasSubstr("aws configure export-credentials --format env --profile sso"));
}

TEST_F(CredentialSourceTest, ARoleGoesBeforeTheKeysOfItsProfile) {
  Write(
      "config",
      "[default]\naws_access_key_id=A\naws_secret_access_key=B\nrole_arn=arn:aws:iam::1:role/x\n");
  EXPECT_THAT(Keys(), StartsWith("The profile \"default\" names a role or a sign-in, and"));
  EXPECT_EQ(Keys({.may_invent = true}), "hashrange hashrange ");
}

TEST_F(CredentialSourceTest, AnEndpointThatTakesAnyKeysNeedsNoProfile) {
  environment_.Set("AWS_PROFILE", "missing");
  EXPECT_EQ(Keys({.may_invent = true}), "hashrange hashrange ");
  EXPECT_EQ(Keys({.profile = "missing", .may_invent = true}), Keys());
}

// No other keys are used in its place, as they may be of another account.
TEST_F(CredentialSourceTest, AProfileThatTheEnvironmentNamesHasToBeThere) {
  const std::string sentence = Keys({.profile = "missing"});
  for (const char* const name : {"AWS_PROFILE", "AWS_DEFAULT_PROFILE"}) {
    environment_.Set(name, "missing");
    EXPECT_EQ(Keys(), sentence);
    ::unsetenv(name);
  }
  EXPECT_NE(Keys(), sentence);
}

TEST_F(CredentialSourceTest, KeysThatNoHeaderCanHaveAreErrors) {
  environment_.Set("AWS_ACCESS_KEY_ID", "X");
  environment_.Set("AWS_SECRET_ACCESS_KEY", "secret");
  environment_.Set("AWS_SESSION_TOKEN", "a\r\nX-Evil: 1");
  EXPECT_EQ(Keys(),
            "An access key, secret key or session token that was found has a space, a line's end "
            "or another character that none of them has");
}

TEST_F(CredentialSourceTest, KeysThatSoonExpireAreNotAskedForAtEachCall) {
  std::atomic<int> answers{0};
  test::ScriptedServer agent([&](int, const test::ScriptedRequest& request) {
    EXPECT_THAT(request.head, StartsWith("GET /v1:x?role=a HTTP/1.1\r\n"));
    ++answers;
    return test::JsonAnswer(200,
                            R"({"AccessKeyId":"A","SecretAccessKey":"B","Expiration":")" +
                                InstantText(SystemClock().NowEpochMs() + 60'000) + R"("})",
                            "Connection: close\r\n");
  });
  environment_.Set("AWS_CONTAINER_CREDENTIALS_FULL_URI",
                   "http://127.0.0.1:" + std::to_string(agent.port()) + "/v1:x?role=a");
  const auto source = FindCredentials({});
  ASSERT_TRUE(source.ok()) << source.error().message;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(source.value()->Keys().value().access_key, "A");
  EXPECT_EQ(answers, 2);
}

TEST_F(CredentialSourceTest, AFileThatCannotBeReadIsAnError) {
  environment_.Set("AWS_SHARED_CREDENTIALS_FILE", home_);  // a folder
  EXPECT_EQ(Keys(), "cannot read " + home_ + ": Is a directory");
}

TEST_F(CredentialSourceTest, AContainerAsksItsAgent) {
  int answers = 0;
  test::ScriptedServer agent([&](int, const test::ScriptedRequest& request) {
    EXPECT_THAT(request.head, StartsWith("GET /v1/credentials HTTP/1.1\r\n"));
    EXPECT_THAT(request.head, HasSubstr("\r\nAuthorization: let me in\r\n"));
    ++answers;
    // The first keys expire so soon that the source asks again when it is asked for keys.
    return test::JsonAnswer(
        200,
        answers == 1 ? R"({"AccessKeyId":"A","SecretAccessKey":"B","Token":"1","Expiration":)"
                       R"("2001-01-01T00:00:00Z"})"
                     : R"({"AccessKeyId":"C","SecretAccessKey":"D","Token":"2","Expiration":)"
                       R"("9999-01-01T00:00:00Z"})",
        "Connection: close\r\n");
  });
  const std::string url = "http://127.0.0.1:" + std::to_string(agent.port()) + "/v1/credentials";
  environment_.Set("AWS_CONTAINER_CREDENTIALS_FULL_URI", url);
  Write("token", "let me in\n");
  environment_.Set("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", home_ + "/.aws/token");
  const auto source = FindCredentials({});
  ASSERT_TRUE(source.ok()) << source.error().message;
  EXPECT_EQ(source.value()->Keys().value().access_key, "C");
  EXPECT_EQ(source.value()->Keys().value().session_token, "2");
  EXPECT_EQ(answers, 2);
}

TEST_F(CredentialSourceTest, AnAgentElsewhereIsNotAsked) {
  environment_.Set("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://example.com/keys");
  EXPECT_EQ(Keys(),
            "The credentials of this container cannot be had: http://example.com/keys is neither "
            "on this machine nor an agent of ECS or EKS");
  environment_.Set("AWS_CONTAINER_CREDENTIALS_FULL_URI", "https://127.0.0.1/keys");
  EXPECT_EQ(Keys(),
            "The credentials of this container cannot be had: https://127.0.0.1/keys is one of "
            "https, and only addresses of http are asked");
  environment_.Set("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1:1/keys");
  EXPECT_EQ(Keys(),
            "The credentials of this container cannot be had: http://127.0.0.1:1/keys: Connection "
            "refused");
}

// "@evil.example/" would make the agent's address the user of another host.
TEST_F(CredentialSourceTest, ARelativeAddressOfAnAgentIsAPath) {
  environment_.Set("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "@127.0.0.1:1/keys");
  EXPECT_EQ(Keys(),
            "The credentials of this container cannot be had: "
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI does not begin with /: @127.0.0.1:1/keys");
}

TEST(ContainerCredentials, WrongAnswersAreErrors) {
  const auto parse = [](std::string_view json) {
    const auto keys = ParseContainerCredentials(json);
    return keys.ok() ? "" : keys.error().message;
  };
  const std::string begin = "The credentials of this container cannot be had: the agent's answer ";
  EXPECT_EQ(parse("no"), begin + "is not a JSON object");
  EXPECT_EQ(parse(R"({"AccessKeyId":"A"})"), begin + "has no AccessKeyId or no SecretAccessKey");
  EXPECT_EQ(parse(R"({"AccessKeyId":"A","SecretAccessKey":"B","Expiration":"soon"})"),
            begin + "has an Expiration that is no time");
}

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
