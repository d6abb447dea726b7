// Result<T>: a value or an Error. Status: nothing or an Error, returned by a check.
//
//   Result<Number> ParseNumber(std::string_view text);
//   HR_ASSIGN(Number n, ParseNumber(text));   // returns the Error to the caller
//   HR_RETURN_IF_ERROR(CheckKey(key));
#pragma once

#include <cassert>
#include <optional>
#include <utility>
#include <variant>

#include "base/error.h"

namespace hashrange {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return state_.index() == 0; }
  T& value() & {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  Error& error() & {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }
  const Error& error() const& {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    assert(!ok());
    return std::move(*std::get_if<1>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> state_;
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::make_unique<Error>(std::move(error))) {}  // NOLINT: implicit

  bool ok() const { return error_ == nullptr; }
  Error& error() & {
    assert(!ok());
    return *error_;
  }
  const Error& error() const& {
    assert(!ok());
    return *error_;
  }
  Error&& error() && {
    assert(!ok());
    return std::move(*error_);
  }

 private:
  std::unique_ptr<Error> error_;
};

}  // namespace hashrange

#define HR_CONCAT_INNER(a, b) a##b
#define HR_CONCAT(a, b) HR_CONCAT_INNER(a, b)

// Evaluates a Status or Result; an error is returned from the surrounding function.
#define HR_RETURN_IF_ERROR(expression)                        \
  do {                                                        \
    auto hr_status = (expression);                            \
    if (!hr_status.ok()) return std::move(hr_status).error(); \
  } while (false)

// HR_ASSIGN(declaration or variable, expression that gives a Result): assigns the value, or returns
// the error from the surrounding function.
#define HR_ASSIGN(target, expression) \
  HR_ASSIGN_INNER(HR_CONCAT(hr_result_, __LINE__), target, expression)
#define HR_ASSIGN_INNER(result, target, expression)   \
  auto result = (expression);                         \
  if (!result.ok()) return std::move(result).error(); \
  target = std::move(result).value()
