#include "remote/client/sha256.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <new>

namespace hashrange {
namespace {

const unsigned char* Data(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

Sha256Digest Sha256(std::string_view bytes) {
  Sha256Digest digest;
  SHA256(Data(bytes), bytes.size(), digest.data());
  return digest;
}

Sha256Digest HmacSha256(std::string_view key, std::string_view bytes) {
  Sha256Digest digest;
  unsigned int size = 0;
  // It fails for want of memory only.
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), Data(bytes), bytes.size(),
           digest.data(), &size) == nullptr) {
    throw std::bad_alloc();
  }
  return digest;
}

std::string HexText(const Sha256Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xf];
  }
  return text;
}

}  // namespace hashrange
