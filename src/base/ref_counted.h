// Ref<T>: shared ownership by a count inside T, as immutable blocks, tree nodes and
// table versions have it. T has `void AddRef() const` and `void Release() const`;
// the last Release frees. Copying a Ref is one atomic increment.
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

  // Takes over one reference that the caller owns.
  static Ref Adopt(T* pointer) {
    Ref ref;
    ref.pointer_ = pointer;
    return ref;
  }
  // Adds a reference of its own.
  static Ref Share(T* pointer) {
    if (pointer) pointer->AddRef();
    return Adopt(pointer);
  }
  // Gives up ownership: the caller owes one Release.
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
