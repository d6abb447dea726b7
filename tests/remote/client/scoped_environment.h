// ScopedEnvironment: the variables of the environment that the client looks at, as a test sets
// them: at first, none of them is set and the user's home is an empty folder. All are as before
// when the object is destroyed.
#pragma once

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace hashrange::test {

class ScopedEnvironment {
 public:
  explicit ScopedEnvironment(const std::string& home) {
    for (const char* const name :
         {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE",
          "AWS_DEFAULT_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_CONFIG_FILE",
          "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
          "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_AUTHORIZATION_TOKEN",
          "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "AWS_CA_BUNDLE", "SSL_CERT_FILE"}) {
      Save(name);
      ::unsetenv(name);
    }
    Set("HOME", home);
  }
  ~ScopedEnvironment() {
    for (const auto& [name, value] : before_) {
      if (value) {
        ::setenv(name.c_str(), value->c_str(), 1);
      } else {
        ::unsetenv(name.c_str());
      }
    }
  }
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

  void Set(const std::string& name, const std::string& value) {
    Save(name);
    ::setenv(name.c_str(), value.c_str(), 1);
  }

 private:
  void Save(const std::string& name) {
    const char* const value = std::getenv(name.c_str());
    before_.try_emplace(name, value == nullptr ? std::nullopt : std::optional<std::string>(value));
  }

  std::map<std::string, std::optional<std::string>> before_ = {};
};

}  // namespace hashrange::test
