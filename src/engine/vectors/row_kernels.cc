#include "engine/vectors/row_kernels.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace hashrange {
namespace {

typedef float Quad __attribute__((vector_size(16)));

// Returns the sum of the elements of each argument.
inline __attribute__((always_inline)) Quad AcrossFour(Quad a, Quad b, Quad c, Quad d) {
  const Quad ab =
      __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Quad cd =
      __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

// Four rows; at the end of the block, the last row stands for those that are not there.
struct FourRows {
  inline __attribute__((always_inline)) FourRows(const RowKernelInput& input, std::size_t row)
      : first(At(input, row)),
        second(At(input, row + 1)),
        third(At(input, row + 2)),
        fourth(At(input, row + 3)) {}

  static inline __attribute__((always_inline)) const float* At(const RowKernelInput& input,
                                                               std::size_t row) {
    return input.rows + std::min(row, input.count - 1) * input.stride;
  }

  // Asks for what the next four rows have at the same place. The address may be after the block:
  // then nothing happens, or a line is loaded in vain.
  inline __attribute__((always_inline)) void Prefetch(std::size_t i, std::size_t stride) const {
    if (i % kRowUnit != 0) return;
    __builtin_prefetch(first + 4 * stride + i);
    __builtin_prefetch(second + 4 * stride + i);
    __builtin_prefetch(third + 4 * stride + i);
    __builtin_prefetch(fourth + 4 * stride + i);
  }

  const float* first;
  const float* second;
  const float* third;
  const float* fourth;
};

#define HR_KERNEL_SET BaselineKernels
#define HR_KERNEL_TARGET
#define HR_KERNEL_BYTES 16
#include "engine/vectors/row_kernels.inc"

#ifdef __x86_64__
#define HR_KERNEL_SET Avx2Kernels
#define HR_KERNEL_TARGET __attribute__((target("avx2,fma")))
#define HR_KERNEL_BYTES 32
#include "engine/vectors/row_kernels.inc"

#define HR_KERNEL_SET Avx512Kernels
#define HR_KERNEL_TARGET __attribute__((target("avx512f")))
#define HR_KERNEL_BYTES 64
#include "engine/vectors/row_kernels.inc"
#endif

template <typename Set>
constexpr RowKernels KernelsIn() {
  return {&Set::DotProduct, &Set::MinusSquaredDistance};
}

// The sets that were found, the narrowest first.
struct FoundSets {
  FoundSets() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      sets[count++] = InstructionSet::kAvx2;
      if (__builtin_cpu_supports("avx512f")) sets[count++] = InstructionSet::kAvx512;
    }
#endif
  }

  std::array<InstructionSet, 3> sets{InstructionSet::kBaseline};
  std::size_t count = 1;
};

}  // namespace

std::span<const InstructionSet> MachineInstructionSets() {
  static const FoundSets found;
  return std::span(found.sets).first(found.count);
}

RowKernels KernelsOf(InstructionSet set) {
  switch (set) {
#ifdef __x86_64__
    case InstructionSet::kAvx512:
      return KernelsIn<Avx512Kernels>();
    case InstructionSet::kAvx2:
      return KernelsIn<Avx2Kernels>();
#endif
    default:
      return KernelsIn<BaselineKernels>();
  }
}

}  // namespace hashrange
