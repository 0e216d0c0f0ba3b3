#include "siguo/layout.hpp"

#include <utility>
#include <vector>

#include "siguo/position.hpp"

namespace arena::siguo {
namespace {

constexpr std::array<std::string_view, kBookLayouts> kBook{
    "73254/6.8.2/51.13/7.9.6/4B1B3/MFM2M", "54736/8.2.7/31.19/6.B.5/2B143/MM2FM",
    "35746/2.9.3/71.15/4.6.8/31B2B/MFMM2", "46375/9.1.8/2B.34/6.2.7/15B31/2MMFM",
    "57326/7.1.4/9B.38/6.2.5/1M4B3/MFM12", "63475/5.9.2/1B.17/8.3.6/2M4B3/MFM12",
    "46537/8.2.1/5B.93/7.6.1/43BM2/21MFM", "36574/7.2.9/4B.61/8.1.5/3M2B3/1FMM2",
    "74523/9.1.6/38.B7/5.4.2/6MB13/MFM12", "25647/8.3.9/1B.54/6.7.3/2M1B3/MFM12",
    "53764/1.8.2/97.B3/6.4.5/32B1M/21MFM", "47563/6.1.8/32.95/7.B.4/1MB23/MFM12",
};

std::array<Layout, 2 * kBookLayouts> read_book() {
  std::array<Layout, 2 * kBookLayouts> all{};
  for (int i = 0; i < kBookLayouts; ++i) {
    all[idx(i)] = read_layout(kBook[idx(i)]).value();
    all[idx(kBookLayouts + i)] = mirrored(all[idx(i)]);
  }
  return all;
}

}  // namespace

std::string layout_text(const Layout& layout) {
  std::string text;
  std::size_t slot = 0;
  for (Node node = 0; node < 30; ++node) {
    if (node > 0 && node % 5 == 0) text += '/';
    text += is_camp(node) ? '.' : kRankLetters[layout[slot++]];
  }
  return text;
}

std::optional<Layout> read_layout(std::string_view text) {
  if (text.size() != 35) return std::nullopt;
  Layout layout{};
  std::size_t slot = 0, at = 0;
  for (Node node = 0; node < 30; ++node) {
    if (node > 0 && node % 5 == 0 && text[at++] != '/') return std::nullopt;
    const char letter = text[at++];
    if (is_camp(node)) {
      if (letter != '.') return std::nullopt;
      continue;
    }
    const std::size_t rank = kRankLetters.find(letter);
    if (rank == std::string_view::npos) return std::nullopt;
    layout[slot++] = static_cast<Rank>(rank);
  }
  return layout;
}

std::optional<Illegal> layout_fault(const Layout& layout) {
  std::array<int, kRanks> count{};
  for (const Rank rank : layout) ++count[rank];
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    if (count[rank] == kArmy[rank]) continue;
    const std::string letter(1, kRankLetters[rank]);
    return Illegal{IllegalReason::wrong_count, letter + "=" + std::to_string(kArmy[rank]),
                   "line-up " + layout_text(layout) + " has " + std::to_string(count[rank]) +
                       " of rank " + letter + "; an army has " + std::to_string(kArmy[rank])};
  }
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    const Node node = kSlotNodes[slot];
    const Rank rank = layout[slot];
    if ((may_begin(node) & bit(rank)) != 0) continue;
    const std::string place = std::to_string(row_of(node)) + std::to_string(column_of(node));
    const char* where = rank == kFlag   ? "the flag stands in a headquarters, 62 or 64"
                        : rank == kMine ? "mines stand in the last two rows"
                                        : "bombs do not stand in the front row";
    return Illegal{IllegalReason::outside_zone, std::string(1, kRankLetters[rank]) + place,
                   "line-up " + layout_text(layout) + " has " + kRankLetters[rank] + " on " +
                       place + ": " + where};
  }
  return std::nullopt;
}

Layout random_layout(Rng& rng) {
  // Flag, mines and bombs in turn, each on a slot of those still open to it; then the rest in
  // any order. Every line-up is reached in the same number of ways.
  Layout layout{};
  std::array<bool, kSlots> taken{};
  for (const Rank rank : {kFlag, kMine, kBomb}) {
    for (int copy = 0; copy < kArmy[rank]; ++copy) {
      std::array<std::uint8_t, kSlots> open{};
      std::uint32_t count = 0;
      for (std::uint8_t slot = 0; slot < kSlots; ++slot) {
        if (!taken[slot] && (may_begin(kSlotNodes[slot]) & bit(rank)) != 0) open[count++] = slot;
      }
      const std::uint8_t slot = open[rng.below(count)];
      taken[slot] = true;
      layout[slot] = rank;
    }
  }
  std::array<Rank, kSlots> rest{};
  std::uint32_t left = 0;
  for (Rank rank = kEngineer; rank <= kCommander; ++rank) {
    for (int copy = 0; copy < kArmy[rank]; ++copy) rest[left++] = rank;
  }
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    if (taken[slot]) continue;
    const std::uint32_t drawn = rng.below(left);
    layout[slot] = rest[drawn];
    rest[drawn] = rest[--left];
  }
  return layout;
}

Layout mirrored(const Layout& layout) {
  std::array<Rank, 30> grid{};
  for (std::size_t slot = 0; slot < kSlots; ++slot) grid[kSlotNodes[slot]] = layout[slot];
  Layout out{};
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    const Node node = kSlotNodes[slot];
    out[slot] = grid[idx(node / 5 * 5 + 4 - node % 5)];
  }
  return out;
}

const Layout& book_layout(int index) {
  static const std::array<Layout, 2 * kBookLayouts> book = read_book();
  return book[idx(index)];
}

Move encode(const Layout& layout) {
  Move move;
  move.words[0] = static_cast<std::uint64_t>(Verb::layout) << kVerbShift;
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    move.words[1 + slot / 16] |= static_cast<std::uint64_t>(layout[slot]) << (slot % 16 * 4);
  }
  return move;
}

std::optional<Layout> decode_layout(const Move& move) {
  if (move.words[0] != static_cast<std::uint64_t>(Verb::layout) << kVerbShift) return std::nullopt;
  if (move.words[2] >> 36 != 0 || move.words[3] != 0) return std::nullopt;
  Layout layout{};
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    const auto rank = static_cast<Rank>((move.words[1 + slot / 16] >> (slot % 16 * 4)) & 0xF);
    if (rank >= kRanks) return std::nullopt;
    layout[slot] = rank;
  }
  return layout;
}

}  // namespace arena::siguo
