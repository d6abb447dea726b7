#include "remote/client/tls_context.h"

#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <unistd.h>

#include <utility>

#include "remote/client/environment.h"

namespace hashrange {
namespace {

namespace ssl = boost::asio::ssl;

// Where Debian, Red Hat, SUSE and Alpine keep the certificates that the system trusts.
constexpr const char* kSystemFiles[] = {
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem"};

std::string TrustedFile() {
  for (const char* const variable : {"AWS_CA_BUNDLE", "SSL_CERT_FILE"}) {
    if (std::string path = EnvironmentVariable(variable); !path.empty()) return path;
  }
  for (const char* const path : kSystemFiles) {
    if (::access(path, R_OK) == 0) return path;
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<ssl::context>> MakeTlsContext(const std::string& ca_file) {
  const std::string path = ca_file.empty() ? TrustedFile() : ca_file;
  if (path.empty()) {
    return ValidationError(
        "This system has no file of trusted certificates; --ca-file or AWS_CA_BUNDLE names one");
  }
  auto context = std::make_unique<ssl::context>(ssl::context::tls_client);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  context->set_verify_mode(ssl::verify_peer);
  boost::system::error_code failure;
  context->load_verify_file(path, failure);
  if (failure) {
    return ValidationError("The file " + path + " has no certificates that can be read");
  }
  return context;
}

}  // namespace hashrange
