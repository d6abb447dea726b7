// Random vectors of every magnitude, for tests.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace hashrange {

class Numbers {
 public:
  explicit Numbers(unsigned seed) : random_(seed) {}

  // A vector of one of several kinds: ordinary elements, or ones near the greatest or the smallest
  // floats, with few elements that are not zero, with one that is much greater than the others, or
  // each of a magnitude of its own.
  std::vector<float> Vector(std::size_t dimensions) {
    const int kind = Below(8);
    const float scale = kScales[Below(std::size(kScales))];
    std::vector<float> vector(dimensions);
    for (float& element : vector) {
      element = Normal() / 8 * scale;
      if (kind == 0 && Below(10) > 0) element = 0;
      if (kind == 1) element = std::ldexp(Normal() / 8, Below(276) - 149);
      if (kind == 2) element = std::copysign(scale, element);
    }
    if (kind == 3) vector[Below(dimensions)] = scale * 0.9F;
    return vector;
  }

  // An integer from 0 on.
  template <typename Integer>
  int Below(Integer end) {
    return std::uniform_int_distribution<int>(0, static_cast<int>(end) - 1)(random_);
  }

 private:
  static constexpr float kScales[] = {3e38F,  1e30F,  1e19F,  1,      1,
                                      1e-19F, 1e-30F, 1e-37F, 1e-42F, 3e-44F};

  // Less than 8 standard deviations from 0.
  float Normal() {
    const float normal = std::normal_distribution<float>()(random_);
    return std::abs(normal) < 8 ? normal : 0;
  }

  std::mt19937 random_;
};

}  // namespace hashrange
