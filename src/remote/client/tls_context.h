// The settings of TLS: versions from 1.2 on, and whose certificates are trusted.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

#include "base/result.h"

namespace hashrange {

// Returns settings for a client. The certificates of `ca_file` are trusted; with an empty name,
// those of the file that AWS_CA_BUNDLE or SSL_CERT_FILE names, or the system's.
// Errors: ValidationException  the file has no certificates, or the system has none
Result<std::unique_ptr<boost::asio::ssl::context>> MakeTlsContext(const std::string& ca_file);

}  // namespace hashrange
