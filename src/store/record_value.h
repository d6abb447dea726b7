// RecordValue: the bytes of a stored record, or the function that will make them. A change is told
// to the journal while locks are held, so what takes time is left to the journal's thread.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace hashrange {

// Movable, not copyable. The function is kept in the object itself, without an allocation.
class RecordValue {
 public:
  static constexpr std::size_t kRoomBytes = 64;

  // No value: the record is removed.
  RecordValue() = default;
  // `append` is called once, as append(std::string& out), on another thread; it appends the bytes
  // and throws nothing.
  template <typename Append>
    requires std::is_invocable_v<Append&, std::string&>
  RecordValue(Append append) {  // NOLINT: implicit
    static_assert(sizeof(Append) <= kRoomBytes && alignof(Append) <= alignof(std::max_align_t));
    static_assert(std::is_nothrow_move_constructible_v<Append>);
    new (room_) Append(std::move(append));
    calls_ = &kCallsOf<Append>;
  }
  static RecordValue Of(std::string bytes) {
    return RecordValue([kept = std::move(bytes)](std::string& out) { out.append(kept); });
  }

  RecordValue(RecordValue&& other) noexcept { MoveFrom(other); }
  RecordValue& operator=(RecordValue&& other) noexcept {
    if (this == &other) return *this;
    Clear();
    MoveFrom(other);
    return *this;
  }
  ~RecordValue() { Clear(); }

  bool has_value() const { return calls_ != nullptr; }
  void AppendTo(std::string& out) { calls_->append(room_, out); }

 private:
  struct Calls {
    void (*append)(void* function, std::string& out);
    void (*move)(void* from, void* to);  // destroys `from`
    void (*destroy)(void* function);
  };
  template <typename Append>
  static constexpr Calls kCallsOf = {
      [](void* function, std::string& out) { (*static_cast<Append*>(function))(out); },
      [](void* from, void* to) {
        new (to) Append(std::move(*static_cast<Append*>(from)));
        static_cast<Append*>(from)->~Append();
      },
      [](void* function) { static_cast<Append*>(function)->~Append(); }};

  void Clear() {
    if (calls_) std::exchange(calls_, nullptr)->destroy(room_);
  }
  void MoveFrom(RecordValue& other) {
    calls_ = std::exchange(other.calls_, nullptr);
    if (calls_) calls_->move(other.room_, room_);
  }

  alignas(std::max_align_t) std::byte room_[kRoomBytes];
  const Calls* calls_ = nullptr;
};

}  // namespace hashrange
