#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/illegal.hpp"
#include "base/move.hpp"
#include "tuolaji/shapes.hpp"

namespace arena::tuolaji {

enum class Verb : std::uint8_t { none, pass, call, add, trump, rebel, bury, play, fine };

/// A referee's rulings: points off, levels to the opponents (which ends the hand), the seat's next
/// play cannot win, the dealer's side steps down (which ends the hand), no more calls in this deal.
enum class Fine : std::uint8_t { points, levels, dead, step_down, silent };
inline constexpr int kMostFined = 10000;

/// A set of cards in three words: three bits a kind, eighteen kinds a word.
struct Packed {
  std::array<std::uint64_t, 3> words{};
  friend bool operator==(const Packed&, const Packed&) = default;
};
Packed pack(const Cards& cards);
Cards unpack(const Packed& packed);

/// The tractors that name a reading, seven bits each; 0: the default reading.
using ReadingCode = std::uint64_t;
inline constexpr ReadingCode kGroups = 8;  ///< a reading without tractors

ReadingCode reading_code(const Shapes& tractors);
/// Nothing for bits that no reading has.
std::optional<Shapes> reading_tractors(ReadingCode code);
/// "groups", "2x3+2x2".
std::string reading_text(ReadingCode code);
std::optional<ReadingCode> read_reading(std::string_view text);

/// A move, taken apart. Move words: the packed cards; verb, then suit or reading, in the last.
struct Deed {
  Verb verb = Verb::none;
  Cards cards;
  int suit = 0;
  ReadingCode reading = 0;
  Fine fine = Fine::points;
  int amount = 0;  ///< of fines in points or levels
};
Move encode(const Deed& deed);
/// Nothing for bits that spell no move.
std::optional<Deed> decode(const Move& move);

/// Canonical text; "?" for junk bits.
std::string move_text(const Move& move);
/// Reads any text; the reading is not yet compared with the default.
std::variant<Deed, Illegal> read_move(std::string_view text);

}  // namespace arena::tuolaji
