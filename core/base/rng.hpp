#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace arena {

/// The one source of randomness: xoshiro256** (Blackman and Vigna, 2018), seeded
/// by four outputs of SplitMix64. Integer arithmetic only, so a seed gives the
/// same numbers on every machine. docs/architecture.md lists its first outputs.
class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += 0x9E3779B97F4A7C15ULL;
      word = mix(seed);
    }
  }

  constexpr std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// Uniform in [0, bound), without bias (Lemire 2019). `bound` must be positive.
  constexpr std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = (next() >> 32) * bound;
    auto low = static_cast<std::uint32_t>(product);
    if (low < bound) {
      const std::uint32_t threshold = static_cast<std::uint32_t>(-bound) % bound;
      while (low < threshold) {
        product = (next() >> 32) * bound;
        low = static_cast<std::uint32_t>(product);
      }
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// Uniform in [0, 1) with 53 random bits.
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  static constexpr std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
  }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t value, int by) {
    return (value << by) | (value >> (64 - by));
  }
  std::array<std::uint64_t, 4> state_{};
};

/// An independent seed from a parent seed and a stream number.
constexpr std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t stream) {
  return Rng::mix(seed ^ Rng::mix(stream + 0x9E3779B97F4A7C15ULL));
}

}  // namespace arena
