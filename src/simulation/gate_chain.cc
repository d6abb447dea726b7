#include "simulation/gate_chain.h"

#include <algorithm>

namespace hashrange {

void GateChain::Activate(Place place, Gate& gate) { Set(place, &gate); }
void GateChain::Deactivate(Place place) { Set(place, nullptr); }

void GateChain::Set(Place place, Gate* gate) {
  MutexLock lock(mutex_);
  gates_[static_cast<std::size_t>(place)] = gate;
  const bool is_any = std::ranges::any_of(gates_, [](const auto& each) { return each.load(); });
  slot_ = is_any ? this : nullptr;
}

std::optional<Error> GateChain::Begin(Call& call) {
  for (const auto& each : gates_) {
    Gate* const gate = each.load(std::memory_order_acquire);
    if (!gate) continue;
    if (auto refused = gate->Begin(call)) return refused;
  }
  return std::nullopt;
}

// When a gate refuses, the gates that let the access in before it get a Leave with the refusal.
std::optional<Error> GateChain::Enter(Call& call, const Access& access) {
  std::array<Gate*, kPlaces> entered;
  std::size_t count = 0;
  for (const auto& each : gates_) {
    Gate* const gate = each.load(std::memory_order_acquire);
    if (!gate) continue;
    if (auto refused = gate->Enter(call, access)) {
      while (count > 0) entered[--count]->Leave(call, access, {.refusal = &*refused});
      return refused;
    }
    entered[count++] = gate;
  }
  return std::nullopt;
}

void GateChain::Leave(Call& call, const Access& access, const Usage& usage) {
  for (const auto& each : gates_) {
    if (Gate* const gate = each.load(std::memory_order_acquire)) gate->Leave(call, access, usage);
  }
}

void GateChain::Charge(Call& call, const Access& access, const Usage& usage) {
  for (const auto& each : gates_) {
    if (Gate* const gate = each.load(std::memory_order_acquire)) gate->Charge(call, access, usage);
  }
}

void GateChain::End(Call& call, const CallOutcome& outcome) {
  for (std::size_t i = gates_.size(); i-- > 0;) {
    if (Gate* const gate = gates_[i].load(std::memory_order_acquire)) gate->End(call, outcome);
  }
}

void GateChain::Fail(Call& call, const CallOutcome& outcome) {
  for (const auto& each : gates_) {
    if (Gate* const gate = each.load(std::memory_order_acquire)) gate->Fail(call, outcome);
  }
}

}  // namespace hashrange
