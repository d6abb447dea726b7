// Ref<T>: shared ownership by a count inside T, such as an item, a tree node or a table
// version. T has `void AddRef() const` and `void Release() const`; the last Release frees the
// object. Copying a Ref is one atomic increment.
#pragma once

#include <cstddef>
#include <utility>

namespace hashrange {

template <typename T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}  // NOLINT: implicit
  Ref(const Ref& other) : pointer_(other.pointer_) {
    if (pointer_) pointer_->AddRef();
  }
  Ref(Ref&& other) noexcept : pointer_(std::exchange(other.pointer_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(pointer_, other.pointer_);
    return *this;
  }
  ~Ref() {
    if (pointer_) pointer_->Release();
  }

  // Returns a Ref that takes over a reference of the caller.
  static Ref Adopt(T* pointer) {
    Ref ref;
    ref.pointer_ = pointer;
    return ref;
  }
  // Returns a Ref with a new reference.
  static Ref Share(T* pointer) {
    if (pointer) pointer->AddRef();
    return Adopt(pointer);
  }
  // Returns the pointer and gives its reference to the caller, who must call Release.
  T* Detach() { return std::exchange(pointer_, nullptr); }

  T* get() const { return pointer_; }
  T& operator*() const { return *pointer_; }
  T* operator->() const { return pointer_; }
  explicit operator bool() const { return pointer_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.pointer_ == b.pointer_; }

 private:
  T* pointer_ = nullptr;
};

}  // namespace hashrange
