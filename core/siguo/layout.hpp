#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/illegal.hpp"
#include "base/move.hpp"
#include "base/rng.hpp"
#include "siguo/rules.hpp"

namespace arena::siguo {

/// A line-up: the ranks of the 25 slots, row by row from the front.
using Layout = std::array<Rank, kSlots>;

/// "37254/6.8.2/51.13/7.9.6/4B1B3/MFM2M"; camps are points.
std::string layout_text(const Layout& layout);
/// Reads a line-up, legal or not. Nothing for a text of another form.
std::optional<Layout> read_layout(std::string_view text);
/// Why a line-up may not be used: the wrong number of a rank, or a unit where it may not begin.
std::optional<Illegal> layout_fault(const Layout& layout);
/// Any legal line-up, all with the same probability.
Layout random_layout(Rng& rng);
/// Left and right exchanged.
Layout mirrored(const Layout& layout);

/// Sound line-ups: the flag covered by mines, bombs behind the first lines, strength on both wings.
inline constexpr int kBookLayouts = 12;
/// `index` below 2 * kBookLayouts: the second half are the mirrored ones.
const Layout& book_layout(int index);

Move encode(const Layout& layout);
/// Nothing for bits that are no line-up.
std::optional<Layout> decode_layout(const Move& move);

}  // namespace arena::siguo
