// Certificates for tests, made when they are needed.
#pragma once

#include <string>

namespace hashrange::test {

struct CertificateOrder {
  std::string host = "localhost";  // a name, or an IPv4 address
  int days = 1;                    // until it expires, from now on; negative: it has expired
};

// Writes a certificate that is signed with its own key, and the key, into a file of PEM.
void WriteCertificate(const CertificateOrder& order, const std::string& path);

}  // namespace hashrange::test
