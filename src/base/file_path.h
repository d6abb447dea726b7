// fs: the names of files and questions about them, by std::filesystem. A C++ library without files
// has no such library; then fs is the part of it that the library uses: paths are read as POSIX
// does, and no file exists.
#pragma once

#include <version>

// libc++ 16 says so by the first name, libc++ 17 to 19 by the second.
#if !defined(_LIBCPP_HAS_NO_FILESYSTEM_LIBRARY) && !defined(_LIBCPP_HAS_NO_FILESYSTEM)

#include <filesystem>

namespace hashrange {
namespace fs = std::filesystem;
}  // namespace hashrange

#else

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace hashrange::fs {

class path {
 public:
  path() = default;
  path(std::string text) : text_(std::move(text)) {}
  path(std::string_view text) : text_(text) {}
  path(const char* text) : text_(text) {}
  operator std::string() const { return text_; }

  const std::string& string() const { return text_; }
  const char* c_str() const { return text_.c_str(); }
  bool empty() const { return text_.empty(); }
  bool is_absolute() const { return text_.starts_with('/'); }

  path filename() const { return text_.substr(text_.rfind('/') + 1); }
  bool has_filename() const { return !filename().empty(); }
  bool has_relative_path() const { return text_.find_first_not_of('/') != std::string::npos; }
  path parent_path() const {
    const std::size_t slash = text_.rfind('/');
    if (slash == std::string::npos) return {};
    return slash == 0 ? path("/") : path(text_.substr(0, slash));
  }
  path extension() const {
    const std::string name = filename();
    const std::size_t point = name.rfind('.');
    return point == std::string::npos || point == 0 ? path() : path(name.substr(point));
  }

  path& operator/=(const path& other) {
    if (other.is_absolute()) return *this = other;
    if (has_filename()) text_ += '/';
    text_ += other.text_;
    return *this;
  }
  friend path operator/(path a, const path& b) { return a /= b; }
  friend bool operator==(const path& a, const path& b) { return a.text_ == b.text_; }
  friend bool operator<(const path& a, const path& b) { return a.text_ < b.text_; }

 private:
  std::string text_;
};

enum class file_type : std::uint8_t { not_found, regular, directory, symlink };

class file_status {
 public:
  file_type type() const { return file_type::not_found; }
};

inline file_status status(const path&, std::error_code& error) {
  error = std::make_error_code(std::errc::function_not_supported);
  return {};
}
inline file_status symlink_status(const path& file, std::error_code& error) {
  return status(file, error);
}
inline bool exists(const path& file, std::error_code& error) {
  status(file, error);
  return false;
}
inline bool is_directory(const path& file, std::error_code& error) { return exists(file, error); }
inline bool is_regular_file(file_status) { return false; }
inline bool is_symlink(file_status) { return false; }
inline std::uintmax_t file_size(const path& file, std::error_code& error) {
  status(file, error);
  return static_cast<std::uintmax_t>(-1);
}
inline path absolute(const path& file, std::error_code& error) {
  status(file, error);
  return {};
}
inline path canonical(const path& file, std::error_code& error) { return absolute(file, error); }
inline path weakly_canonical(const path& file, std::error_code& error) {
  return absolute(file, error);
}

}  // namespace hashrange::fs

#endif
