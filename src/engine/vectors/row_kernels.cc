#include "engine/vectors/row_kernels.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#include "engine/vectors/row_block.h"

namespace hashrange {
namespace {

typedef float FloatQuad __attribute__((vector_size(16)));
typedef std::int32_t IntegerQuad __attribute__((vector_size(16)));
typedef std::int16_t ShortOctet __attribute__((vector_size(16)));

// Writes the sum of the elements of each argument.
template <typename Quad, typename Sum>
inline __attribute__((always_inline)) void WriteFour(Quad a, Quad b, Quad c, Quad d, Sum* sums) {
  const Quad ab =
      __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Quad cd =
      __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const Quad four =
      __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
  std::memcpy(sums, &four, sizeof(four));
}

// Returns the row's number; after the last row, that of the last row: its sum is one that nobody
// asked for.
template <typename Input>
inline __attribute__((always_inline)) std::size_t RowAt(const Input& input, std::size_t row) {
  return std::min(row, input.count - 1);
}

// Starts to fetch memory into the second cache: the nearest one may have no room for it.
inline __attribute__((always_inline)) void FetchBytes(const std::int8_t* begin, std::size_t size) {
  for (std::size_t i = 0; i < size; i += kCacheLineBytes) __builtin_prefetch(begin + i, 0, 2);
}

// Returns four integers whose sum is that of the products of eight integers of 8 bits and eight of
// 16 bits.
inline __attribute__((always_inline)) IntegerQuad MultiplyEight(const std::int8_t* x,
                                                                ShortOctet y) {
#if defined(__SSE2__)
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(x));
  const __m128i shorts = _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
  return reinterpret_cast<IntegerQuad>(_mm_madd_epi16(shorts, reinterpret_cast<__m128i>(y)));
#elif defined(__aarch64__)
  const int16x8_t shorts = vmovl_s8(vld1_s8(x));
  return vmlal_high_s16(vmull_s16(vget_low_s16(shorts), vget_low_s16(y)), shorts, y);
#elif defined(__wasm_simd128__)
  return reinterpret_cast<IntegerQuad>(
      wasm_i32x4_dot_i16x8(wasm_i16x8_load8x8(x), reinterpret_cast<v128_t>(y)));
#else
  IntegerQuad sums{};
  for (int i = 0; i < 8; ++i) sums[i % 4] += x[i] * y[i];
  return sums;
#endif
}

#define HR_KERNEL_SET BaselineKernels
#define HR_KERNEL_TARGET
#define HR_KERNEL_BYTES 16
#define HR_KERNEL_MULTIPLY(x, y) MultiplyEight(x, y)
#include "engine/vectors/row_kernels.inc"

#ifdef __x86_64__
#define HR_KERNEL_SET Avx2Kernels
#define HR_KERNEL_TARGET __attribute__((target("avx2,fma")))
#define HR_KERNEL_BYTES 32
#define HR_KERNEL_MULTIPLY(x, y)                                                                \
  _mm256_madd_epi16(_mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x))), \
                    reinterpret_cast<__m256i>(y))
#include "engine/vectors/row_kernels.inc"

#define HR_KERNEL_SET Avx512Kernels
#define HR_KERNEL_TARGET __attribute__((target("avx512f,avx512bw")))
#define HR_KERNEL_BYTES 64
#define HR_KERNEL_MULTIPLY(x, y)                                                                   \
  _mm512_madd_epi16(_mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x))), \
                    reinterpret_cast<__m512i>(y))
#include "engine/vectors/row_kernels.inc"
#endif

template <typename Set>
constexpr RowKernels KernelsIn() {
  return {&Set::DotProduct, &Set::MinusSquaredDistance, &Set::CoarseDotProduct};
}

// The sets that were found, the narrowest first.
struct FoundSets {
  FoundSets() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      sets[count++] = InstructionSet::kAvx2;
      if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) {
        sets[count++] = InstructionSet::kAvx512;
      }
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
