#include "operation/authentication.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

struct SignatureRow {
  const char* authorization;  // null: no header
  const char* query;
  bool has_date;
  const char* answer;  // "<code>: <message>", or "<account>/<region>"
};

constexpr char kCredential[] =
    "AWS4-HMAC-SHA256 Credential=111122223333/20260101/eu-west-1/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=00";

const SignatureRow kSignatureRows[] = {
    {kCredential, "", true, "111122223333/eu-west-1"},
    {"AWS4-HMAC-SHA256 Credential=AKID/1/us-west-2/x,SignedHeaders=a,Signature=b", "", true,
     "000000000000/us-west-2"},
    {"AWS4-HMAC-SHA256 Credential=1111222233334, SignedHeaders=a, Signature=b", "", true,
     "000000000000/us-east-1"},
    {"AWS4-HMAC-SHA256 Credential=AKID/1//x, SignedHeaders=a, Signature=b", "", true,
     "000000000000/us-east-1"},
    {"AWS4-x Credential=, SignedHeaders=, Signature=", "", true, "000000000000/us-east-1"},
    {nullptr, "", true,
     "MissingAuthenticationTokenException: Request is missing Authentication Token"},
    {"", "", true, "MissingAuthenticationTokenException: Request is missing Authentication Token"},
    {"Basic x", "", true,
     "MissingAuthenticationTokenException: Request is missing Authentication Token"},
    {"AWS4-HMAC-SHA256", "", true,
     "IncompleteSignatureException: Authorization header requires 'Credential' parameter. "
     "Authorization header requires 'Signature' parameter. Authorization header requires "
     "'SignedHeaders' parameter. Authorization=AWS4-HMAC-SHA256"},
    {"AWS4-HMAC-SHA256 Credential=a, XSignature=b, SignedHeaders", "", false,
     "IncompleteSignatureException: Authorization header requires 'Signature' parameter. "
     "Authorization header requires 'SignedHeaders' parameter. Authorization header requires "
     "existence of either a 'X-Amz-Date' or a 'Date' header. "
     "Authorization=AWS4-HMAC-SHA256 Credential=a, XSignature=b, SignedHeaders"},
    {kCredential, "X-Amz-Algorithm=x", true,
     "InvalidSignatureException: Found both 'X-Amz-Algorithm' as a query-string param and "
     "'Authorization' as HTTP header."},
    {nullptr, "X-Amz-Algorithm=x", true,
     "IncompleteSignatureException: AWS query-string parameters must include "
     "'X-Amz-Credential'. AWS query-string parameters must include 'X-Amz-Signature'. AWS "
     "query-string parameters must include 'X-Amz-SignedHeaders'. AWS query-string parameters "
     "must include 'X-Amz-Date'. Re-examine the query-string parameters."},
    {nullptr, "X-Amz-Credential=x", true,
     "MissingAuthenticationTokenException: Request is missing Authentication Token"},
    {nullptr,
     "X-Amz-Algorithm=&X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c&X-Amz-Date=d",
     true, "MissingAuthenticationTokenException: Request is missing Authentication Token"},
    {nullptr, "X-Amz-Algorithm", true,
     "MissingAuthenticationTokenException: Request is missing Authentication Token"},
    {kCredential, "X-Amz-Algorithm=", true, "111122223333/eu-west-1"},
    {nullptr,
     "a=b&X-Amz-Algorithm=x&X-Amz-Credential=111122223333%2f1%2Feu-west-1%2Fdynamodb&"
     "X-Amz-Signature=s&X-Amz-SignedHeaders=h&X-Amz-Date=d",
     false, "111122223333/eu-west-1"},
    {nullptr,
     "X-Amz-Algorithm=x&X-Amz-Credential=%&X-Amz-Signature=%2&X-Amz-SignedHeaders=%zz&X-Amz-Date=",
     false, "000000000000/us-east-1"},
};

TEST(Authentication, ShapeOfTheSignatureDecides) {
  for (const SignatureRow& row : kSignatureRows) {
    ApiRequest request;
    if (row.authorization) request.authorization = row.authorization;
    request.query = row.query;
    request.has_date = row.has_date;
    Arena arena;
    const auto caller = Authenticate(request, KeyOwners::kDefaultAccount, arena);
    std::string answer;
    if (caller.ok()) {
      answer.append(caller->account_id).append("/").append(caller->region);
    } else {
      answer.append(ErrorInfoOf(caller.error().code).name)
          .append(": ")
          .append(caller.error().message);
    }
    EXPECT_EQ(answer, row.answer);
  }
}

// Returns the account of a request that the key signs.
std::string AccountOf(const std::string& access_key, KeyOwners owners) {
  const std::string header = "AWS4-HMAC-SHA256 Credential=" + access_key +
                             "/20260101/eu-west-1/dynamodb/aws4_request, SignedHeaders=h, "
                             "Signature=s";
  ApiRequest request;
  request.authorization = header;
  request.has_date = true;
  Arena arena;
  const auto caller = Authenticate(request, owners, arena);
  return caller.ok() ? std::string(caller->account_id) : caller.error().message;
}

TEST(Authentication, EachKeyMayHaveAnAccountOfItsOwn) {
  struct Case {
    const char* access_key;
    const char* own;  // with KeyOwners::kEachKey
    const char* by_default;
  };
  // The first 8 bytes of MD5("access key " + key), as a number, modulo 10^12.
  const Case cases[] = {
      {"111122223333", "111122223333", "111122223333"},  {"", "000000000000", "000000000000"},
      {"local", "682493137844", "000000000000"},         {"Local", "508512747381", "000000000000"},
      {"1111222233334", "927300814961", "000000000000"},
  };
  for (const Case& row : cases) {
    EXPECT_EQ(AccountOf(row.access_key, KeyOwners::kEachKey), row.own) << row.access_key;
    EXPECT_EQ(AccountOf(row.access_key, KeyOwners::kDefaultAccount), row.by_default);
  }
}

}  // namespace
}  // namespace hashrange
