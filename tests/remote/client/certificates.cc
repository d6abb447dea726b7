#include "remote/client/certificates.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>

namespace hashrange::test {

void WriteCertificate(const CertificateOrder& order, const std::string& path) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"),
                                                                &EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), &X509_free);
  X509* const x509 = certificate.get();
  X509_set_version(x509, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
  constexpr long kSecondsOfDay = 86'400;
  X509_gmtime_adj(X509_getm_notBefore(x509), -10 * kSecondsOfDay);
  X509_gmtime_adj(X509_getm_notAfter(x509), order.days * kSecondsOfDay);
  X509_set_pubkey(x509, key.get());
  X509_NAME* const name = X509_get_subject_name(x509);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("Hashrange's tests"), -1, -1,
                             0);
  X509_set_issuer_name(x509, name);
  const bool is_address = order.host.find_first_not_of("0123456789.") == std::string::npos;
  const std::string names = (is_address ? "IP:" : "DNS:") + order.host;
  X509_EXTENSION* const extension =
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
  X509_add_ext(x509, extension, -1);
  X509_EXTENSION_free(extension);
  ASSERT_GT(X509_sign(x509, key.get(), EVP_sha256()), 0);
  std::FILE* const file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  PEM_write_X509(file, x509);
  PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(file);
}

}  // namespace hashrange::test
